"""The graph: objects, and edges from one that waits or applies to its target."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Literal, TypeAlias

from celvet.lint.graph.clock import GraphClock, QueueWaiter
from celvet.lint.model import ObjectRef
from celvet.record import field, record

Relation: TypeAlias = Literal["applies", "depends on", "waits for"]
WaitTest: TypeAlias = Literal["", "exists", "applied", "ready", "expression"]


@record
class GraphNode:
    """An object in one of the forms in which it reaches the cluster.

    `file` and `line` say where it is; without a file, others only name the object, and it is in
    none of the files. Without a name, it stands for all objects of its kind. `unapplied` marks an
    object that nothing in the repository applies.
    """

    object: ObjectRef
    file: str = ""
    line: int = 0
    unapplied: bool = False


@record
class Edge:
    """One node applies another one, depends on it or waits for it to be healthy.

    The numbers are those of the nodes. `test` says what ends the wait, empty if nothing waits; with
    `applied`, the target is ready before what it applies. `expressions` are those of the test, by
    role. `deadline` is how long the controller waits; for a dependency there is none, since the
    controller keeps trying. `never` says why the test never succeeds, if that is known. `cycle`
    marks an edge between objects that wait for each other.
    """

    source: int
    target: int
    relation: Relation
    test: WaitTest = ""
    expressions: Mapping[str, str] = field(default_factory=dict)
    deadline: timedelta | None = None
    never: str = ""
    cycle: bool = False


@record
class Graph:
    """Nodes and edges, both in a stable order.

    `clusters` has the objects of each cluster whose controllers work in queues, `clocks` what is
    predicted of them, None if nobody asked. `critical` has the nodes of the longest lines, each
    with the time when it is ready at worst.
    """

    nodes: tuple[GraphNode, ...] = ()
    edges: tuple[Edge, ...] = ()
    clusters: tuple[tuple[QueueWaiter, ...], ...] = ()
    clocks: tuple[GraphClock, ...] | None = None
    critical: Mapping[int, str] = field(default_factory=dict)

    @property
    def cyclic(self) -> bool:
        """Whether objects wait for each other."""
        return any(edge.cycle for edge in self.edges)
