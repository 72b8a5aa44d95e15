"""While a file is edited, each version is linted as if it were the first."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from celvet.lint.engine import FileResult
from celvet.lint.engine.incremental import IncrementalCache
from celvet.lint.locate.edits import Edit, edited
from celvet.lint.lsp.state.analysis import Analysis
from celvet.lint.model import Span
from tests.lsp.manifests import CERTIFICATE, HEAD, ISSUER, with_crd
from tests.properties import examples

_START = HEAD + ISSUER + CERTIFICATE + ISSUER.replace("Issuer", "Other")
_SETTINGS = with_crd()
_TYPED = st.sampled_from(
    [
        "",
        "x",
        "'",
        " && status.phase == 'Left'",
        "\n",
        "# celvet: ignore[premature-failed] wanted\n",
        ISSUER,
        CERTIFICATE,
        "      failed: status.phase == 'Down'\n",
    ]
)
_LINES = _START.count("\n")


@st.composite
def _edits(draw: st.DrawFn) -> tuple[int, int, int, str]:
    """A line, whether to edit its beginning or end, how many characters to remove, new text."""
    at_end, removed = draw(st.sampled_from([(0, 0), (1, 0), (1, 1), (1, 3), (0, 40)]))
    return draw(st.integers(8, _LINES)), at_end, removed, draw(_TYPED)


def _after(text: str, line: int, at_end: int, removed: int, typed: str) -> str:
    lines = text.splitlines(keepends=True)
    at = sum(map(len, lines[:line]))
    if at_end and line < len(lines):
        at += len(lines[line].rstrip("\n"))
    start = max(0, at - removed) if at_end else at
    return edited(text, [Edit(Span(start, at if at_end else at + removed), typed)])


def _said(result: FileResult) -> tuple[object, ...]:
    findings = sorted(map(repr, result.findings))
    return findings, result.crashes, result.counts, result.unknown_kinds, result.notes


@examples(80)
@given(st.lists(_edits(), min_size=1, max_size=6))
def test_every_text_on_the_way(edits: list[tuple[int, int, int, str]]) -> None:
    cache, text = IncrementalCache(), _START
    Analysis(text, "f", _SETTINGS, cache)
    for edit in edits:
        text = _after(text, *edit)
        part = Analysis(text, "f", _SETTINGS, cache)
        assert _said(part.result) == _said(Analysis(text, "f", _SETTINGS).result)
