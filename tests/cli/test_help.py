"""`--help` fits on a screen, and leads to the options that it leaves out."""

from __future__ import annotations

import re
from collections.abc import Iterator

import click
import pytest
from click.testing import CliRunner

from celvet.lint.cli.options.help import Option
from celvet.lint.cli.subcommands import celvet

_LINES, _COLUMNS = 24, 80

_OPTION = re.compile(r"^  (?:-\w, )?(--?[\w-]+)", re.MULTILINE)

Names = tuple[str, ...]


def _commands(command: click.Command, *names: str) -> Iterator[tuple[Names, click.Command]]:
    """The command and all subcommands, each with the words after `celvet`."""
    yield names, command
    if isinstance(command, click.Group):
        with click.Context(command) as context:
            for name in command.list_commands(context):
                found = command.get_command(context, name)
                assert found
                yield from _commands(found, *names, name)


ALL = dict(_commands(celvet))
"""Every command, by the words after `celvet`."""
_WITH_RARE = {
    names: rare
    for names, command in ALL.items()
    if (rare := [each for each in command.params if isinstance(each, Option) and each.rare])
}


def _printed(*arguments: str) -> str:
    ran = CliRunner(env={"COLUMNS": str(_COLUMNS)}).invoke(celvet, arguments, prog_name="celvet")
    assert ran.exit_code == 0, ran.output
    return ran.output


def _shown(names: Names, option: str) -> list[str]:
    """The options that a page lists, by their long or only names."""
    return _OPTION.findall(_printed(*names, option))


def _declared(command: click.Command) -> list[str]:
    options = [each for each in command.params if isinstance(each, click.Option)]
    return [each.opts[-1] for each in options if not each.hidden]


def test_there_are_commands_of_every_package() -> None:
    assert {("lint",), ("test",), ("serve",), ("lsp",), ("certs", "create")} <= ALL.keys()


@pytest.mark.parametrize("names", ALL, ids=" ".join)
def test_help_fits_a_screen(names: Names) -> None:
    lines = _printed(*names, "--help").splitlines()
    most = _LINES if names else 40  # the list of commands grows with them
    assert len(lines) < most, "a prompt comes after it"
    assert max(map(len, lines)) <= _COLUMNS
    cut = [line for line in lines[1:] if line.endswith("...")]
    assert not cut, "shorten the summary of the command"


@pytest.mark.parametrize("names", ALL, ids=" ".join)
def test_help_shows_every_option_or_how_to_see_it(names: Names) -> None:
    shown = _shown(names, "--help")
    if names not in _WITH_RARE:
        assert set(_declared(ALL[names])) <= set(shown)
        return
    rare = {each.opts[-1] for each in _WITH_RARE[names]}
    assert not rare & set(shown)
    assert "--help-all" in shown


@pytest.mark.parametrize("names", _WITH_RARE, ids=" ".join)
def test_help_all_shows_every_option_once(names: Names) -> None:
    shown = _shown(names, "--help-all")
    assert sorted(shown) == sorted([*_declared(ALL[names]), "--help-all", "--help"])


@pytest.mark.parametrize("names", _WITH_RARE, ids=" ".join)
def test_every_option_has_a_group(names: Names) -> None:
    options = [each for each in ALL[names].params if isinstance(each, click.Option)]
    assert {each.opts[-1] for each in options if not isinstance(each, Option)} <= {"--unsafe"}


def test_help_all_is_asked_for_like_help_even_if_arguments_are_missing() -> None:
    page = _printed("lint", "--help-all")
    assert page.startswith("Usage: celvet lint [OPTIONS] [PATH]...\n")
    assert "\nSelection:\n" in page


@pytest.mark.parametrize("names", sorted(ALL.keys() - _WITH_RARE.keys()), ids=" ".join)
def test_help_all_of_what_has_nothing_rare_is_help(names: Names) -> None:
    assert _printed(*names, "--help-all") == _printed(*names, "--help")
