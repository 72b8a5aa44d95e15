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

    `last_flags` says for each ancestor below the root, and for the line itself, whether it is the
    last sibling; so its length is the depth.
    """

    node: GraphNode
    edge: Edge | None
    last_flags: tuple[bool, ...]


def branches(graph: Graph) -> Iterator[Branch]:
    """The lines of all trees, from the top; each edge is in one of them."""
    below: dict[int, list[Edge]] = {}
    for edge in graph.edges:
        below.setdefault(edge.source, []).append(edge)
    for root in _roots(graph, below):
        stack: list[tuple[int, Edge | None, tuple[bool, ...]]] = [(root, None, ())]
        while stack:
            number, parent_edge, flags = stack.pop()
            yield Branch(graph.nodes[number], parent_edge, flags)
            if parent_edge is None or parent_edge.relation == "applies":
                edges = sorted(below.get(number, ()), key=lambda edge: edge.relation == "applies")
                stack += reversed([*_siblings(edges, flags)])


def _siblings(
    edges: Sequence[Edge], parent_flags: tuple[bool, ...]
) -> Iterator[tuple[int, Edge, tuple[bool, ...]]]:
    """The lines below a line: the target, edge and flags of each."""
    for index, edge in enumerate(edges):
        flags = (*parent_flags[: _MOST_DEPTH - 1], index + 1 == len(edges))
        yield edge.target, edge, flags


def _roots(graph: Graph, below: dict[int, list[Edge]]) -> Iterator[int]:
    """The objects that nothing applies, without those that others only refer to."""
    targets = {edge.target for edge in graph.edges if edge.relation == "applies"}
    for number, node in enumerate(graph.nodes):
        if number not in targets and (node.file or number in below):
            yield number
