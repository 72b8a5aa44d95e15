"""Answers the vectors of Gardener's health package: healthy or not, and why not."""

from __future__ import annotations

from typing import Any

from celvet.lint.controllers import gardener
from tests.conformance.answer import Answer, Mode, Vector

_RESULTS = {"True": "healthy", "False": "unhealthy"}


def _gardener(_: Vector, subject: Any) -> Answer:
    verdict = gardener.check(subject)
    result = _RESULTS.get(verdict.status)
    return Answer(ok=not verdict.error, result=result, extra={"message": verdict.message})


MODES: dict[str, Mode] = {"gardener": _gardener}
