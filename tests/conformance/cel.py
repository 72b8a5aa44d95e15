"""Answers the vectors of CEL: `parse`, `eval`, `compile` and `evalready`."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from celvet.lint.cel import Compiled, compile_expression
from celvet.schemas import Dialect, load
from tests.conformance.answer import NOT_ANALYSED, Answer, Mode, Vector, cel_go


@lru_cache
def _dialect(name: str, cel_go: str) -> Dialect:
    return load().dialects[name].at(cel_go)


def _compiled(vector: Vector, dialect: str) -> tuple[Compiled, Answer]:
    compiled = compile_expression(vector["expr"], _dialect(dialect, cel_go(vector)))
    if not compiled.refusals:
        return compiled, Answer(True) if compiled.analysed else Answer(False, message=NOT_ANALYSED)
    first = compiled.refusals[0]
    before = compiled.text[: first.span.start]
    column = len(before) - before.rfind("\n")
    # Of an empty text cel-go says column 0.
    at = before.count("\n") + 1, column if compiled.text else 0
    return compiled, Answer(ok=False, message=first.message, at=at)


def _accepted(dialect: str) -> Mode:
    return lambda vector, _: _compiled(vector, dialect)[1]


def _evaluated(dialect: str) -> Mode:
    def answer(vector: Vector, subject: Any) -> Answer:
        compiled, accepted = _compiled(vector, dialect)
        if not accepted.ok:
            return accepted
        outcome = compiled.evaluate(subject).boolean()
        if not outcome.analysed:
            return Answer(ok=False, message=NOT_ANALYSED)
        return Answer(ok=not outcome.error, result=outcome.value, message=outcome.error)

    return answer


MODES: dict[str, Mode] = {
    "parse": _accepted("flux-health"),
    "eval": _evaluated("flux-health"),
    "compile": _accepted("flux-ready"),
    "evalready": _evaluated("flux-ready"),
}
"""Mode -> how it is answered."""
