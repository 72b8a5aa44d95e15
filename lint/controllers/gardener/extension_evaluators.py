"""The evaluators of an extension and of a ManagedResource."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from celvet.lint.checks import AnyExpression, CheckedObject
from celvet.lint.controllers.gardener.aggregation import documented_success
from celvet.lint.controllers.gardener.checks import CheckResult, check_named
from celvet.lint.controllers.gardener.examples import of_extension, of_resources
from celvet.lint.controllers.gardener.extension import examine
from celvet.lint.controllers.gardener.health import check
from celvet.lint.controllers.gardener.shoot_condition import (
    LABEL,
    ShootCondition,
    counted_conditions,
)
from celvet.lint.go.durations import duration
from celvet.lint.go.quoting import quote
from celvet.lint.model import GroupKind, Path, Value
from celvet.lint.values import get, group_kind_of, list_at, mapping_at
from celvet.lint.verdicts.evaluator import BaseEvaluator, ClusterState, Evaluator
from celvet.lint.verdicts.examples import Example
from celvet.lint.verdicts.unstructured import FieldTypeError, names, text_or
from celvet.lint.verdicts.verdict import Verdict
from celvet.record import record, replace

_EXTENSIONS, _RESOURCES = "extensions.gardener.cloud", "resources.gardener.cloud"
_MANAGED = GroupKind(_RESOURCES, "ManagedResource")

GROUPS = frozenset({_EXTENSIONS, _RESOURCES})
"""The API groups of the declarations."""


def evaluators(checked: CheckedObject) -> tuple[Evaluator, ...]:
    """The evaluator of an extension, or those of a ManagedResource's objects and conditions."""
    declaration = checked.value
    kind = group_kind_of(declaration)
    if kind == _MANAGED:
        return _of_managed_resource(checked)
    return (_ExtensionEvaluator(declaration),) if kind.group == _EXTENSIONS else ()


def _of_managed_resource(checked: CheckedObject) -> tuple[Evaluator, ...]:
    declaration = checked.value
    try:
        types = counted_conditions(declaration)
    except FieldTypeError:
        types = ()
    shoots = (ShootCondition(_path(checked, name), name, declaration) for name in types)
    return (_ResourcesHealthy(declaration), *shoots)


def _path(checked: CheckedObject, name: str) -> Path:
    """The path that makes the ManagedResource count for a condition."""
    for labels in checked.doing("shoot-label"):
        if text_or("", labels.value, LABEL) == name:
            return (*labels.path, LABEL)
    return next((check.path for check in checked.doing("shoot-condition")), ())


@record
class _ResourcesHealthy(BaseEvaluator):
    """Evaluates the objects of a ManagedResource: its own condition `ResourcesHealthy`.

    The objects that the owner's status lists must be among the given ones. Mirrors
    `pkg/resourcemanager/controller/health/health` of Gardener (v1.149), without the events that it
    adds to a message.
    """

    declaration: Value

    path: Path = ()
    title: str = "ResourcesHealthy"
    group_kind: GroupKind | None = None
    expressions: Sequence[AnyExpression] = ()
    statuses: Sequence[str] = ("True", "False")

    def examples(self, declaration: Value) -> Iterator[Example]:
        """A Deployment that is applied."""
        return of_resources(declaration)

    def evaluate(self, cluster: ClusterState) -> Verdict:
        """True if all exist and are healthy, else the problem of the first."""
        owner = self.declaration if cluster.owner is None else cluster.owner
        verdicts = (*_missing(owner, cluster.objects), *map(_unhealthy, cluster.objects))
        healthy = Verdict(
            status="True", reason="ResourcesHealthy", message="All resources are healthy."
        )
        return next(filter(None, verdicts), healthy)


def _missing(owner: Value, objects: Sequence[Value]) -> Iterator[Verdict]:
    for reference in list_at(owner, ("status", "resources")):
        kind = group_kind_of(reference)
        namespace, name = (text_or("", reference, key) for key in ("namespace", "name"))
        if not any(names(obj, kind, namespace, name) for obj in objects):
            place = f"{quote(name)} in namespace {quote(namespace)}"
            message = f"Required {kind.kind} {place} is missing"
            yield Verdict(status="False", reason=f"{kind.kind}Missing", message=message)


