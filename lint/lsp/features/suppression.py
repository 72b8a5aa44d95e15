"""The edit that suppresses a finding by a comment."""

from __future__ import annotations

from celvet.lint.locate.edits import Edit
from celvet.lint.lsp.state.analysis import PlacedAnalysis
from celvet.lint.lsp.state.positions import EditorText
from celvet.lint.model import Finding, Span, Where

REASON = "reason"
"""A placeholder for the reason, which the user has to write."""


def suppression(text: EditorText, placed: PlacedAnalysis, finding: Finding) -> Edit:
    """A comment above the line on which the value with the finding begins.

    A comment cannot stand inside a block scalar, so for a finding inside an expression it goes
    above the expression's key.
    """
    start = text.line_start(_beginning(placed, finding.where))
    line = text.text[start:]
    indent = line[: len(line) - len(line.lstrip(" "))]
    newline = "\r\n" if "\r\n" in text.text else "\n"
    comment = f"{indent}# celvet: ignore[{finding.rule}] {REASON}{newline}"
    return Edit(Span(start, start), comment)


def _beginning(placed: PlacedAnalysis, where: Where) -> int:
    """Where the entry begins that the innermost readable place is in."""
    if where.source is not None:
        return placed.extent(where).start
    document = placed.analysis.manifest.document(where.document)
    key = document.key_at(where.path) if document else None
    if key is not None:
        return placed.start + key.start
    return placed.extent(Where(where.document, where.path)).start
