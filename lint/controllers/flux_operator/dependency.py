"""The evaluator of one entry of a ResourceSet's `dependsOn`.

Mirrors `buildDependencyExpressions` and `checkDependencies` of flux-operator v0.59.0
(`internal/controller/resourceset_controller.go`). The condition is the ResourceSet's `Ready`: True
unless this dependency blocks it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import reduce

from celvet.lint.checks import AnyExpression, CelExpression
from celvet.lint.controllers import kstatus
from celvet.lint.controllers.flux_operator.builtin import ready_check
from celvet.lint.controllers.flux_operator.reference import Reference
from celvet.lint.model import GroupKind, Path, Value
from celvet.lint.values import drop
from celvet.lint.verdicts.evaluator import BaseEvaluator, ClusterState
from celvet.lint.verdicts.flux_cel import truth
from celvet.lint.verdicts.unstructured import names, text_or
from celvet.lint.verdicts.verdict import CauseText, Verdict
from celvet.record import record
from celvet.schemas import Dialect

_OWN = ("ResourceSet", "ResourceSetInputProvider")
"""Kinds that the operator evaluates by its own expression, in whatever group."""

_NO_NAMESPACE = "an empty namespace may not be set when a resource name is provided"
"""client-go's error for a namespaced object that is requested without a namespace."""


@record
class ResourceSetDependency(BaseEvaluator):
    """Evaluates one dependency: that it exists and, with `ready`, that it is ready.

    `is_namespaced` says that its kind is known to be namespaced. `expression` is the `readyExpr`,
    None without `ready`, because it is then not used. `stall_verdict` is the verdict if any of the
    expressions is refused.
    """

    path: Path
    reference: Reference
    is_namespaced: bool
    ready: bool
    expression: CelExpression | None
    declaration: Value
    stall_verdict: Verdict | None
    dialect: Dialect | None

    @property
    def title(self) -> str:
        """The dependency's kind and key."""
        return f"dependency {self.reference.key}"

    @property
    def group_kind(self) -> GroupKind:
        """The kind of the dependency."""
        return self.reference.group_kind

    @property
    def expressions(self) -> Sequence[AnyExpression]:
        """The `readyExpr`, if it is used."""
        return (self.expression,) if self.expression else ()

    @property
    def statuses(self) -> Sequence[str]:
        """The statuses of `Ready`; only Stalled if an expression is refused."""
        return ("Stalled",) if self.stall_verdict else ("True", "False")

    def applies(self, obj: Value) -> bool:
        """Whether this is the dependency; without a namespace, any namespace matches."""
        return names(obj, self.group_kind, self.reference.namespace, self.reference.name)

    def variables(self, cluster: ClusterState) -> Mapping[str, Value]:
        """The dependency's top-level fields, without what the operator hides."""
        owner = self.declaration if cluster.owner is None else cluster.owner
        owner_namespace = text_or("", owner, "metadata", "namespace")
        obj = self._object(cluster)
        other_namespace = self.reference.namespace != owner_namespace
        kind = (self.reference.api_version, self.reference.kind)
        hidden_fields = (
            self.dialect.hidden_fields(*kind, elsewhere=other_namespace) if self.dialect else ()
        )
        visible_object = reduce(drop, (hidden_field.path for hidden_field in hidden_fields), obj)
        return visible_object if isinstance(visible_object, dict) else {}

    def evaluate(self, cluster: ClusterState) -> Verdict:
        """Whether the dependency is ready; None and no object mean that it is missing."""
        if self.stall_verdict:
            return self.stall_verdict
        if self._object(cluster) is None:
            nowhere = self._asks_nowhere(cluster)
            error = _NO_NAMESPACE if nowhere else self.reference.not_found_message
            return _waiting_verdict(f"{self._words} not found: {error}")
        variables = self.variables(cluster)
        if not self.ready:
            return Verdict(status="True")
        if self.expression:
            return self._by_expression(self.expression, variables)
        if self.reference.kind in _OWN:
            return self._by_condition(variables)
        return self._by_kstatus(variables, cluster.now)

    def _object(self, cluster: ClusterState) -> Value:
        return None if self._asks_nowhere(cluster) else cluster.covered(self.applies)[0]

    def _asks_nowhere(self, cluster: ClusterState) -> bool:
        """Whether the entry has no namespace for an object that is in one."""
        obj = cluster.covered(self.applies)[0]
        is_namespaced = self.is_namespaced or text_or("", obj, "metadata", "namespace")
        return bool(is_namespaced and not self.reference.namespace)

    @property
    def _words(self) -> str:
        return f"dependency {self.reference.text}"

    def _by_expression(self, expression: CelExpression, variables: Value) -> Verdict:
        true, error = truth(expression, variables)
        cause = CauseText(expression.path)
        if true:
            return Verdict(status="True", cause=cause)
        words = f"{self._words} not ready: expression '{expression.program.text}'"
        return _waiting_verdict(error or words, error, cause)

    def _by_condition(self, variables: Value) -> Verdict:
        true, error = truth(ready_check().cel[0], variables)
        return (
            Verdict(status="True")
            if true
            else _waiting_verdict(error or f"{self._words} not ready", error)
        )

    def _by_kstatus(self, obj: Value, now: datetime) -> Verdict:
        verdict = kstatus.compute(obj, now)
        if verdict.status == "Current":
            return Verdict(status="True")
        why = verdict.error or f"status {verdict.status}"
        return _waiting_verdict(f"{self._words} not ready: {why}", verdict.error)


def _waiting_verdict(message: str, error: str = "", cause: CauseText | None = None) -> Verdict:
    retry = f"Retrying dependency check: {message}"
    return Verdict(
        status="False", reason="DependencyNotReady", message=retry, error=error, cause=cause
    )
