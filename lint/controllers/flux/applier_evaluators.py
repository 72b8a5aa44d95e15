"""The evaluators of a Kustomization or HelmRelease.

The condition of an entry of `dependsOn` is `Ready` of the declaring object: True unless this
dependency blocks it, as in `checkDependencies` of kustomize-controller v1.9.5 and helm-controller
v1.6.4.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta

from celvet.lint.checks import AnyExpression, CelExpression, Check, CheckedObject, TypedCopies
from celvet.lint.controllers.flux.health import Assessment, FluxWait, HealthEvaluator
from celvet.lint.controllers.flux.kinds import CONTROLLERS, FluxController
from celvet.lint.model import GroupKind, Path, Value
from celvet.lint.values import group_kind_of, list_at
from celvet.lint.verdicts.evaluator import BaseEvaluator, ClusterState, Evaluator
from celvet.lint.verdicts.flux_cel import refusal, terminal_verdict, truth
from celvet.lint.verdicts.unstructured import integer_or, names, text_or
from celvet.lint.verdicts.verdict import CauseText, Verdict
from celvet.record import record, replace

_LEAST = timedelta(seconds=30)
"""How long Flux waits for a Kustomization without an interval."""

_COMPILED = ("current", "failed", "inProgress")
"""Roles in the order in which Flux compiles them, which is not that of evaluation."""

_ADDITIVE = "AdditiveCELDependencyCheck"
"""The feature gate, as a key of the settings, that adds a `readyExpr` to the built-in test."""


def evaluators(checked: CheckedObject) -> tuple[Evaluator, ...]:
    """An evaluator for each health check, one for all other objects, one for each dependency."""
    declaration = checked.value
    controller = CONTROLLERS.get(group_kind_of(declaration))
    if controller is None:
        return ()
    checks = checked.doing("health-check")
    entries = tuple(check for check in checks if isinstance(check.value, dict))
    assessment = Assessment(
        entries=entries,
        waiting=checked.waiting,
        stall_verdict=next(_refusals(entries), None),
        timing=replace(checked.timing, timeout=checked.timing.timeout or _LEAST),
        controller=controller,
        jobs_first=controller.jobs_first(declaration),
        jobs_end=controller.jobs_end(declaration),
    )
    health_checks = (HealthEvaluator(assessment, entry) for entry in entries)
    dependencies = _dependencies(checked, controller, assessment.stall_verdict)
    return (*health_checks, FluxWait(assessment), *dependencies)


def _dependencies(
    checked: CheckedObject, controller: FluxController, stall_verdict: Verdict | None
) -> Iterator[_FluxDependency]:
    owner_namespace = text_or("", checked.value, "metadata", "namespace")
    for check in checked.doing("dependency"):
        yield _FluxDependency(
            path=check.path,
            group_kind=group_kind_of(checked.value),
            namespace=text_or("", check.value, "namespace") or owner_namespace,
            name=text_or("", check.value, "name"),
            expression=next(iter(check.cel), None),
            copies=check.copies,
            declaration=checked.value,
            controller=controller,
            stall_verdict=stall_verdict,
        )


def _refusals(entries: Sequence[Check]) -> Iterator[Verdict]:
    """The verdicts on everything if Flux refuses an entry: it does not reconcile the object.

    Mirrors `NewStatusReader` and `NewStatusEvaluator` of `fluxcd/pkg/runtime/cel` (v0.110).
    """
    kinds: set[GroupKind] = set()
    for entry in entries:
        place, kind = f"healthchecks[{entry.path[-1]}]", entry.named
        if kind in kinds:
            words = f"duplicate custom health check for GroupKind {kind}"
            yield terminal_verdict(f"{words} at {place}", entry.path)
        kinds.add(kind)
        for error, path in _errors(entry):
            words = f"failed to create custom status evaluator for {place}"
            yield terminal_verdict(f"{words}: {error}", path)


def _errors(entry: Check) -> Iterator[tuple[str, Path]]:
    """The errors in the expressions of an entry, each with its path."""
    if "current" not in entry:
        yield "expression Current not specified", entry.path
    for role in _COMPILED:
        for expression in entry.cel:
            if expression.role == role and (error := refusal(expression)):
                name = role[0].upper() + role[1:]
                yield f"failed to parse the expression {name}: {error}", expression.path


@record
class _FluxDependency(BaseEvaluator):
    """Evaluates one dependency by its `readyExpr`, or by its condition `Ready`.

    `stall_verdict` is the verdict if Flux stalls before it checks dependencies. The settings are
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
    stall_verdict: Verdict | None

    @property
    def title(self) -> str:
        """The dependency, by its namespace and name."""
        return f"dependency {self._key}"

    @property
    def expressions(self) -> Sequence[AnyExpression]:
        """The `readyExpr`, if there is one."""
        return (self.expression,) if self.expression else ()

    @property
    def statuses(self) -> Sequence[str]:
        """The statuses of `Ready`; if the `readyExpr` is refused, True is none of them."""
        if self.stall_verdict:
            return ("Stalled",)
        return ("False", "Stalled") if self._refusal else ("True", "False")

    def applies(self, obj: Value) -> bool:
        """Whether this is the dependency; without a namespace, any namespace matches."""
        return names(obj, self.group_kind, self.namespace, self.name)

    def variables(self, cluster: ClusterState) -> Mapping[str, Value]:
        """`self`, the owner, and `dep`, each as the controller's Go type has it."""
        return self.copies.of({"self": self._owner(cluster), "dep": self._dependency(cluster)})

    def evaluate(self, cluster: ClusterState) -> Verdict:
        """Whether the dependency is ready; None and no object mean that it is missing."""
        if self.stall_verdict:
            return self.stall_verdict
        if self._dependency(cluster) is None:
            error = f'{self.controller.resource} "{self.name}" not found'
            message = self.controller.not_found_message
            return _waiting_verdict(message.format(key=self._key, error=error))
        verdict = self._by_expression(cluster)
        if verdict or (self.expression and not cluster.settings.get(_ADDITIVE)):
            return verdict or Verdict(status="True", cause=self._cause)
        return self._built_in(cluster)

    def _by_expression(self, cluster: ClusterState) -> Verdict | None:
        """The verdict of a `readyExpr` that does not hold."""
        if self.expression is None:
            return None
        if self._refusal:
            words = f"failed to evaluate dependency {self.name}: {self._refusal}"
            return terminal_verdict(f"terminal error: {words}", self.expression.path)
        true, error = truth(self.expression, self.variables(cluster))
        if true:
            return None
        words = f"dependency '{self._key}' is not ready according to readyExpr eval"
        return _waiting_verdict(error or words, error, self._cause)

    def _built_in(self, cluster: ClusterState) -> Verdict:
        owner, dependency = self._owner(cluster), self._dependency(cluster)
        if not _is_ready(dependency):
            return _waiting_verdict(f"dependency '{self._key}' is not ready")
        if _revision_is_old(owner, dependency, cluster.settings.get("revision")):
            return _waiting_verdict(f"dependency '{self._key}' revision is not up to date")
        return Verdict(status="True")

    def _dependency(self, cluster: ClusterState) -> Value:
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
    def _cause(self) -> CauseText | None:
        return CauseText(self.expression.path) if self.expression else None


