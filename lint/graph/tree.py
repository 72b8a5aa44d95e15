"""The graph as a forest: each object below the one that applies it, with its other edges."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from celvet.lint.graph.nodes import Edge, Graph, GraphNode
from celvet.record import record

_MOST_DEPTH = 40
"""Deeper objects are shown at this depth."""


@record
class Branch:
    """A line of the tree: an edge with its target, or a root, which has no edge.

    `last` says for each ancestor below the root, and for the line itself, whether it is the last
    sibling; so its length is the depth.
    """

    node: GraphNode
    edge: Edge | None
    last: tuple[bool, ...]


def branches(graph: Graph) -> Iterator[Branch]:
    """The lines of all trees, from the top; each edge is in one of them."""
    below: dict[int, list[Edge]] = {}
    for edge in graph.edges:
        below.setdefault(edge.source, []).append(edge)
    for root in _roots(graph, below):
        stack: list[tuple[int, Edge | None, tuple[bool, ...]]] = [(root, None, ())]
        while stack:
            at, by, lasts = stack.pop()
            yield Branch(graph.nodes[at], by, lasts)
            if by is None or by.relation == "applies":
                edges = sorted(below.get(at, ()), key=lambda edge: edge.relation == "applies")
                stack += reversed([*_beside(edges, lasts)])


def _beside(
    edges: Sequence[Edge], above: tuple[bool, ...]
) -> Iterator[tuple[int, Edge, tuple[bool, ...]]]:
    for index, edge in enumerate(edges):
        lasts = (*above[: _MOST_DEPTH - 1], index + 1 == len(edges))
        yield edge.target, edge, lasts


def _roots(graph: Graph, below: dict[int, list[Edge]]) -> Iterator[int]:
    """The objects that nothing applies, without those that others only refer to."""
    targets = {edge.target for edge in graph.edges if edge.relation == "applies"}
    for number, node in enumerate(graph.nodes):
        if number not in targets and (node.file or number in below):
            yield number
