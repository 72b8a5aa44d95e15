"""Why a controller refuses an expression, before it is ever evaluated."""

from __future__ import annotations

from typing import Literal, TypeAlias

from celvet.lint.model import Span
from celvet.record import record

RefusalStage: TypeAlias = Literal["parse", "check", "program", "type"]
"""The check that refuses; see `Cause`."""

RefusalCause: TypeAlias = Literal[
    "syntax",
    "too-long",
    "too-deep",
    "backtick",
    "has-argument",
    "macro-argument",
    "unknown-variable",
    "unknown-function",
    "unknown-message",
    "no-overload",
    "no-field",
    "type-mismatch",
    "mixed-literal",
    "format-string",
    "bad-conversion",
    "bad-regex",
    "bad-index",
    "result-type",
]
"""The kind of error; rules select refusals by it."""


@record
class Refusal:
    """One reason for which the controller refuses an expression.

    `message` is in the style of a finding; `hint` is an imperative sentence or
    empty. `span` is in code points; for a syntax error it begins where cel-go
    reports it. `name` is the name that is wrong, if there is one.
    """

    stage: RefusalStage
    cause: RefusalCause
    message: str
    span: Span
    hint: str = ""
    name: str = ""

    @property
    def reason(self) -> str:
        """The message without the controller's reaction."""
        return self.message.removesuffix(refusal_message(""))


def refusal_message(reason: str) -> str:
    """The message of a refusal: the reason, and the controller's reaction."""
    return f"{reason}, so the controller refuses the expression"
