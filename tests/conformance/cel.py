"""Answers the vectors of CEL: `parse`, `eval`, `compile` and `evalready`."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from celvet.lint.cel import Compiled, compile_expression
from celvet.record import replace
from celvet.schemas import Dialect, load
from tests.conformance.answer import NOT_ANALYSED, Answer, Mode, Vector, cel_go


@lru_cache
def _dialect(name: str, cel_go: str) -> Dialect:
    return load().dialects[name].at(cel_go)


_CEL_GO = (
    "bindings",
    "encoders",
    "lists",
    "optional",
    "strings",
    "strings@0",
    "two-var-comprehensions",
)


@lru_cache
def _gate_dialect(name: str) -> Dialect:
    """A dialect of another system whose object is `web`, in its own version of cel-go.

    Without what the Go program lacks: the libraries of Kubernetes and of kro, and that it wants a
    bool where it unwraps an expression, which the compiler does not say.
    """
    dialect = load().dialects[name]
    dialect = replace(dialect, libraries=tuple(filter(_CEL_GO.__contains__, dialect.libraries)))
    dialect = dialect.for_object({"resourceRefs": [{"ref": "web"}]}, {"id": "web"})
    if dialect.wrap == "none":
        return dialect
    return replace(dialect, wrap="none", result="", results=())


def _gate(vector: Vector, _: Any) -> Answer:
    return _compiled(vector, _gate_dialect(vector["dialect"]))[1]


def _compiled(vector: Vector, dialect: Dialect) -> tuple[Compiled, Answer]:
    compiled = compile_expression(vector["expr"], dialect)
    if not compiled.refusals:
        return compiled, Answer(True) if compiled.analysed else Answer(False, message=NOT_ANALYSED)
    first = compiled.refusals[0]
    before = compiled.text[: first.span.start]
    column = len(before) - before.rfind("\n")
    # Of an empty text cel-go says column 0.
    at = before.count("\n") + 1, column if compiled.text else 0
    return compiled, Answer(ok=False, message=first.message, at=at)


def _accepted(dialect: str) -> Mode:
    return lambda vector, _: _compiled(vector, _dialect(dialect, cel_go(vector)))[1]


def _evaluated(dialect: str) -> Mode:
    def answer(vector: Vector, subject: Any) -> Answer:
        compiled, accepted = _compiled(vector, _dialect(dialect, cel_go(vector)))
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
    "gate": _gate,
    "evalready": _evaluated("flux-ready"),
}
"""Mode -> how it is answered."""
