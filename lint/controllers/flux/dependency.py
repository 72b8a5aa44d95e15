"""The evaluator of one entry of `dependsOn`.

Mirrors `checkDependencies` of kustomize-controller v1.9.5 and of
helm-controller v1.6.4. The condition is `Ready` of the declaring object: True
unless this dependency blocks it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from celvet.lint.checks import AnyExpression, CelExpression, TypedCopies
from celvet.lint.controllers.flux.kinds import FluxController
from celvet.lint.model import GroupKind, Path, Value
from celvet.lint.verdicts.evaluator import BaseEvaluator, ClusterState
from celvet.lint.verdicts.flux_cel import refusal, terminal, truth
from celvet.lint.verdicts.unstructured import elements, integer_or, names, text_or
from celvet.lint.verdicts.verdict import Cause, Verdict
from celvet.record import record

ADDITIVE = "AdditiveCELDependencyCheck"
"""The feature gate, as a key of the settings, that adds a `readyExpr` to the built-in test."""

_READY = Verdict(status="True")


@record
class FluxDependency(BaseEvaluator):
    """Evaluates one dependency by its `readyExpr`, or by its condition `Ready`.

    `stalled` is the verdict if Flux stalls before it checks dependencies. The settings are
    `AdditiveCELDependencyCheck`, and `revision`, the present revision of the source, for a
    dependency with the same source.
    """

    path: Path
    group_kind: GroupKind
    namespace: str
    name: str
    expression: CelExpression | None
    copies: TypedCopies
    declaration: Value
    controller: FluxController
    stalled: Verdict | None

    @property
    def title(self) -> str:
        """The dependency's key."""
        return f"dependency {self._key}"

    @property
    def expressions(self) -> Sequence[AnyExpression]:
        """The `readyExpr`, if there is one."""
        return (self.expression,) if self.expression else ()

    @property
    def statuses(self) -> Sequence[str]:
        """Without True if the `readyExpr` is refused."""
        if self.stalled:
            return ("Stalled",)
        return ("False", "Stalled") if self._refusal else ("True", "False")

    def applies(self, obj: Value) -> bool:
        """Whether this is the dependency; without a namespace, any namespace matches."""
        return names(obj, self.group_kind, self.namespace, self.name)

    def variables(self, cluster: ClusterState) -> Mapping[str, Value]:
        """`self`, the owner, and `dep`, each as the controller's Go type has it."""
        return self.copies.of({"self": self._owner(cluster), "dep": self._found(cluster)})

    def evaluate(self, cluster: ClusterState) -> Verdict:
        """Whether the dependency is ready; None and no object mean that it is missing."""
        if self.stalled:
            return self.stalled
        if self._found(cluster) is None:
            error = f'{self.controller.resource} "{self.name}" not found'
            return _waits(self.controller.not_found.format(key=self._key, error=error))
        refused = self._by_expression(cluster)
        if refused or (self.expression and not cluster.settings.get(ADDITIVE)):
            return refused or Verdict(status="True", cause=self._cause)
        return self._built_in(cluster)

    def _by_expression(self, cluster: ClusterState) -> Verdict | None:
        """The verdict of a `readyExpr` that does not hold."""
        if self.expression is None:
            return None
        if self._refusal:
            words = f"failed to evaluate dependency {self.name}: {self._refusal}"
            return terminal(f"terminal error: {words}", self.expression.path)
        true, error = truth(self.expression, self.variables(cluster))
        if true:
            return None
        words = f"dependency '{self._key}' is not ready according to readyExpr eval"
        return _waits(error or words, error, self._cause)

    def _built_in(self, cluster: ClusterState) -> Verdict:
        owner, found = self._owner(cluster), self._found(cluster)
        if not _ready(found):
            return _waits(f"dependency '{self._key}' is not ready")
        if _revision_is_old(owner, found, cluster.settings.get("revision")):
            return _waits(f"dependency '{self._key}' revision is not up to date")
        return _READY

    def _found(self, cluster: ClusterState) -> Value:
        return cluster.covered(self.applies)[0]

    def _owner(self, cluster: ClusterState) -> Value:
        return self.declaration if cluster.owner is None else cluster.owner

    @property
    def _key(self) -> str:
        return f"{self.namespace}/{self.name}"

    @property
    def _refusal(self) -> str:
        return refusal(self.expression) if self.expression else ""

    @property
    def _cause(self) -> Cause | None:
        return Cause(self.expression.path) if self.expression else None


def _waits(message: str, error: str = "", cause: Cause | None = None) -> Verdict:
    reason = "DependencyNotReady"
    return Verdict(status="False", reason=reason, message=message, error=error, cause=cause)


def _ready(obj: Value) -> bool:
    """Whether the condition `Ready` is True, and the generation observed."""
    generation = integer_or(0, obj, "metadata", "generation")
    observed = integer_or(0, obj, "status", "observedGeneration")
    conditions = elements(obj, "status", "conditions")
    found = next((item for item in conditions if text_or("", item, "type") == "Ready"), None)
    return generation == observed and text_or("", found, "status") == "True"


def _revision_is_old(owner: Value, obj: Value, revision: Value) -> bool:
    """Whether a Kustomization of the same source has not applied its revision yet.

    A HelmRelease has no such field. Without a revision nothing is known.
    """
    if not revision or _source(owner) != _source(obj):
        return False
    return bool(text_or("", obj, "status", "lastAppliedRevision") != revision)


def _source(obj: Value) -> tuple[str, str, str]:
    kind, name = (text_or("", obj, "spec", "sourceRef", key) for key in ("kind", "name"))
    own = text_or("", obj, "metadata", "namespace")
    return kind, name, text_or("", obj, "spec", "sourceRef", "namespace") or own
