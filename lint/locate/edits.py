"""Edits of a file's text, which leave the rest unchanged."""

from __future__ import annotations

from collections.abc import Iterable

from celvet.lint.model import Span
from celvet.record import record


@record
class FileEdit:
    """A range of a file's text and its replacement."""

    span: Span
    text: str


def apply_edits(text: str, edits: Iterable[FileEdit]) -> str:
    """The text with all edits made; if two overlap, the wider one counts, or else the first."""
    parts, end = [], 0
    for edit in sorted(edits, key=lambda edit: (edit.span.start, -edit.span.end)):
        if edit.span.start >= end:
            parts += [text[end : edit.span.start], edit.text]
            end = edit.span.end
    return "".join([*parts, text[end:]])