def _unhealthy(obj: Value) -> Verdict | None:
    verdict = check(obj)
    if verdict.status == "True":
        return None
    kind = group_kind_of(obj).kind
    key = "/".join(text_or("", obj, "metadata", part) for part in ("namespace", "name"))
    words = f"{kind} {quote(key)}"
    if verdict.error:
        message = f"Error executing health check for {words}: {verdict.error}"
        reason = "HealthCheckError"
        return Verdict(status="False", reason=reason, message=message, error=verdict.error)
    message = f"{words} is unhealthy: {verdict.message}"
    return Verdict(status="False", reason=f"{kind}Unhealthy", message=message)


@record
class _ExtensionEvaluator(BaseEvaluator):
    """Evaluates the objects of an extension: one condition, by the checks registered for it.

    A registration is Go code, so it comes as settings:

        registrations   name of a check -> the condition type that it counts for
        results         name of a check -> what it returns, for your own checks
        conditionType   the condition to evaluate, if several types are registered
        shoot           the Shoot that the extension belongs to
        messages        `documented` for the success message as in the documentation

    A check without a result is one of Gardener's own, named `Kind/name` or `Kind/namespace/name`
    after its object. A result has `status`, `detail`, `threshold` (such as `5m`) and `error`.
    """

    declaration: Value

    path: Path = ()
    group_kind: GroupKind | None = None
    expressions: Sequence[AnyExpression] = ()
    statuses: Sequence[str] = ("True", "False", "Progressing", "Unknown")

    @property
    def title(self) -> str:
        """The kind of the extension."""
        return f"health of the {text_or('extension', self.declaration, 'kind')}"

    def examples(self, declaration: Value) -> Iterator[Example]:
        """A registered check of a Deployment, and results of a check."""
        return of_extension(declaration)

    def evaluate(self, cluster: ClusterState) -> Verdict:
        """The condition; its time comes from `previous`, else from the status of the owner."""
        registrations = _texts(cluster.settings.get("registrations"))
        types = list(dict.fromkeys(registrations.values()))
        condition_type = cluster.settings.get("conditionType") or (
            types[0] if len(types) == 1 else ""
        )
        if condition_type not in types:
            return _undecided(types)
        # Of several registered types, each has a condition of its own.
        names = [name for name, kind in registrations.items() if kind == condition_type]
        results = [self._result(name, cluster) for name in names]
        extension = self.declaration if cluster.owner is None else cluster.owner
        verdict = examine(extension, condition_type, results, cluster)
        if verdict is None:
            message = "not checked, because the extension is being deleted or migrated"
            return cluster.previous or Verdict(status="Unknown", message=message)
        if _documented(verdict, cluster):
            return replace(verdict, message=documented_success(results))
        return verdict

    def _result(self, name: str, cluster: ClusterState) -> CheckResult:
        result = get(cluster.settings, ("results", name))
        if isinstance(result, dict):
            return CheckResult(
                status=text_or("", result, "status"),
                detail=text_or("", result, "detail"),
                threshold=duration(text_or("", result, "threshold")),
                error=text_or("", result, "error"),
            )
        kind, _, key = name.partition("/")
        namespace, slash, object_name = key.rpartition("/")
        namespace = namespace if slash else text_or("", self.declaration, "metadata", "namespace")
        return check_named(kind, namespace, object_name, cluster.objects)


def _texts(value: Value) -> dict[str, str]:
    return {name: kind for name, kind in mapping_at(value).items() if isinstance(kind, str)}


def _undecided(types: Sequence[str]) -> Verdict:
    message = (
        f"`conditionType` chooses none of {', '.join(types)}" if types else "no check is registered"
    )
    return Verdict(status="Unknown", message=message)


def _documented(verdict: Verdict, cluster: ClusterState) -> bool:
    is_success = verdict.message == "All health checks successful"
    return is_success and cluster.settings.get("messages") == "documented"
