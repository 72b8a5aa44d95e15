"""Errors of parsing and evaluating a path."""

from __future__ import annotations

from typing import Literal, TypeAlias

from celvet.lint.model import Span

PathErrorCause: TypeAlias = Literal[
    "computed",
    "empty-path",
    "invalid-index",
    "invalid-label",
    "invalid-number",
    "invalid-quote",
    "invalid-selector",
    "invalid-wait",
    "nested-braces",
    "repeated-descent",
    "too-large",
    "unclosed-action",
    "unclosed-filter",
    "unexpected-character",
    "unterminated-array",
    "unterminated-filter",
    "unterminated-quote",
]
"""Why a path is refused, as a closed set.

`too-large` is celvet's limit, not client-go's; what is `computed` is known only when it is used.
"""

_PLAIN: dict[PathErrorCause, str] = {
    "computed": "the text is computed when it is used",
    "empty-path": "the path is empty",
    "invalid-index": "the brackets hold neither an index, a slice nor a quoted key",
    "invalid-label": "no label may have this",
    "invalid-number": "the number cannot be read",
    "invalid-quote": "the quoted text has an escape that does not exist",
    "invalid-selector": "the condition is no label selector",
    "invalid-wait": "the wait cannot be read",
    "nested-braces": "the path has braces inside, or only one of its two",
    "repeated-descent": "`..` appears twice in a row",
    "too-large": "the path is too large to be analysed",
    "unclosed-action": "a brace is not closed",
    "unclosed-filter": "a filter is not closed with `)]`",
    "unexpected-character": "an unexpected character",
    "unterminated-array": "a bracket is not closed",
    "unterminated-filter": "a filter is not closed",
    "unterminated-quote": "a quote is not closed",
}


class JSONPathError(ValueError):
    """A text that client-go's parser refuses.

    `wording` is client-go's own message (`pkg/util/jsonpath/parser.go`), `span` the wrong part, in
    code points of the parsed text.
    """

    def __init__(self, cause: PathErrorCause, wording: str, span: Span) -> None:
        super().__init__(cause, wording, span)
        self.cause: PathErrorCause = cause
        self.wording = wording
        self.span = span

    @property
    def message(self) -> str:
        """The cause in plain words, then client-go's message."""
        return f"{_PLAIN[self.cause]} ({self.wording})"

    def __str__(self) -> str:
        return self.message


class EvaluationError(Exception):
    """A path fails on a value; the message is client-go's."""


class LimitExceededError(EvaluationError):
    """An evaluation or a printed text exceeds our limits; client-go has none."""
