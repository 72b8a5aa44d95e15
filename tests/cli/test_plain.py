"""Arguments of `celvet lint` that are read without click give the same result as with click."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from celvet.lint.cli.commands.lint import command
from celvet.lint.cli.options.plain import plain_options
from celvet.lint.cli.options.plain_table import OPTIONS
from celvet.lint.cli.run.lint_command import LintOptions

_VALUES = (
    "a.yaml",
    "-",
    "--",
    "",
    "json",
    "JSON",
    "warning",
    "off",
    "3",
    "a=b",
    "-x.yaml",
    "--fix",
)
_ARGUMENTS = st.lists(
    st.sampled_from((*OPTIONS, *_VALUES, "--qui", "-qf", "--fix=unsafe", "--format=json", "--help"))
)
_VARIABLES = sorted({each[-1] for each in OPTIONS.values()} - {""})


def _by_click(arguments: Sequence[str], environment: Mapping[str, str]) -> LintOptions:
    """The options that click reads from arguments; raises click's errors."""
    with pytest.MonkeyPatch.context() as patched:
        for name in _VARIABLES:
            patched.delenv(name, raising=False)
        for name, value in environment.items():
            patched.setenv(name, value)
        return LintOptions(**command.make_context("lint", list(arguments)).params)


@given(_ARGUMENTS, st.dictionaries(st.sampled_from(_VARIABLES), st.sampled_from(("1", "0", "a"))))
def test_what_is_plain_is_read_as_click_reads_it(
    arguments: list[str], environment: dict[str, str]
) -> None:
    plain = plain_options(["lint", *arguments], environment)
    if plain is not None:
        assert LintOptions(**plain) == _by_click(arguments, environment)


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("apps", "-"),
        ("--no-cache", "-q", "a.yaml", "--crds", "crds", "--crds", "more"),
        ("--dashed-files", "-f", "json", "--format", "sarif", "-o", "b.json"),
    ],
    ids=" ".join,
)
def test_what_is_common_is_plain(arguments: Sequence[str]) -> None:
    plain = plain_options(["lint", *arguments], {"CELVET_NO_CACHE": "1"})
    assert plain is not None
    assert LintOptions(**plain) == _by_click(arguments, {"CELVET_NO_CACHE": "1"})


@pytest.mark.parametrize(
    "arguments",
    [
        ("test", "a"),
        ("lint", "--help"),
        ("lint", "-j", "2"),
        ("lint", "--fix=unsafe"),
        ("lint", ""),
    ],
    ids=" ".join,
)
def test_what_is_not_plain_is_for_click(arguments: Sequence[str]) -> None:
    assert plain_options(arguments, {}) is None


def test_a_shell_completes_by_click() -> None:
    assert plain_options(["lint"], {"_CELVET_COMPLETE": "bash_complete"}) is None
