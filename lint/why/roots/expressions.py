"""The root for an object that an expression judges: its smallest part that decides."""

from __future__ import annotations

from collections.abc import Mapping

from celvet.lint.cel.trace.decision import Decision, decision
from celvet.lint.checks import AnyExpression, CelExpression, CheckedObject
from celvet.lint.engine import Settings
from celvet.lint.graph.faults import failure_reasons
from celvet.lint.model import GroupKind, Path, Span, Value, field_path
from celvet.lint.safe_text import one_line
from celvet.lint.values import object_ref_of
from celvet.lint.verdicts.flux_cel import top_level
from celvet.lint.verdicts.verdict import Verdict
from celvet.lint.why.live_waiter import LiveWaiter
from celvet.lint.why.names import title
from celvet.lint.why.outlook.rules import OutlookRule
from celvet.lint.why.report import Root
from celvet.lint.why.roots.state import condition_fields, ending_of
from celvet.schemas import Catalog

_SECRET = GroupKind("", "Secret")
_WIDTH = 120
_HIDDEN = "(hidden)"
_MOST_TEXT = 500


def covering_expression(
    waiter: LiveWaiter, obj: Mapping[str, Value], verdict: Verdict
) -> CelExpression | None:
    """The expression that holds up an object; None if kstatus does.

    Without a decisive one, the object waits for the expression of the verdict `Current`.
    """
    if verdict.cause:
        return _expression_at(waiter, verdict.cause.path)
    for check in waiter.checked.doing("health-check"):
        evaluator = next((item for item in waiter.evaluators if item.path == check.path), None)
        if evaluator and evaluator.applies(obj):
            role = check.answering("Current")
            expression = next((item for item in check.cel if item.role == role), None)
            return expression if expression and not _is_true(expression, obj) else None
    return None


def health_root(waiter: LiveWaiter, obj: Mapping[str, Value], expression: CelExpression) -> Root:
    """The root that an object is because of an expression of a health check."""
    choice = decide(expression, top_level(dict(obj)))
    reference = object_ref_of(obj)
    ending = ending_of(waiter, obj)
    words = sentence(choice, reference.group_kind)
    finding = foretold(waiter.checked, expression, waiter.catalog)
    return Root(
        reference,
        "expression",
        f"{title(reference)}: {words}{ending.clause(words)}",
        OutlookRule.NEVER_TRUE if finding else ending.rule,
        field=field_path(expression.path),
        holder=waiter.reference,
        expression=choice.expression,
        observed=visible({**dict(condition_fields(obj)), **choice.observed}, reference.group_kind),
        evidence=ending.evidence,
        finding=finding,
    )


def decide(expression: CelExpression, variables: Mapping[str, Value]) -> Decision:
    """What decides an expression on some variables; all of a text that is no expression."""
    program = expression.program
    if program.tree is None:
        span = Span(0, len(program.text))
        return Decision(program.text, span, program.evaluate(variables), ())
    return decision(program.trace(variables), dict(variables))


def foretold(checked: CheckedObject, expression: AnyExpression, catalog: Catalog) -> str:
    """The finding of `celvet lint` that an expression never succeeds; empty if there is none."""
    settings = Settings(schemas=tuple(catalog.directories))
    reasons = failure_reasons(checked, settings)
    return next((text for path, text in reasons.items() if _begins(expression.path, path)), "")


def reads_status(decided: Decision, *, variable: str = "") -> bool:
    """Whether a decision reads the status, of a variable or of the object itself."""
    start = (variable, "status") if variable else ("status",)
    return any(_begins(reading.keys, start) for reading in decided.readings)


def sentence(decided: Decision, kind: GroupKind) -> str:
    """The decision in words; of a Secret without the values."""
    if kind == _SECRET:
        return f"`{one_line(decided.expression, _WIDTH)}` decides, on values that are not shown"
    return decided.sentence()


def visible(observed: Mapping[str, Value], kind: GroupKind) -> dict[str, Value]:
    """The values that may be shown: none of a Secret, and no text without an end."""
    if kind == _SECRET:
        return dict.fromkeys(observed, _HIDDEN)
    return {path: _bounded(value) for path, value in observed.items()}


def _bounded(value: Value) -> Value:
    if isinstance(value, str):
        return value if len(value) <= _MOST_TEXT else f"{value[:_MOST_TEXT]}..."
    if isinstance(value, (list, dict)) and len(str(value)[: 2 * _MOST_TEXT]) > _MOST_TEXT:
        return f"({'a list' if isinstance(value, list) else 'an object'} of {len(value)})"
    return value


def _expression_at(waiter: LiveWaiter, path: Path) -> CelExpression | None:
    return next((item for item in waiter.checked.cel if item.path == path), None)


def _is_true(expression: CelExpression, obj: Mapping[str, Value]) -> bool:
    return expression.program.evaluate(top_level(dict(obj))).value is True


def _begins(path: Path, start: Path) -> bool:
    return path[: len(start)] == start
