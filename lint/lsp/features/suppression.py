"""The edit by which a user says that a finding is known and wanted."""

from __future__ import annotations

from functools import cache

from celvet.lint.locate.edits import Edit
from celvet.lint.lsp.state.analysis import Placed
from celvet.lint.lsp.state.positions import Text
from celvet.lint.model import Finding, Span, Where
from celvet.lint.rules import rules

REASON = "reason"
"""Stands where the user has to write why."""


@cache
def about_suppressions() -> frozenset[str]:
    """The rules that report suppressions of no use; such a one is removed, not suppressed."""
    return frozenset(rule.id for rule in rules() if rule.judges_suppressions)


def suppression(text: Text, placed: Placed, finding: Finding) -> Edit:
    """A comment above the line on which what the finding is about begins.

    A line that begins inside of a text cannot have one above it, so that of a
    finding inside of an expression it is the line of the expression's key.
    """
    start = text.line_start(_beginning(placed, finding.where))
    line = text.text[start:]
    indent = line[: len(line) - len(line.lstrip(" "))]
    newline = "\r\n" if "\r\n" in text.text else "\n"
    comment = f"{indent}# celvet: ignore[{finding.rule}] {REASON}{newline}"
    return Edit(Span(start, start), comment)


def _beginning(placed: Placed, where: Where) -> int:
    """Where the entry begins that the innermost readable place is in."""
    if where.source is not None:
        return placed.extent(where).start
    document = placed.part.manifest.document(where.document)
    key = document.key_at(where.path) if document else None
    if key is not None:
        return placed.start + key.start
    return placed.extent(Where(where.document, where.path)).start
