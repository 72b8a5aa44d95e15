"""The evaluators of a ResourceSet, and of a FluxInstance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import ClassVar

from celvet.lint.checks import AnyExpression, CheckedObject
from celvet.lint.checks.timing import Timing
from celvet.lint.controllers.flux_operator.builtin import FLUX_INSTANCE, GROUP, RESOURCE_SET, read
from celvet.lint.controllers.flux_operator.dependency import ResourceSetDependency
from celvet.lint.controllers.flux_operator.reference import Reference
from celvet.lint.go.durations import duration
from celvet.lint.model import GroupKind, Path, Value
from celvet.lint.values import get, group_kind_of, list_at
from celvet.lint.verdicts.evaluator import BaseEvaluator, ClusterState, Evaluator
from celvet.lint.verdicts.flux_cel import refusal, terminal_verdict
from celvet.lint.verdicts.unstructured import FieldTypeError, field, text_or
from celvet.lint.verdicts.verdict import Verdict
from celvet.lint.verdicts.wait_result import name_of, wait_verdict
from celvet.record import record, replace

GROUPS = frozenset({GROUP})
"""The API group of the declarations."""

_TIMEOUT = f"{GROUP}/reconcileTimeout"
_LOOK = timedelta(seconds=5)
"""How often the operator checks the objects; fixed in its code."""


def evaluators(checked: CheckedObject) -> tuple[Evaluator, ...]:
    """One for each dependency and each step with a wait; without steps, one for all if it waits."""
    if group_kind_of(checked.value) == FLUX_INSTANCE:  # which waits unless it says `wait: false`
        waits = get(checked.value, ("spec", "wait")) is not False
        return (_ResourceSetWait((), "", _timeout(checked.value), None),) if waits else ()
    if group_kind_of(checked.value) != RESOURCE_SET:
        return ()
    dependencies = [*_dependencies(checked, None)]
    stall_verdict = _stall_verdict(dependencies)
    if stall_verdict:
        dependencies = [*_dependencies(checked, stall_verdict)]
    return (*dependencies, *_waits(checked, stall_verdict))


def _dependencies(
    checked: CheckedObject, stall_verdict: Verdict | None
) -> Iterator[ResourceSetDependency]:
    for check in checked.doing("dependency"):
        ready = _is_true(check.value, "ready")
        yield ResourceSetDependency(
            path=check.path,
            reference=Reference.of(check.value),
            is_namespaced=checked.scope_of(*check.objects) == "Namespaced",
            ready=ready,
            expression=next(iter(check.cel), None) if ready else None,
            declaration=checked.value,
            stall_verdict=stall_verdict,
            dialect=check.dialect,
        )


def _stall_verdict(dependencies: Sequence[ResourceSetDependency]) -> Verdict | None:
    """The verdict on everything if one expression is refused: nothing is reconciled."""
    for dependency in dependencies:
        error = refusal(dependency.expression) if dependency.expression else ""
        if dependency.expression and error:
            words = f"failed to parse expression for dependency {dependency.reference.text}"
            return terminal_verdict(f"{words}: {error}", dependency.expression.path)
    return None


def _waits(checked: CheckedObject, stall_verdict: Verdict | None) -> Iterator[_ResourceSetWait]:
    """Between steps there is always a wait, after the last one only if the ResourceSet says so."""
    declaration, steps = checked.value, checked.doing("step")
    timeout = _timeout(declaration)
    waits_at_end = _is_true(declaration, "spec", "wait")
    for index, step in enumerate(steps):
        if waits_at_end or index + 1 < len(steps):
            step_timeout = duration(text_or("", step.value, "timeout"))
            name = text_or("", step.value, "name")
            yield _ResourceSetWait(
                step.path, name, timeout if step_timeout is None else step_timeout, stall_verdict
            )
    if waits_at_end and not steps:
        yield _ResourceSetWait((), "", timeout, stall_verdict)


def _timeout(declaration: Value) -> timedelta:
    """The timeout that the annotation gives, else five minutes."""
    timeout = duration(text_or("", declaration, "metadata", "annotations", _TIMEOUT))
    return timedelta(minutes=5) if timeout is None else timeout


def _is_true(value: Value, *path: str) -> bool:
    try:
        return field(value, *path) is True
    except FieldTypeError:
        return False


@record
class _ResourceSetWait(BaseEvaluator):
    """Evaluates the objects of one step; `step` is empty for a ResourceSet without steps."""

    builtin: ClassVar[str] = "kstatus"

    path: Path
    step: str
    timeout: timedelta
    stall_verdict: Verdict | None

    group_kind: GroupKind | None = None
    expressions: Sequence[AnyExpression] = ()

    @property
    def timing(self) -> Timing:
        """A failed wait is retried after a time that grows, so no retry is given."""
        return Timing(look=_LOOK, timeout=self.timeout)

    @property
    def title(self) -> str:
        """The step, or all."""
        return f"step {self.step}" if self.step else "health of all objects"

    @property
    def statuses(self) -> Sequence[str]:
        """The statuses of kstatus."""
        if self.stall_verdict:
            return ("Stalled",)
        return ("Current", "InProgress", "Failed", "Terminating", "Unknown", "NotFound")

    def evaluate(self, cluster: ClusterState) -> Verdict:
        """The verdict on a single object, or on the wait for several."""
        if self.stall_verdict:
            return self.stall_verdict
        objects = cluster.objects or (None,)
        verdicts = [read(obj, cluster.now) for obj in objects]
        over = cluster.waited >= self.timeout
        verdict, error = wait_verdict(objects, verdicts, over=over)
        if not error:
            return verdict
        message = self._failure(error, objects)
        return replace(verdict, reason="ReconciliationFailed", message=message)

    def _failure(self, error: str, objects: Sequence[Value]) -> str:
        """The operator's message, with the `Ready` messages of Flux' objects."""
        where = f'step "{self.step}" health check failed: ' if self.step else ""
        lines = [f"reconciliation failed: {where}{error}"]
        lines += [line for obj in objects for line in _not_ready_messages(obj)]
        return "\n".join(lines)


def _not_ready_messages(obj: Value) -> list[str]:
    """The messages of the conditions `Ready` that are not true, of an object of Flux."""
    if not group_kind_of(obj).group.endswith(".fluxcd.io"):
        return []
    return [
        f"{name_of(obj)} status: {text_or('', condition, 'message')}"
        for condition in list_at(obj, ("status", "conditions"))
        if text_or("", condition, "type") == "Ready" and text_or("", condition, "status") != "True"
    ]
