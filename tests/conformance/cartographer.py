"""Answers the vectors of Cartographer's health rules: valid or not, and the condition."""

from __future__ import annotations

from typing import Any

from celvet.lint.controllers import cartographer
from tests.conformance.answer import Answer, Mode, Vector


def _cartorule(vector: Vector, subject: Any) -> Answer:
    refusal = cartographer.validate(vector["rule"])
    if refusal:
        return Answer(ok=False, message=refusal)
    verdict = cartographer.health(vector["rule"], subject)
    extra = {"reason": verdict.reason, "message": verdict.message}
    return Answer(ok=True, result=verdict.status, extra=extra)


MODES: dict[str, Mode] = {"cartorule": _cartorule}
