"""Errors of a template, with their place."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class SourceSpan(NamedTuple):
    """A stretch of the template's source, in code points: `start` is in it, `end` is not."""

    start: int
    end: int


class ErrorKind(StrEnum):
    """The stage at which a template fails."""

    SYNTAX = "syntax"
    """Go refuses to parse it."""
    EXECUTION = "execution"
    """Go stops while it executes it."""
    LIMIT = "limit"
    """It needs more than `Limits` allow. Go might go on for long, or crash."""
    UNSUPPORTED = "unsupported"
    """The text of the result differs from run to run, or this package lacks what it uses."""


class TemplateError(Exception):
    """A template that gives no text.

    `str()` is the text of Go's own error for the kinds `SYNTAX` and `EXECUTION`, and of the same
    form for the other two.

    Attributes:
        kind: the stage.
        reason: the text after the position: ``map has no entry for key "a"``.
        line: counted from 1, as Go counts it.
        column: counted from 1, in code points. Go names no column in a syntax error, and counts
            bytes from 0 in an execution error.
        span: what is wrong. For a syntax error, the token at which the parser gave up; for an
            execution error, the node that Go names after ``at``; for a field that is not there,
            the whole of `inputs.a.b`, of which Go names only ``inputs``.
        steps: how many steps the execution took until then.
    """

    def __init__(
        self, message: str, reason: str, kind: ErrorKind, source: str, span: SourceSpan
    ) -> None:
        super().__init__(message)
        self.steps = 0
        self.kind = kind
        self.reason = reason
        self.span = span
        self.line = source.count("\n", 0, span.start) + 1
        self.column = span.start - (source.rfind("\n", 0, span.start) + 1) + 1


class CallError(Exception):
    """A function returned an error or panicked; the text is Go's."""
