"""The evaluators of a ResourceGraphDefinition: one for each resource with `readyWhen`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from celvet.lint.checks import CheckedObject
from celvet.lint.controllers.kro.builder import GraphTooLargeError, Kinds, build
from celvet.lint.controllers.kro.failures import failures
from celvet.lint.controllers.kro.graph import EACH, SCHEMA, ResourceGraph
from celvet.lint.controllers.kro.instance import InstanceState
from celvet.lint.controllers.kro.runtime import ERROR, SYNCED, WAITING, readiness
from celvet.lint.model import Value
from celvet.lint.values import get, mapping_at, text_at
from celvet.lint.verdicts.check_evaluator import OneCheckEvaluator
from celvet.lint.verdicts.evaluator import ClusterState, Evaluator, Objection
from celvet.lint.verdicts.verdict import CauseText, Verdict
from celvet.record import record

GROUPS = frozenset({"kro.run"})
"""The API groups of the declarations."""

_NODE = "graph-node"


@record
class NodeReadiness(OneCheckEvaluator):
    """Whether the objects of one resource are ready."""

    graph: ResourceGraph

    name_field = "id"
    statuses: Sequence[str] = (SYNCED, WAITING, ERROR)

    def variables(self, cluster: ClusterState) -> Mapping[str, Value]:
        """The object by the id of the resource, and as an item of a collection."""
        obj = cluster.covered(self.applies)[0]
        return {name: obj for name in (text_at(self.check.value, ("id",)), EACH) if name}

    def evaluate(self, cluster: ClusterState) -> Verdict:
        """The state of the resource; a refused graph creates nothing."""
        if self.graph.refusals:
            refusal = self.graph.refusals[0]
            words = f"the graph is refused: {refusal.message}"
            return Verdict(status=ERROR, error=words, cause=CauseText(refusal.path, refusal.span))
        node = next(node for node in self.graph.nodes if node.path == self.check.path)
        objects = [obj for obj in cluster.covered(self.applies) if obj is not None]
        state = readiness(node, objects)
        if state.state == SYNCED:
            return Verdict(status=SYNCED)
        error = state.error if state.state == ERROR else ""
        cause = CauseText(state.path) if state.path else None
        return Verdict(status=state.state, message=state.error, error=error, cause=cause)


def evaluators(checked: CheckedObject) -> tuple[Evaluator, ...]:
    """An evaluator for each resource that has an expression, and one for the instance."""
    graph = _graph(checked)
    if graph is None:
        return ()
    nodes = tuple(NodeReadiness(check, graph) for check in checked.doing(_NODE) if check.cel)
    holder = checked.doing(_NODE)[0].path[:-2]
    return (*nodes, InstanceState(graph, mapping_at(checked.value, (*holder, SCHEMA)), nodes))


def objections(checked: CheckedObject) -> Iterator[Objection]:
    """Why kro refuses the graph, without what an expression of its own shows to be wrong.

    Then what it accepts and fails on.
    """
    graph = _graph(checked)
    refused_paths = {item.path for item in checked.cel if item.program.refusals}
    for refusal in graph.refusals if graph else ():
        if refusal.path not in refused_paths:
            yield Objection(refusal.path, refusal.message, refusal.span, refusal.by_schema)
    if graph:
        yield from failures(graph)


def _graph(checked: CheckedObject) -> ResourceGraph | None:
    """The graph of an object; None for a patch, without resources, and if it is too large."""
    checks = checked.doing(_NODE)
    if not checks or checked.partial or checks[0].dialect is None:
        return None

    def find_schema(version: str, kind: str) -> Mapping[str, Value] | None:
        """The schema in the version of a template; a published schema may leave something out."""
        crd = checked.schema_of(version, kind)
        roots = crd.versions if crd else ()
        matches = [root for name, root in roots if name == version.rpartition("/")[2]]
        root = matches[0] if matches and matches[0].unnamed_fields == "dropped" else None
        return root.schema if root else None

    nodes_at = checks[0].path[:-1]
    holder = nodes_at[:-1]
    spec, places = get(checked.value, holder), ((*holder, "schema"), nodes_at)
    try:
        return build(spec, checks[0].dialect, Kinds(find_schema, checked.scope_of), places)
    except (GraphTooLargeError, RecursionError):
        return None
