"""Answers the vectors of Flux Operator's builder: the steps and objects of a ResourceSet."""

from __future__ import annotations

from typing import Any

from celvet.lint.resourceset import BuildError, InputSetError, build, combine
from tests.conformance.answer import Answer, Mode, Vector


def _steps(_: Vector, subject: Any) -> Answer:
    try:
        steps = build(subject, combine(subject))
    except (BuildError, InputSetError) as error:
        return Answer(ok=False, message=str(error))
    result = [
        ({"name": step.name} if step.name else {})
        | {"objects": [built.value for built in step.objects]}
        for step in steps
    ]
    return Answer(ok=True, result=result)


MODES: dict[str, Mode] = {"rset": _steps}
