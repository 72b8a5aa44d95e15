"""The part of a graph around one object: what it waits for, and what waits for it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from celvet.lint.graph.nodes import Edge, Graph, GraphNode
from celvet.lint.similar import did_you_mean
from celvet.record import replace
from celvet.wrong_input import WrongInputError


class UnknownObjectError(WrongInputError):
    """No object, or objects of several names, are called so; the message says what to write."""


def focused(graph: Graph, name: str) -> Graph:
    """The objects that come before or after those of a name, and the edges between them.

    `name` is that of an object, with its namespace or kind before a slash or not. Raises
    `UnknownObjectError`.
    """
    starts = [number for number, node in enumerate(graph.nodes) if name in _names(node)]
    if not starts:
        names = [node.object.name for node in graph.nodes if node.object.name]
        raise UnknownObjectError(
            f"there is no object `{name}` in the graph; {did_you_mean(name, names)}"
        )
    numbers = {*starts}
    numbers |= _reachable(starts, _steps(graph.edges, before=True))
    numbers |= _reachable(starts, _steps(graph.edges, before=False))
    return restricted(graph, numbers)


def restricted(graph: Graph, kept: Iterable[int]) -> Graph:
    """The graph with only some nodes, and the edges between them."""
    numbers = {old: new for new, old in enumerate(sorted(kept))}
    edges = [
        replace(edge, source=numbers[edge.source], target=numbers[edge.target])
        for edge in graph.edges
        if edge.source in numbers and edge.target in numbers
    ]
    return Graph(
        nodes=tuple(graph.nodes[number] for number in numbers),
        edges=tuple(edges),
        critical={numbers[node]: text for node, text in graph.critical.items() if node in numbers},
    )


def _names(node: GraphNode) -> set[str]:
    ref = node.object
    owners = (ref.namespace, ref.kind, f"{ref.kind}/{ref.namespace}")
    return {ref.name, *(f"{owner}/{ref.name}" for owner in owners)} if ref.name else set()


def _steps(edges: Sequence[Edge], *, before: bool) -> Mapping[int, list[int]]:
    """The next nodes of each: those that come before it, or those that wait for it."""
    steps: dict[int, list[int]] = {}
    for edge in edges:
        if edge.relation != "applies":
            ends = (edge.source, edge.target)
        elif before:  # an object exists once the one above has applied it
            ends = (edge.target, edge.source)
        elif edge.test:  # the one above waits for it
            ends = (edge.source, edge.target)
        else:
            continue
        start, end = ends if before else ends[::-1]
        steps.setdefault(start, []).append(end)
    return steps


def _reachable(starts: Sequence[int], steps: Mapping[int, list[int]]) -> set[int]:
    numbers: set[int] = set()
    waiting = [*starts]
    while waiting:
        for number in steps.get(waiting.pop(), ()):
            if number not in numbers:
                numbers.add(number)
                waiting.append(number)
    return numbers
