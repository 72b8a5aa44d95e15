"""A CEL expression in the words of `fluxcd/pkg/runtime/cel` (v0.110), which Flux's family shares.

Flux puts its own words before those of cel-go, both for a refused expression and for a failed
evaluation.
"""

from __future__ import annotations

from celvet.lint.cel import Outcome
from celvet.lint.checks import CelExpression, Check, Outcomes, fold_roles
from celvet.lint.model import Path, Value
from celvet.lint.verdicts.verdict import CauseText, Verdict


def refusal(expression: CelExpression) -> str:
    """Why the controller refuses an expression, empty if it accepts it.

    The last part, which comes from cel-go, has celvet's wording.
    """
    program = expression.program
    if not program.refusals:
        return ""
    first_refusal = program.refusals[0]
    if first_refusal.stage == "type":
        wanted_type = program.dialect.result
        words = "CEL expression output type mismatch"
        return f"{words}: expected {wanted_type}, got {program.result_type}"
    reason = first_refusal.reason
    if first_refusal.stage == "program":
        return f"failed to create CEL program: {reason}"
    return f"failed to parse the CEL expression '{program.text}': {reason}"


def terminal_verdict(error: str, path: Path) -> Verdict:
    """The verdict for an error that Flux does not retry, caused by the text at a path."""
    message = f"Reconciliation failed terminally due to configuration error: {error}"
    return Verdict(
        status="Stalled", reason="InvalidCELExpression", message=message, cause=CauseText(path)
    )


def truth(expression: CelExpression, variables: Value) -> tuple[bool, str]:
    """Whether an expression holds, and the error if its evaluation fails; never raises."""
    outcome = expression.program.evaluate(top_level(variables))
    if isinstance(outcome.value, bool) and not outcome.error:
        return outcome.value, ""
    return False, _error(expression.program.text, outcome)


def evaluate(check: Check, obj: Value, variables: Value = None) -> Verdict:
    """The verdict on an object by the expressions of a check, as its dialect folds them.

    `variables` are what the expressions see, None for the object's top-level fields.
    """
    dialect = check.dialect
    if dialect is None:
        return Verdict(status="")
    variables_seen = top_level(obj if variables is None else variables)
    outcomes = Outcomes(check.programs, variables_seen, check.sequences)
    status, role = fold_roles(dialect, outcomes, obj)
    if not role:
        return Verdict(status=status)
    error = outcomes[role].error and _error(check.programs[role].text, outcomes.plain(role))
    return Verdict(status=status, error=error, cause=CauseText(check.find(role)[0].path))


def top_level(obj: Value) -> dict[str, Value]:
    """The fields of an object as variables; none for any other value."""
    return obj if isinstance(obj, dict) else {}


def _error(text: str, outcome: Outcome) -> str:
    if not outcome.analysed:
        return outcome.error
    if outcome.error:
        return f"failed to evaluate the CEL expression '{text}': {outcome.error}"
    return f"{outcome.boolean().error}: '{text}'"
