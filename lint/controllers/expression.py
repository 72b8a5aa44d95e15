"""A CEL expression in the words of `fluxcd/pkg/runtime/cel` (v0.110), which Flux's family shares.

Flux puts its own words before those of cel-go, both where it refuses an
expression and where an evaluation fails.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from celvet import schemas
from celvet.lint import cel
from celvet.lint.cel.syntax.refusal import refused
from celvet.lint.controllers.judge import Program
from celvet.lint.controllers.unstructured import text_or
from celvet.lint.controllers.verdict import Cause, Verdict
from celvet.lint.model import Path, Value

if TYPE_CHECKING:
    from celvet.lint.cel import Compiled, Outcome


def program_at(value: Value, path: Path, role: str, dialect: str) -> Program | None:
    """The text at a key of an object, compiled; None where there is none."""
    text = text_or("", value, role)
    if not text:
        return None
    known = schemas.load().dialects[dialect]
    return Program((*path, role), role, cel.compile_expression(text, known))


def refusal(program: Program) -> str:
    """Why the controller refuses a text of CEL, empty where it accepts it.

    The last part, which cel-go says, is in our words.
    """
    compiled = cast("Compiled", program.compiled)
    if not compiled.refusals:
        return ""
    first = compiled.refusals[0]
    if first.stage == "type":
        expected = compiled.dialect.result
        words = "CEL expression output type mismatch"
        return f"{words}: expected {expected}, got {compiled.result_type}"
    reason = first.message.removesuffix(refused(""))
    if first.stage == "program":
        return f"failed to create CEL program: {reason}"
    return f"failed to parse the CEL expression '{compiled.text}': {reason}"


def terminal(error: str, path: Path) -> Verdict:
    """The verdict of an error that Flux does not retry, caused by the text at a path."""
    message = f"Reconciliation failed terminally due to configuration error: {error}"
    return Verdict(
        status="Stalled", reason="InvalidCELExpression", message=message, cause=Cause(path)
    )


def truth(program: Program, variables: Value) -> tuple[bool, str]:
    """Whether a text of CEL holds, and the error if it cannot be told; never raises."""
    outcome = cast("Compiled", program.compiled).evaluate(top_level(variables))
    if isinstance(outcome.value, bool) and not outcome.error:
        return outcome.value, ""
    return False, _error(program.compiled.text, outcome)


def top_level(obj: Value) -> dict[str, Value]:
    """The fields of an object as variables; none of what is no object."""
    return obj if isinstance(obj, dict) else {}


def _error(text: str, outcome: Outcome) -> str:
    if not outcome.analysed:
        return outcome.error
    if outcome.error:
        return f"failed to evaluate the CEL expression '{text}': {outcome.error}"
    return f"{outcome.boolean().error}: '{text}'"
