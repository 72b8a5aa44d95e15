"""The evaluators of a ResourceSet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta

from celvet.lint.checks import CheckedObject
from celvet.lint.controllers.flux_operator.builtin import GROUP, RESOURCE_SET
from celvet.lint.controllers.flux_operator.dependency import ResourceSetDependency
from celvet.lint.controllers.flux_operator.reference import Reference
from celvet.lint.controllers.flux_operator.wait import ResourceSetWait
from celvet.lint.go.durations import duration
from celvet.lint.model import Value
from celvet.lint.verdicts.evaluator import Evaluator
from celvet.lint.verdicts.flux_cel import refusal, terminal
from celvet.lint.verdicts.unstructured import FieldTypeError, elements, field, kind_of, text_or
from celvet.lint.verdicts.verdict import Verdict

GROUPS = frozenset({GROUP})
"""The API group of the declarations."""

_TIMEOUT = f"{GROUP}/reconcileTimeout"


def evaluators(checked: CheckedObject) -> tuple[Evaluator, ...]:
    """One for each dependency and each step with a wait; without steps, one for all if it waits."""
    if kind_of(checked.value) != RESOURCE_SET:
        return ()
    found = [*_dependencies(checked, None)]
    stalls = _stalled(found)
    if stalls:
        found = [*_dependencies(checked, stalls)]
    return (*found, *_waits(checked.value, stalls))


def _dependencies(
    checked: CheckedObject, stalls: Verdict | None
) -> Iterator[ResourceSetDependency]:
    for check in checked.doing("dependency"):
        ready = _true(check.value, "ready")
        yield ResourceSetDependency(
            path=check.path,
            reference=Reference.of(check.value),
            placed=checked.scope_of(check) == "Namespaced",
            ready=ready,
            expression=next(iter(check.cel), None) if ready else None,
            declaration=checked.value,
            stalled=stalls,
            dialect=check.dialect,
        )


def _stalled(found: Sequence[ResourceSetDependency]) -> Verdict | None:
    """The verdict on everything where one expression is refused: nothing is reconciled."""
    for dependency in found:
        error = refusal(dependency.expression) if dependency.expression else ""
        if dependency.expression and error:
            words = f"failed to parse expression for dependency {dependency.reference.text}"
            return terminal(f"{words}: {error}", dependency.expression.path)
    return None


def _waits(declaration: Value, stalls: Verdict | None) -> Iterator[ResourceSetWait]:
    """Between steps there is always a wait, after the last only if the ResourceSet asks for it."""
    steps = elements(declaration, "spec", "steps")
    timeout = _timeout(declaration)
    last = _true(declaration, "spec", "wait")
    for index, step in enumerate(steps):
        if last or index + 1 < len(steps):
            own = duration(text_or("", step, "timeout"))
            name = text_or("", step, "name")
            path = ("spec", "steps", index)
            yield ResourceSetWait(path, name, timeout if own is None else own, stalls)
    if last and not steps:
        yield ResourceSetWait((), "", timeout, stalls)


def _timeout(declaration: Value) -> timedelta:
    """Of the annotation, else five minutes."""
    given = duration(text_or("", declaration, "metadata", "annotations", _TIMEOUT))
    return timedelta(minutes=5) if given is None else given


def _true(value: Value, *path: str) -> bool:
    try:
        return field(value, *path) is True
    except FieldTypeError:
        return False
