"""Arguments of `celvet lint` that are read without click give the same result as with click."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from celvet.lint.cli.commands.lint import command
from celvet.lint.cli.options.plain import FLAGS, plain_options
from celvet.lint.cli.run.lint_command import LintOptions


@pytest.mark.parametrize(
    "arguments",
    [[], ["a.yaml", "-", "b/c.json"], *([flag, "a.yaml"] for flag in FLAGS), list(FLAGS)],
    ids=" ".join,
)
def test_what_is_plain_is_read_as_click_reads_it(
    arguments: Sequence[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = plain_options(["lint", *arguments], {})
    assert plain is not None
    monkeypatch.delenv("CELVET_NO_CACHE", raising=False)
    by_click = command.make_context("lint", list(arguments)).params
    assert LintOptions(**plain) == LintOptions(**by_click)


@pytest.mark.parametrize(
    "line",
    ["test a", "lint --help", "lint -j 2", "lint --fix=unsafe", "lint --qui", "lint -- a", "rules"],
)
def test_all_else_is_for_click(line: str) -> None:
    assert plain_options(line.split(), {}) is None


def test_an_empty_path_is_for_click() -> None:
    assert plain_options(["lint", ""], {}) is None


@pytest.mark.parametrize("variable", ["CELVET_FAIL_ON", "CELVET_NO_CACHE", "_CELVET_COMPLETE"])
def test_variables_are_for_click(variable: str) -> None:
    assert plain_options(["lint", "a.yaml"], {variable: "error"}) is None


def test_a_variable_may_switch_the_cache_off() -> None:
    assert plain_options(["lint"], {"CELVET_NO_CACHE": "1"}) == {"no_cache": True, "paths": ()}
