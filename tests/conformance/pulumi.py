"""Answers the vectors of Pulumi: whether a path of `pulumi.com/waitFor` is met."""

from __future__ import annotations

from typing import Any

from celvet.lint.jsonpath import compile_path
from celvet.schemas import load
from tests.conformance.answer import Answer, Mode, Vector


def _wait(vector: Vector, subject: Any) -> Answer:
    path = compile_path(vector["expr"], load().dialects["pulumi-wait"])
    if path.refusal:
        return Answer(ok=False, message=path.refusal.message)
    result = path.read(subject)
    has_failed = result.state == "error"
    return Answer(ok=True, extra={"wait_failed": has_failed, "met": result.value is True})


MODES: dict[str, Mode] = {"pulumi-wait": _wait}
