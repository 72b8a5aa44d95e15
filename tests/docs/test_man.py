"""The manual page has every command and option, and groff formats it without warnings."""

from __future__ import annotations

import re
import shutil
import subprocess

import click
import pytest

from docs.man import page
from tests.cli.test_help import ALL

_PAGE = page()


def _section(*names: str) -> str:
    """The section of a command; the usage of another may begin with its name."""
    head = re.escape(" ".join(["celvet", *names]))
    found = re.search(rf'^\.SS "{head} \[OPTIONS\].*?"$(.*?)(?=^\.S[SH] )', _PAGE, re.M | re.S)
    assert found, names
    return found[1]


@pytest.mark.parametrize("names", [names for names in ALL if names], ids=" ".join)
def test_every_option_of_every_command_is_on_it(names: tuple[str, ...]) -> None:
    section = _section(*names).replace("\\-", "-")
    shown = re.findall(r"^\\fB(-.*?)\\fR", section, re.M)
    options = [each for each in ALL[names].params if isinstance(each, click.Option)]
    assert shown == [", ".join(each.opts) for each in options if not each.hidden]
    assert "VALUE\\fR" not in section.replace("=VALUE", ""), "an option without a metavar"


def test_every_option_has_a_description_and_its_default() -> None:
    assert not re.findall(r"^\.TP\n.*\n$", _PAGE, re.M)
    assert "Oldest TLS version to accept, 1.2 or 1.3. [default: 1.2]" in _PAGE


def test_the_variables_of_the_environment_are_on_it() -> None:
    assert "\n\\fBCELVET_FAIL_ON\\fR\nStands for \\-\\-fail\\-on.\n" in _PAGE


@pytest.mark.usefixtures("outside")
def test_groff_has_nothing_to_warn_of() -> None:
    groff = shutil.which("groff")
    if not groff:
        pytest.skip("groff is not installed")
    command = [groff, "-man", "-ww", "-z", "-Tutf8"]
    ran = subprocess.run(command, input=_PAGE, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
