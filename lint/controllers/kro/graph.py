"""The model of a graph: its nodes, and their expressions.

Mirrors kro (0302e659, `pkg/graph/{graph,node}.go`, `pkg/cel/expression.go`).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from celvet.lint.cel import Compiled, compile_expression
from celvet.lint.cel.syntax.tree import Call, Ident, Node, Select, walk
from celvet.lint.controllers.kro.templates import Part
from celvet.lint.model import Path, Span, Value
from celvet.lint.values import get, list_at, mapping_at, text_at
from celvet.record import record, replace

SCHEMA, EACH = "schema", "each"
_TIMES = ("creationTimestamp", "deletionTimestamp")
_CONVERSIONS = frozenset({"bytes", "duration", "int", "string", "timestamp"})


@record
class GraphRefusal:
    """Why kro refuses the graph: a clause, the place, and perhaps a part of the text there.

    `by_schema` says that it rests on the schema of a kind.
    """

    path: Path
    message: str
    span: Span | None = None
    by_schema: bool = False


@record(slots=False)
class Term:
    """An expression of a node, compiled against the types of the graph.

    `offset` is where it begins in the written text, if it is all that the text has.
    """

    path: Path
    program: Compiled
    names: frozenset[str]
    part: Part | None = None
    name: str = ""
    raw: bool = False
    offset: int = 0

    @cached_property
    def runnable(self) -> Compiled:
        """What is evaluated: the value of an optional, null without one.

        An expression of `readyWhen` (`raw`) sees texts where the checker sees times and bytes. A
        conversion that the checker resolved for these then has no overload.
        """
        text, dialect = self.program.text, replace(self.program.dialect, checked=False, structs=())
        for call in reversed(self.failing_conversions if self.raw else ()):
            argument = text[call.args[0].span.start : call.args[0].span.end]
            failing = f"dyn({argument}).getFullYear()"
            text = text[: call.span.start] + failing + text[call.span.end :]
        if self.program.result_type.startswith("optional_type("):
            text = f"({text}).orValue(null)"
        return self.program if text == self.program.text else compile_expression(text, dialect)

    @property
    def failing_conversions(self) -> list[Call]:
        """The conversions of a field that is a text, and no time or bytes, when they run."""
        conversions = (
            [
                node
                for node in walk(self.program.tree)
                if isinstance(node, Call)
                and node.function in _CONVERSIONS
                and node.target is None
                and len(node.args) == 1
                and _is_field(node.args[0])
            ]
            if self.program.tree
            else []
        )
        return [
            call
            for call in conversions
            if self._type_of(call.args[0]) in ("timestamp", "duration", "bytes")
        ]

    def _type_of(self, node: Node) -> str:
        if _is_time_of_metadata(node):
            return "timestamp"
        text = self.program.text[node.span.start : node.span.end]
        return compile_expression(text, self.program.dialect).result_type


@record(slots=False)
class ResourceNode:
    """A resource of the graph.

    `schema` is that of the kind, None if it is unknown; `scope` is `Namespaced`, `Cluster` or
    empty. `ready`, `include`, `each` and `template`
    are its expressions, `dependencies` the ids of the resources that they read.
    """

    id: str
    index: int
    path: Path
    value: Mapping[str, Value]
    schema: Mapping[str, Value] | None
    scope: str = ""
    ready: tuple[Term, ...] = ()
    include: tuple[Term, ...] = ()
    each: tuple[Term, ...] = ()
    template: tuple[Term, ...] = ()
    dependencies: tuple[str, ...] = ()

    @property
    def external(self) -> bool:
        """Whether kro reads the object and does not create it."""
        return self.value.get("template") is None

    @property
    def object(self) -> Mapping[str, Value]:
        """The template, or the reference to an object that others create."""
        return mapping_at(self.value, (self.field,))

    @property
    def field(self) -> str:
        """The field that holds the object."""
        return "externalRef" if self.external else "template"

    @property
    def defines_kind(self) -> bool:
        """Whether the object is a CRD, whose expressions kro leaves alone outside of metadata."""
        group = text_at(self.object, ("apiVersion",)).partition("/")[0]
        return group == "apiextensions.k8s.io" and (
            self.object.get("kind") == "CustomResourceDefinition"
        )

    @property
    def collection(self) -> bool:
        """Whether it stands for several objects."""
        return bool(self.dimensions) or (
            self.external and get(self.object, ("metadata", "selector")) is not None
        )

    @cached_property
    def dimensions(self) -> list[tuple[int, str, Value]]:
        """The index, name and expression of each dimension."""
        return [
            (index, name, text)
            for index, dimension in enumerate(list_at(self.value, ("forEach",)))
            for name, text in mapping_at(dimension).items()
        ]


@record(slots=False)
class ResourceGraph:
    """The nodes of a definition in the order of the document, with the reasons to refuse it."""

    nodes: tuple[ResourceNode, ...]
    status: tuple[Term, ...]
    instance: Mapping[str, Value]
    refusals: tuple[GraphRefusal, ...]

    @cached_property
    def order(self) -> tuple[ResourceNode, ...]:
        """The nodes, each after those that it depends on; only of a graph without cycles."""
        by_id = {node.id: node for node in self.nodes}
        order: dict[str, ResourceNode] = {}
        while len(order) < len(by_id):
            free = [
                node
                for node in by_id.values()
                if node.id not in order and set(node.dependencies) <= order.keys()
            ]
            if not free:
                break
            order[free[0].id] = free[0]
        return tuple(order.values())


def _is_field(node: Node) -> bool:
    return isinstance(node, Select) or (isinstance(node, Call) and node.function == "_[_]")


def _is_time_of_metadata(node: Node) -> bool:
    """Whether this is a time in the metadata of an object, which each kind has."""
    if not isinstance(node, Select) or node.field not in _TIMES:
        return False
    above = node.operand
    return (
        isinstance(above, Select) and above.field == "metadata" and isinstance(above.operand, Ident)
    )
