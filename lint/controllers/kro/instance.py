"""The evaluator of a whole definition: the state of an instance, among the objects of its graph."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from celvet.lint.checks import AnyExpression, Expression
from celvet.lint.controllers.kro.graph import ResourceGraph, ResourceNode, Term
from celvet.lint.controllers.kro.runtime import ERROR
from celvet.lint.controllers.kro.simple_schema import with_defaults
from celvet.lint.controllers.kro.walk import Run, StagedState
from celvet.lint.model import GroupKind, Path, Value
from celvet.lint.values import get, group_kind_of, mapping_at, object_ref_of, text_at
from celvet.lint.verdicts.evaluator import BaseEvaluator, ClusterState, Evaluator
from celvet.lint.verdicts.verdict import CauseText, Verdict
from celvet.record import record, replace

_GROUP = "kro.run"
"""The group of the instances where a definition names none."""


@record
class InstanceState(BaseEvaluator):
    """The state of an instance, by those of its resources.

    Without an instance, the only resource with conditions stands for the definition.
    """

    graph: ResourceGraph
    schema: Mapping[str, Value]
    nodes: Sequence[Evaluator]

    path: ClassVar[Path] = ()
    statuses: ClassVar[Sequence[str]] = (
        *("ACTIVE", "IN_PROGRESS", ERROR),
        *("SYNCED", "WAITING_FOR_READINESS"),
    )

    @property
    def title(self) -> str:
        """The kind of the instances."""
        return f"instances of {self._kind.kind}" if self._kind.kind else "its instances"

    @property
    def group_kind(self) -> GroupKind | None:
        """None: it looks at the instance together with its resources."""
        return None

    @property
    def expressions(self) -> Sequence[AnyExpression]:
        """The expressions that have one value for an instance, each by its place as the role."""
        return tuple(self._named_terms())

    def applies(self, obj: Value) -> bool:
        """Whether the object is an instance, or one of the only resource with conditions."""
        return self._is_instance(obj) or (len(self.nodes) == 1 and self.nodes[0].applies(obj))

    def prevails(self, cluster: ClusterState) -> bool:
        """Whether there is an instance."""
        return self._instance(cluster) is not None

    def variables(self, cluster: ClusterState) -> Mapping[str, Value]:
        """The instance and the resources, as they are after a reconciliation."""
        instance = self._instance(cluster)
        return self._walked(instance, cluster).variables if instance is not None else {}

    def evaluate(self, cluster: ClusterState) -> Verdict:
        """The state of the instance, with that of each resource in the message."""
        if self.graph.refusals:
            refusal = self.graph.refusals[0]
            words = f"the graph is refused: {refusal.message}"
            return Verdict(status=ERROR, error=words, cause=CauseText(refusal.path, refusal.span))
        instance = self._instance(cluster)
        if instance is None:
            # A test of a single resource need not have an instance around it.
            if len(self.nodes) == 1:
                return self.nodes[0].evaluate(cluster)
            return Verdict(status="IN_PROGRESS", message=f"there is no {self._kind.kind}")
        run = self._walked(instance, cluster)
        states = run.states()
        message = "; ".join(_words(name, state) for name, state in states.items())
        decisive = [state for state in states.values() if state.path]
        # An error explains more than a resource that is still waited for.
        cause = next((state for state in decisive if state.state == ERROR), None)
        cause = cause or next(iter(decisive), None)
        status = run.instance_state()
        error = cause.error if cause and status == ERROR else ""
        return Verdict(
            status=status,
            message=message,
            error=error,
            cause=CauseText(cause.path) if cause else None,
        )

    @property
    def _kind(self) -> GroupKind:
        group = text_at(self.schema, ("group",)) or _GROUP
        return GroupKind(group, text_at(self.schema, ("kind",)))

    def _instance(self, cluster: ClusterState) -> Value:
        instance = next(filter(self._is_instance, cluster.objects), None)
        return with_defaults(instance, self.graph.instance)

    def _is_instance(self, obj: Value) -> bool:
        return obj is not None and group_kind_of(obj) == self._kind

    def _walked(self, instance: Value, cluster: ClusterState) -> Run:
        def observe(node: ResourceNode, wanted: Sequence[Value]) -> Sequence[Value]:
            """The objects of a node; one without a namespace is in that of the node."""
            return [
                _placed(obj, item)
                for item in wanted
                for obj in cluster.objects
                if _is_same(obj, item, by_labels=node.collection)
            ]

        run = Run(self.graph, instance, observe)
        run.states()
        return run

    def _named_terms(self) -> Iterator[AnyExpression]:
        for node in self.graph.nodes:
            terms = [("includeWhen", term) for term in node.include]
            terms += [(f"forEach.{term.name}", term) for term in node.each]
            iterators = {name for _, name, _ in node.dimensions}
            # What reads an iterator has a value for each object.
            terms += [
                (".".join(map(str, term.part.path)), term)
                for term in node.template
                if term.part and not term.names & iterators
            ]
            # Those of a collection see one object of it each, and others a text for a time.
            ready = () if node.collection else node.ready
            terms += [("readyWhen", term) for term in ready if not term.failing_conversions]
            for field, term in terms:
                yield _expression(term, f"{node.id}.{field}")
        for term in self.graph.status:
            if term.part:
                yield _expression(term, ".".join(map(str, ("status", *term.part.path))))


def _expression(term: Term, role: str) -> AnyExpression:
    return Expression(term.path, role, term.runnable, offset=term.offset)


def _words(name: str, state: StagedState) -> str:
    stage = "" if state.stage == "readyWhen" else f"{state.stage}: "
    return f"{name}: {state.state}" + (f" ({stage}{state.error})" if state.error else "")


def _placed(obj: Value, wanted: Value) -> Value:
    metadata, wanted_metadata = (mapping_at(item, ("metadata",)) for item in (obj, wanted))
    if metadata.get("namespace") or not wanted_metadata.get("namespace"):
        return obj
    namespace = {"namespace": wanted_metadata["namespace"]}
    return {**mapping_at(obj, ()), "metadata": {**metadata, **namespace}}


def _is_same(obj: Value, wanted: Value, *, by_labels: bool) -> bool:
    """Whether an object is the one that a resource wants, or one that it selects."""
    labels: Any = get(wanted, ("metadata", "selector", "matchLabels"))
    if by_labels and isinstance(labels, Mapping):
        own = mapping_at(obj, ("metadata", "labels"))
        return group_kind_of(obj) == group_kind_of(wanted) and labels.items() <= own.items()
    name, wanted_name = object_ref_of(obj), object_ref_of(wanted)
    namespaces = {name.namespace, wanted_name.namespace} - {""}
    return replace(name, namespace="") == replace(wanted_name, namespace="") and len(namespaces) < 2
