"""What an expression expects of an object: where it reads a text, loops over a list, and so on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar, TypeAlias

from celvet.lint.cel.syntax.tree import (
    Call,
    Ident,
    ListExpr,
    Literal,
    Macro,
    MapExpr,
    Node,
    Select,
)
from celvet.lint.cel.syntax.vocabulary import COMPARISONS, functions, resolve

_KINDS = {"string": "text", "bool": "bool"}


class Shape:
    """What is read of a value, how it is used, and the literals that it is compared with."""

    def __init__(self, *uses: str) -> None:
        self.uses: set[str] = {*uses}
        self.literals: dict[object, None] = {}
        self.fields: dict[str, Shape] = {}
        self.held: Shape | None = None

    @property
    def element(self) -> Shape:
        """The shape of an element, or of a key."""
        if self.held is None:
            self.held = Shape()
        return self.held

    def field(self, name: str) -> Shape:
        """The shape of a field."""
        return self.fields.setdefault(name, Shape())

    def used(self, use: str) -> Shape:
        """The same, of a value that is used in this way."""
        self.uses.add(use)
        return self

    def listed(self) -> Shape:
        """The shape of an element of a value that is a list."""
        return self.used("list").element

    def likened(self, other: Shape) -> Shape:
        """The same, of a value that is of one kind with another."""
        if self is not other:
            uses, literals = self.uses | other.uses, self.literals | other.literals
            for each in (self, other):
                each.uses |= uses - {"optional"}
                each.literals.update(literals)
            if "list" in uses:
                self.element.likened(other.element)
        return self


_Scope: TypeAlias = Mapping[str, Shape]


class Shapes:
    """The shapes of the variables of an expression."""

    def __init__(self, root: Node, libraries: tuple[str, ...]) -> None:
        self.variables: dict[str, Shape] = {}
        self._known = functions(libraries)
        self._of(root, {})

    def _of(self, node: Node, scope: _Scope) -> Shape:
        handler = self._BY_KIND.get(type(node))
        return handler(self, node, scope) if handler else Shape()

    def _literal(self, node: Literal, _: _Scope) -> Shape:
        shape = Shape(_KINDS.get(node.kind, "number"))
        shape.literals[node.value] = None
        return shape

    def _ident(self, node: Ident, scope: _Scope) -> Shape:
        if node.name in scope:
            return scope[node.name]
        return self.variables.setdefault(node.name.removeprefix("."), Shape())

    def _select(self, node: Select, scope: _Scope) -> Shape:
        shape = self._of(node.operand, scope).used("map").field(node.field)
        return shape.used("optional") if node.optional else shape

    def _list(self, node: ListExpr, scope: _Scope) -> Shape:
        made = Shape()
        for each in node.elements:
            made.listed().likened(self._of(each, scope))
        return made

    def _map(self, node: MapExpr, scope: _Scope) -> Shape:
        made = Shape("map")
        for entry in node.entries:
            value = self._of(entry.value, scope)
            if isinstance(entry.key, Literal):
                made.fields[str(entry.key.value)] = value
        return made

    def _macro(self, node: Macro, scope: _Scope) -> Shape:
        if node.target is None:
            self._of(node.args[0], scope).used("optional")
            return Shape("bool")
        target, variable = self._of(node.target, scope), node.variables[0]
        if node.name.startswith("opt"):
            return self._of(node.args[0], {**scope, variable: target})
        inner = {**scope, variable: target.listed()}
        *conditions, last = [self._of(arg, inner) for arg in node.args]
        if node.name == "map":
            made = Shape("list")
            made.held = last
        else:
            conditions.append(last)
            made = target if node.name == "filter" else Shape("bool")
        for condition in conditions:
            condition.used("bool")
        return made

    def _call(self, node: Call, scope: _Scope) -> Shape:
        name, nodes = resolve(node, self._known)
        if name in ("_[_]", "_[?_]"):
            return self._index(nodes, scope)
        parts = [self._of(each, scope) for each in nodes]
        result = _RESULTS.get(name)
        return result(parts) if result and len(parts) >= _LEAST.get(name, 1) else Shape()

    def _index(self, nodes: Sequence[Node], scope: _Scope) -> Shape:
        held, index = self._of(nodes[0], scope), nodes[1]
        if isinstance(index, Literal):
            text = isinstance(index.value, str)
            return held.used("map").field(str(index.value)) if text else held.listed()
        self._of(index, scope)
        return held.used("keyed").field("")

    _BY_KIND: ClassVar[dict[type[Node], Callable[..., Shape]]] = {
        Literal: _literal,
        Ident: _ident,
        Select: _select,
        ListExpr: _list,
        MapExpr: _map,
        Macro: _macro,
        Call: _call,
    }


def _alike(parts: Sequence[Shape]) -> Shape:
    """The first of several values of one kind."""
    for each in parts[1:]:
        parts[0].likened(each)
    return parts[0]


def _compared(parts: Sequence[Shape]) -> Shape:
    _alike(parts)
    return Shape("bool")


def _sets(parts: Sequence[Shape]) -> Shape:
    parts[0].listed()
    return _compared(parts)


def _chosen(parts: Sequence[Shape]) -> Shape:
    parts[0].used("bool")
    return _alike(parts[1:])


def _member(parts: Sequence[Shape]) -> Shape:
    parts[1].listed().likened(parts[0])
    return Shape("bool")


def _used(use: str, result: str) -> Callable[[Sequence[Shape]], Shape]:
    """A function of values that are used in this way."""

    def called(parts: Sequence[Shape]) -> Shape:
        for part in parts:
            part.used(use)
        return Shape(result)

    return called


def _text(parts: Sequence[Shape]) -> Shape:
    """A function whose target is a text, and whose result is another one."""
    return parts[0].used("text")


def _replaced(parts: Sequence[Shape]) -> Shape:
    _used("text", "")(parts[:3])
    return parts[0]


def _split(parts: Sequence[Shape]) -> Shape:
    _used("text", "")(parts[:2])
    made = Shape("list")
    made.held = Shape("text")
    return made


def _joined(parts: Sequence[Shape]) -> Shape:
    parts[0].listed().used("text")
    return _used("text", "text")(parts[1:])


def _element(parts: Sequence[Shape]) -> Shape:
    return parts[0].listed()


_RESULTS: Mapping[str, Callable[[Sequence[Shape]], Shape]] = {
    **dict.fromkeys(("_&&_", "_||_", "!_"), _used("bool", "bool")),
    **dict.fromkeys(("_-_", "_*_", "_/_", "_%_", "-_"), _used("number", "number")),
    **dict.fromkeys(("sets.contains", "sets.equivalent", "sets.intersects"), _sets),
    **dict.fromkeys(COMPARISONS, _compared),
    **dict.fromkeys(("contains", "endsWith", "indexOf", "startsWith"), _used("text", "bool")),
    **dict.fromkeys(("lastIndexOf", "matches"), _used("text", "bool")),
    **dict.fromkeys(("base64.encode", "bytes", "strings.quote"), _used("text", "text")),
    **dict.fromkeys(("charAt", "lowerAscii", "reverse", "substring", "trim", "upperAscii"), _text),
    **dict.fromkeys(("dyn", "optional.of", "optional.ofNonZeroValue", "or", "orValue"), _alike),
    "value": _alike,
    "_+_": _alike,
    "_?_:_": _chosen,
    "@in": _member,
    "first": _element,
    "join": _joined,
    "last": _element,
    "replace": _replaced,
    "size": _used("sized", "number"),
    "split": _split,
}
"""Name -> what a function or operator tells of its operands, and its result."""

_LEAST = {"_?_:_": 3, "@in": 2}
