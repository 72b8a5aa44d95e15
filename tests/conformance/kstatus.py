"""Answers the vectors of kstatus: the status and message of one object."""

from __future__ import annotations

from typing import Any

from celvet.lint.controllers import kstatus
from tests.conformance.answer import Answer, Mode, Vector


def _kstatus(_: Vector, subject: Any) -> Answer:
    verdict = kstatus.compute(subject)
    extra = {"message": verdict.message, "error": verdict.error}
    return Answer(ok=not verdict.error, result=verdict.status, extra=extra)


MODES: dict[str, Mode] = {"kstatus": _kstatus}
