"""JSON, for programs."""

from __future__ import annotations

from typing import Any

from celvet.lint.checks.timing import short
from celvet.lint.graph.nodes import Edge, Graph
from celvet.lint.safe_text import json_text


def render(report: Graph, color: bool) -> str:
    """One document; the `id` of a node is its place in the list."""
    nodes = [
        {
            "id": number,
            **node.object.fields(),
            "file": node.file or None,
            "line": node.line or None,
            "unapplied": node.unapplied,
        }
        for number, node in enumerate(report.nodes)
    ]
    return json_text({"nodes": nodes, "edges": [_edge(edge) for edge in report.edges]})


def _edge(edge: Edge) -> dict[str, Any]:
    return {
        "from": edge.source,
        "to": edge.target,
        "relation": edge.relation,
        "test": edge.test or None,
        "expressions": dict(edge.expressions),
        "deadline": None if edge.deadline is None else short(edge.deadline),
        "never": edge.never or None,
        "cycle": edge.cycle,
    }
