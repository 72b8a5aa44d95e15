"""The evaluator of the objects that a ManagedResource applies.

Mirrors `pkg/resourcemanager/controller/health/health` of Gardener (v1.149),
without the events that it adds to a message.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from celvet.lint.checks import AnyExpression
from celvet.lint.controllers.gardener.examples import of_resources
from celvet.lint.controllers.gardener.health import check
from celvet.lint.go.quoting import quote
from celvet.lint.model import GroupKind, Path, Value
from celvet.lint.verdicts.evaluator import BaseEvaluator, ClusterState
from celvet.lint.verdicts.examples import Example
from celvet.lint.verdicts.unstructured import elements, kind_of, names, text_or
from celvet.lint.verdicts.verdict import Verdict
from celvet.record import record


@record
class ResourcesHealthy(BaseEvaluator):
    """Evaluates the objects of a ManagedResource: its own condition `ResourcesHealthy`.

    What the status of the owner lists must be among the objects.
    """

    declaration: Value

    path: Path = ()
    title: str = "ResourcesHealthy"
    group_kind: GroupKind | None = None
    expressions: Sequence[AnyExpression] = ()
    statuses: Sequence[str] = ("True", "False")

    def applies(self, _: Value) -> bool:
        """Applies to any object: the applied objects are in Secrets."""
        return True

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
    for reference in elements(owner, "status", "resources"):
        kind = kind_of(reference)
        namespace, name = (text_or("", reference, key) for key in ("namespace", "name"))
        if not any(names(obj, kind, namespace, name) for obj in objects):
            place = f"{quote(name)} in namespace {quote(namespace)}"
            message = f"Required {kind.kind} {place} is missing"
            yield Verdict(status="False", reason=f"{kind.kind}Missing", message=message)


def _unhealthy(obj: Value) -> Verdict | None:
    verdict = check(obj)
    if verdict.status == "True":
        return None
    kind = kind_of(obj).kind
    key = "/".join(text_or("", obj, "metadata", part) for part in ("namespace", "name"))
    what = f"{kind} {quote(key)}"
    if verdict.error:
        message = f"Error executing health check for {what}: {verdict.error}"
        reason = "HealthCheckError"
        return Verdict(status="False", reason=reason, message=message, error=verdict.error)
    message = f"{what} is unhealthy: {verdict.message}"
    return Verdict(status="False", reason=f"{kind}Unhealthy", message=message)
