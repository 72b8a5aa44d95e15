"""Linting a file document by document gives the findings of `lint_text` for the whole."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from celvet.lint.engine import Settings, lint_text
from celvet.lint.lsp.state.analysis import (
    Analysis,
    PlacedAnalysis,
    chunks,
    concerns_others,
    index_at,
    with_definitions,
)
from celvet.lint.model import Finding, Severity, Span
from tests.lsp.manifests import CRD, HEAD, ISSUER
from tests.rules.every_case import every_case

_EXAMPLES = Path(__file__).parents[3] / "examples"
_FILES = sorted(path for path in _EXAMPLES.rglob("*.yaml") if path.stat().st_size < 20_000)
_SETTINGS = Settings()


def _whole(text: str) -> list[tuple[Span, str, str]]:
    return _said([PlacedAnalysis(Analysis(text, "f", _SETTINGS), 0)])


def _by_parts(text: str) -> list[tuple[Span, str, str]]:
    settings = with_definitions(_SETTINGS, tuple(filter(concerns_others, _texts(text))), ())
    return _said(
        [
            PlacedAnalysis(Analysis(text[span.start : span.end], "f", settings), span.start)
            for span in chunks(text)
        ]
    )


def _texts(text: str) -> list[str]:
    return [text[span.start : span.end] for span in chunks(text)]


def _said(parts: list[PlacedAnalysis]) -> list[tuple[Span, str, str]]:
    return sorted(
        (placed.extent(each.where), each.rule, each.message)
        for placed in parts
        for each in placed.analysis.result.findings
    )


@pytest.mark.parametrize("case", every_case())
def test_errors_alone_are_those_among_all(case: dict[str, Any]) -> None:
    def errors(settings: Settings) -> list[Finding]:
        found = lint_text(case["manifest"], "", settings).findings
        return [each for each in found if each.severity is Severity.ERROR]

    assert errors(replace(_SETTINGS, least=Severity.ERROR)) == errors(_SETTINGS)


@pytest.mark.parametrize("path", _FILES, ids=lambda path: str(path.relative_to(_EXAMPLES)))
def test_examples(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert _by_parts(text) == _whole(text)


@pytest.mark.parametrize(
    "text",
    [
        f"# one\n---\n{HEAD}{ISSUER}...\n# two\n---\n{HEAD}{ISSUER}",
        f"{HEAD}{ISSUER}---\n{HEAD}    - [\n---\n{HEAD}{ISSUER}",
        f"{HEAD}    # celvet: ignore[missing-failed] wanted\n{ISSUER}---\n{HEAD}{ISSUER}",
        f"{HEAD}{ISSUER}---\n{CRD}",
        f"{HEAD}    {{{{- toYaml .x }}}}\n---\n{HEAD}{ISSUER}",
        f"{HEAD}{ISSUER}".replace("\n", "\r\n"),
        "",
    ],
    ids=["comments", "broken", "ignored", "with its CRD", "template", "CR LF", "empty"],
)
def test_documents_that_touch_each_other(text: str) -> None:
    assert _by_parts(text) == _whole(text)


_MANY = f"{HEAD}{ISSUER}  x:\n" + 8_000 * "    - [1, 2, 3, 4, 5, 6, 7, 8]\n"
_EXPANDED = f"{HEAD}{ISSUER}  x: &x [{250 * '1, '}]\n  z: [{200 * '*x, '}]\n"


def test_the_budget_of_a_file_is_that_of_all_documents() -> None:
    text = "---\n".join(3 * [_EXPANDED])
    assert _by_parts(text) == _whole(text)
    assert {rule for _, rule, _ in _whole(text)} > {rule for _, rule, _ in _whole(_EXPANDED)}


def test_documents_that_may_hold_too_many_values_together_are_read_together() -> None:
    assert len(chunks(f"{_MANY}---\n{_MANY}")) == 1


def test_a_file_of_usual_size_is_read_by_documents() -> None:
    text = f"# cron: '*/5 * * * *'\n{HEAD}{ISSUER}---\n" * 200
    assert len(chunks(text)) > 200


def test_a_crd_in_the_file_is_known_to_its_other_documents() -> None:
    assert "crd-field" in {rule for _, rule, _ in _by_parts(f"{HEAD}{ISSUER}---\n{CRD}")}


def test_the_byte_order_mark_is_not_part_of_a_document() -> None:
    text = f"\ufeff{HEAD}{ISSUER}"
    ((span, _, _),) = _by_parts(text)
    assert text[span.start : span.end] == "current"


@pytest.mark.parametrize("quote", ["", "'", '"', ">-\n        ", "|\n        "])
def test_the_index_of_an_offset_in_an_expression(quote: str) -> None:
    expression = "status.conditions.exists(e, e.type == `x`)".replace(
        "`", "'" if quote != "'" else "''"
    )
    text = f"{HEAD}    - {{apiVersion: a.b/v1, kind: C}}\n    - apiVersion: a.b/v1\n      kind: D\n"
    text += f"      current: {quote}{expression}{quote if len(quote) == 1 else ''}\n"
    part = Analysis(text, "f", _SETTINGS)
    offset = text.index("exists")
    spot = part.spot_at(offset)
    assert spot is not None
    assert spot.index_in_text(offset) == spot.expression.program.text.index("exists")


def test_index_at() -> None:
    starts = [3, 3, 7, 9]
    assert [index_at(offset, 3, starts.__getitem__) for offset in (0, 3, 6, 7, 99)] == [
        0,
        1,
        1,
        2,
        3,
    ]
