"""What Flux reports for an object, with and without an entry."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

from celvet import schemas
from celvet.lint.cel import compile_expression
from celvet.lint.checks import Check, Expression
from celvet.lint.controllers.kstatus import read
from celvet.lint.verdicts.flux_cel import evaluate, truth

KINDS = schemas.BUILT_IN / "kinds"
"""The directory of the catalogue."""

_DIALECT = schemas.load().dialects["flux-health"]


def folded(entry: Mapping[str, str], obj: Mapping[str, Any]) -> tuple[str, str]:
    """The verdict of Flux on an object by an entry, and the error if there is one."""
    expressions = tuple(_expression(role, text) for role, text in entry.items())
    check = Check((), entry, "", ("", ""), _DIALECT, expressions)
    verdict = evaluate(check, dict(obj))
    return verdict.status, verdict.error


def holds(text: str, obj: Mapping[str, Any]) -> bool:
    """Whether an expression is true for an object; an error is not true."""
    return truth(_expression("failed", text), dict(obj))[0]


def refusals(text: str) -> list[str]:
    """Why Flux refuses an expression."""
    return [refusal.message for refusal in _expression("failed", text).program.refusals]


def by_kstatus(obj: Mapping[str, Any]) -> str:
    """The verdict of Flux on an object without an entry: kstatus, and its own rule for Jobs."""
    return read(dict(obj)).status


@functools.cache
def _expression(role: str, text: str) -> Any:
    return Expression((role,), role, compile_expression(text, _DIALECT))
