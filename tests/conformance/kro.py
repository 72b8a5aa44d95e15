"""Answers the vectors of kro: whether it refuses a graph, and the states of its resources."""

from __future__ import annotations

from typing import Any

from celvet.lint.controllers.kro.builder import Kinds, build
from celvet.lint.controllers.kro.walk import Run
from celvet.schemas import load
from tests.conformance.answer import NOT_ANALYSED, Answer, Mode, Vector

_AT = (("spec", "schema"), ("spec", "resources"))


def _kro(vector: Vector, _: Any) -> Answer:
    kinds = vector["kinds"]

    def find_schema(version: str, kind: str) -> Any:
        known = kinds.get(f"{version}/{kind}")
        return known and known["schema"]

    def find_scope(version: str, kind: str) -> str:
        known = kinds.get(f"{version}/{kind}")
        return ("Namespaced" if known["namespaced"] else "Cluster") if known else ""

    spec = {"schema": vector["schema"], "resources": vector["resources"]}
    graph = build(spec, load().dialects["kro-ready"], Kinds(find_schema, find_scope), _AT)
    unknown = [node for node in graph.nodes if node.schema is None]
    if graph.refusals or unknown:
        return Answer(ok=False, message=str(graph.refusals[:1]))
    if "instance" not in vector:
        return Answer(ok=True)
    observed = vector["observed"]
    run = Run(graph, vector["instance"], lambda node, _: observed.get(node.id))
    states = run.states()
    if not all(state.analysed for state in states.values()):
        return Answer(ok=False, message=NOT_ANALYSED)
    nodes = {name: {"state": state.state, "stage": state.stage} for name, state in states.items()}
    shown = str({name: state.error for name, state in states.items()})
    status = {"status": run.status()} if "status" in vector["want"] else {}
    extra = {"nodes": nodes, "instance": run.instance_state(), **status}
    return Answer(ok=True, message=shown, extra=extra)


MODES: dict[str, Mode] = {"kro": _kro}