def _waiting_verdict(message: str, error: str = "", cause: CauseText | None = None) -> Verdict:
    reason = "DependencyNotReady"
    return Verdict(status="False", reason=reason, message=message, error=error, cause=cause)


def _is_ready(obj: Value) -> bool:
    """Whether the condition `Ready` is True, and the generation observed."""
    generation = integer_or(0, obj, "metadata", "generation")
    observed_generation = integer_or(0, obj, "status", "observedGeneration")
    conditions = list_at(obj, ("status", "conditions"))
    ready_condition = next(
        (item for item in conditions if text_or("", item, "type") == "Ready"), None
    )
    return generation == observed_generation and text_or("", ready_condition, "status") == "True"


def _revision_is_old(owner: Value, obj: Value, revision: Value) -> bool:
    """Whether a Kustomization of the same source has not applied its revision yet.

    A HelmRelease has no such field. Without a revision nothing is known.
    """
    if not revision or _source(owner) != _source(obj):
        return False
    return bool(text_or("", obj, "status", "lastAppliedRevision") != revision)


def _source(obj: Value) -> tuple[str, str, str]:
    kind, name = (text_or("", obj, "spec", "sourceRef", key) for key in ("kind", "name"))
    owner_namespace = text_or("", obj, "metadata", "namespace")
    return kind, name, text_or("", obj, "spec", "sourceRef", "namespace") or owner_namespace
