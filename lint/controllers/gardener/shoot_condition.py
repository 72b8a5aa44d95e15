"""The evaluator of a ManagedResource for the condition of the Shoot that it counts for.

Mirrors `CheckManagedResource` of `pkg/utils/kubernetes/health/checker` of
Gardener (v1.149).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from celvet.lint.checks import AnyExpression
from celvet.lint.controllers.gardener.examples import of_shoot
from celvet.lint.controllers.gardener.objects import GardenerCondition, condition
from celvet.lint.controllers.gardener.steps import managed_generation
from celvet.lint.go.durations import duration, show_duration
from celvet.lint.model import GroupKind, Path, Value
from celvet.lint.values import ABSENT, group_kind_of
from celvet.lint.verdicts.evaluator import BaseEvaluator, ClusterState
from celvet.lint.verdicts.examples import Example
from celvet.lint.verdicts.unstructured import (
    FieldTypeError,
    field,
    names,
    optional_text,
    text_or,
    timestamp,
)
from celvet.lint.verdicts.verdict import Verdict
from celvet.record import record

_SYSTEM_COMPONENTS = "SystemComponentsHealthy"
_CONTROL_PLANE = "ControlPlaneHealthy"
_OBSERVABILITY = "ObservabilityComponentsHealthy"

LABEL = "care.gardener.cloud/condition-type"

_APPLIED, _PROGRESSING = "ResourcesApplied", "ResourcesProgressing"
_CHECKED = (_APPLIED, "ResourcesHealthy", _PROGRESSING)


def counted_conditions(managed_resource: Value) -> tuple[str, ...]:
    """The condition types of the Shoot that a ManagedResource counts for.

    Gardener evaluates each condition separately. So a resource without a class counts for two if
    its label names the observability components, and one with a class counts for none if its label
    names no Shoot condition. Raises `FieldTypeError` for a ManagedResource that does not decode.
    """
    classless = field(managed_resource, "spec", "class") in (None, ABSENT)
    label = optional_text(managed_resource, "metadata", "labels", LABEL)
    memberships = {
        _SYSTEM_COMPONENTS: classless or label == _SYSTEM_COMPONENTS,
        _CONTROL_PLANE: not classless and label in ("", _CONTROL_PLANE),
        _OBSERVABILITY: label == _OBSERVABILITY,
    }
    return tuple(kind for kind, yes in memberships.items() if yes)


@record
class ShootCondition(BaseEvaluator):
    """Evaluates a ManagedResource for the condition of the Shoot that it counts for.

    The setting `progressingThreshold` (such as `20m`) is how long it may be progressing. The
    thresholds of the Shoot's own conditions are ignored.
    """

    path: Path
    condition_type: str
    declaration: Value

    expressions: Sequence[AnyExpression] = ()
    statuses: Sequence[str] = ("True", "False", "Unknown")

    @property
    def title(self) -> str:
        """The type of the condition that it counts for."""
        return f"{self.condition_type} of the Shoot"

    @property
    def group_kind(self) -> GroupKind:
        """ManagedResource, which is itself the object under check."""
        return group_kind_of(self.declaration)

    def applies(self, obj: Value) -> bool:
        """Whether the object is the ManagedResource."""
        namespace, name = (
            text_or("", self.declaration, "metadata", key) for key in ("namespace", "name")
        )
        return names(obj, self.group_kind, namespace, name)

    def examples(self, declaration: Value) -> Iterator[Example]:
        """The ManagedResource itself."""
        return of_shoot(declaration)

    def evaluate(self, cluster: ClusterState) -> Verdict:
        """False for the first of its conditions that is wrong."""
        threshold = duration(text_or("", {**cluster.settings}, "progressingThreshold"))
        try:
            obj = cluster.covered(self.applies)[0]
            return _problem(obj, cluster.now, threshold) or Verdict(status="True")
        except FieldTypeError as error:
            return Verdict(status="Unknown", error=str(error))


def _problem(obj: Value, now: datetime, threshold: timedelta | None) -> Verdict | None:
    """The reason why a ManagedResource is not healthy; raises `FieldTypeError`."""
    problem = managed_generation(obj)
    if problem:
        apply_condition = condition(obj, _APPLIED)
        if apply_condition and (apply_condition.status, apply_condition.reason) == (
            "False",
            "ApplyFailed",
        ):
            return _failed(apply_condition.reason, apply_condition.message)
        words = problem.replace(_key(obj), f"'{_key(obj)}'", 1)
        return _failed("OutdatedStatus", words)
    return next(_failures(obj, now, threshold), None)


def _failures(obj: Value, now: datetime, threshold: timedelta | None) -> Iterator[Verdict]:
    name = text_or("", obj, "metadata", "name")
    conditions = {kind: condition(obj, kind) for kind in _CHECKED}
    for kind, item in conditions.items():
        if item is None or _good(kind, item, now, threshold):
            continue
        if kind == _PROGRESSING and threshold is not None:
            message = f"ManagedResource {name} is progressing for more than {_text(threshold)}"
            yield _failed("ProgressingRolloutStuck", message)
        yield _failed(item.reason, item.message)
    missing = " ".join(kind for kind, item in conditions.items() if item is None)
    if missing:
        words = f"ManagedResource {name} is missing the following condition(s), [{missing}]"
        yield _failed("MissingManagedResourceCondition", words)


def _good(kind: str, item: GardenerCondition, now: datetime, threshold: timedelta | None) -> bool:
    """Whether a condition is right; progress may last as long as the threshold."""
    if kind != _PROGRESSING:
        return item.status not in ("False", "Unknown")
    if item.status not in ("True", "Unknown"):
        return True
    since = timestamp(text_or("", item.value, "lastTransitionTime"))
    return threshold is not None and since is not None and now - since < threshold


def _failed(reason: str, message: str) -> Verdict:
    return Verdict(status="False", reason=reason, message=message)


def _key(obj: Value) -> str:
    return "/".join(text_or("", obj, "metadata", part) for part in ("namespace", "name"))


def _text(span: timedelta) -> str:
    """A duration as Go prints it, to the second: `1h0m0s`."""
    return show_duration(int(span.total_seconds()) * 10**9)
