"""The wait of a ResourceSet for the objects of a step."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import ClassVar

from celvet.lint.checks import AnyExpression
from celvet.lint.checks.timing import Timing
from celvet.lint.controllers.flux_operator.builtin import read
from celvet.lint.model import GroupKind, Path, Value
from celvet.lint.verdicts.evaluator import BaseEvaluator, ClusterState
from celvet.lint.verdicts.unstructured import elements, kind_of, text_or
from celvet.lint.verdicts.verdict import Verdict
from celvet.lint.verdicts.wait_result import name_of, observed
from celvet.record import record, replace

_LOOK = timedelta(seconds=5)
"""How often the operator looks at the objects; in its code, not in the ResourceSet."""


@record
class ResourceSetWait(BaseEvaluator):
    """Evaluates the objects of one step; `step` is empty for a ResourceSet without steps."""

    builtin: ClassVar[str] = "kstatus"

    path: Path
    step: str
    timeout: timedelta
    stalled: Verdict | None

    group_kind: GroupKind | None = None
    expressions: Sequence[AnyExpression] = ()

    @property
    def timing(self) -> Timing:
        """A failed wait is tried again after a time that grows, so nothing is said of it."""
        return Timing(look=_LOOK, timeout=self.timeout)

    @property
    def title(self) -> str:
        """The step, or all."""
        return f"step {self.step}" if self.step else "health of all objects"

    @property
    def statuses(self) -> Sequence[str]:
        """The statuses of kstatus."""
        if self.stalled:
            return ("Stalled",)
        return ("Current", "InProgress", "Failed", "Terminating", "Unknown", "NotFound")

    def applies(self, _: Value) -> bool:
        """Applies to any object: the objects of a step are known only after rendering."""
        return True

    def evaluate(self, cluster: ClusterState) -> Verdict:
        """The verdict on a single object, or on the wait for several."""
        if self.stalled:
            return self.stalled
        objects = cluster.objects or (None,)
        verdicts = [read(obj, cluster.now) for obj in objects]
        over = cluster.waited >= self.timeout
        verdict, error = observed(objects, verdicts, over=over)
        if not error:
            return verdict
        message = self._failure(error, objects)
        return replace(verdict, reason="ReconciliationFailed", message=message)

    def _failure(self, error: str, objects: Sequence[Value]) -> str:
        """The operator's message, with the `Ready` messages of Flux' objects."""
        where = f'step "{self.step}" health check failed: ' if self.step else ""
        lines = [f"reconciliation failed: {where}{error}"]
        lines += [line for obj in objects for line in _not_ready(obj)]
        return "\n".join(lines)


def _not_ready(obj: Value) -> list[str]:
    """The messages of the conditions `Ready` that are not true, of an object of Flux."""
    if not kind_of(obj).group.endswith(".fluxcd.io"):
        return []
    return [
        f"{name_of(obj)} status: {text_or('', condition, 'message')}"
        for condition in elements(obj, "status", "conditions")
        if text_or("", condition, "type") == "Ready" and text_or("", condition, "status") != "True"
    ]
