"""Every finding of the manual's bad examples can be suppressed, and every fix removes one."""

from __future__ import annotations

import re
from typing import Any

import pytest

from celvet.lint.engine import Settings
from celvet.lint.locate.edits import apply_edits
from celvet.lint.lsp.features.actions import QuickFix, quick_fixes
from celvet.lint.lsp.state.analysis import Analysis, PlacedAnalysis
from celvet.lint.lsp.state.positions import EditorText
from celvet.lint.model import Severity, Span
from celvet.lint.rules import rules
from tests.rules.every_case import every_case

_BAD = re.compile(r"^## Bad\n\n```yaml\n(.*?)^```\n", re.DOTALL | re.MULTILINE)
_PAGES = {rule.id: found[1] for rule in rules() if (found := _BAD.search(rule.page))}
_BEFORE = "# first\na: 1\n---\n"


def _offered(example: str, *, fixes: bool = False) -> tuple[str, list[QuickFix]]:
    text = _BEFORE + example
    placed = PlacedAnalysis(Analysis(example, "f", Settings(fixes=fixes)), len(_BEFORE))
    everywhere = Span(0, len(text))
    return text, list(quick_fixes(EditorText(text), placed, everywhere, Severity.INFO))


def _rules(text: str) -> list[str]:
    part = Analysis(text[len(_BEFORE) :], "f", Settings())
    return sorted(each.rule for each in part.result.findings)


def _suppresses(each: QuickFix) -> bool:
    return each.title.startswith("Suppress ")


@pytest.mark.parametrize("example", _PAGES.values(), ids=_PAGES)
def test_suppression(example: str) -> None:
    text, offered = _offered(example)
    before = _rules(text)
    for each in offered:
        if _suppresses(each):
            after = _rules(apply_edits(text, each.edits))
            assert after.count(each.finding.rule) < before.count(each.finding.rule)
            assert after.count("unused-ignore") <= before.count("unused-ignore")


@pytest.mark.parametrize("example", _PAGES.values(), ids=_PAGES)
def test_fixes(example: str) -> None:
    text, offered = _offered(example)
    before = _rules(text)
    for each in offered:
        if not _suppresses(each):
            after = _rules(apply_edits(text, each.edits))
            assert after.count(each.finding.rule) < before.count(each.finding.rule)


@pytest.mark.parametrize("case", every_case())
def test_a_fix_that_is_found_when_asked_for_is_the_one_of_lint(case: dict[str, Any]) -> None:
    def shown(offered: list[QuickFix]) -> list[tuple[object, ...]]:
        return [(each.title, each.edits, each.safe, each.finding.message) for each in offered]

    _, offered = _offered(case["manifest"])
    assert shown(offered) == shown(_offered(case["manifest"], fixes=True)[1])


def test_only_what_is_touched_is_offered() -> None:
    example = _PAGES["missing-failed"]
    text = EditorText(_BEFORE + example)
    placed = PlacedAnalysis(Analysis(example, "f", Settings()), len(_BEFORE))
    at = text.text.index("interval")
    assert list(quick_fixes(text, placed, Span(at, at), Severity.INFO)) == []


def test_what_suppresses_nothing_is_not_suppressed() -> None:
    _, offered = _offered(_PAGES["unused-ignore"])
    assert offered == []


def test_only_what_is_shown_is_offered() -> None:
    example = _PAGES["missing-failed"]
    placed = PlacedAnalysis(Analysis(example, "f", Settings()), 0)
    found = quick_fixes(EditorText(example), placed, Span(0, len(example)), Severity.ERROR)
    assert [each for each in found if each.finding.rule == "missing-failed"] == []


def test_the_comment_has_the_line_breaks_of_the_file() -> None:
    example = _PAGES["missing-failed"].replace("\n", "\r\n")
    placed = PlacedAnalysis(Analysis(example, "f", Settings()), 0)
    found = list(quick_fixes(EditorText(example), placed, Span(0, len(example)), Severity.INFO))
    assert all(each.edits[0].text.endswith("\r\n") for each in found if _suppresses(each))
