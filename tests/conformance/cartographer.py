"""Answers the vectors of Cartographer's health rules: valid or not, and the condition."""

from __future__ import annotations

from typing import Any

from celvet.lint.controllers import cartographer
from celvet.schemas import load
from tests.conformance.answer import Answer, Mode, Vector


def _cartorule(vector: Vector, subject: Any) -> Answer:
    dialect = load().dialects["cartographer"]
    refusal = cartographer.validate(vector["rule"], dialect)
    if refusal:
        return Answer(ok=False, message=refusal)
    verdict = cartographer.health(vector["rule"], subject, dialect)
    extra = {"reason": verdict.reason, "message": verdict.message}
    return Answer(ok=True, result=verdict.status, extra=extra)


MODES: dict[str, Mode] = {"cartorule": _cartorule}
