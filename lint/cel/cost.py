"""An upper bound of what the evaluation of a tree takes, before it is evaluated.

Sizes go up the tree by the algebra of `growth`; a macro multiplies what its
body takes by the elements of its target. Nothing is evaluated.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from lint.cel.extent import CELL, SCALAR, Extent, Unseen, join, measure, seen, unseen
from lint.cel.growth import Operand, grow
from lint.cel.regex_size import instructions
from lint.cel.tree import (
    Call,
    Ident,
    ListExpr,
    Literal,
    Macro,
    MapExpr,
    Node,
    Select,
    StructExpr,
)
from lint.cel.vocabulary import functions, resolve

ITERATIONS = 10_000
"""What the engine iterates in one evaluation, all loops together, before it gives up."""

STEPS_A_SECOND = 100_000_000

_HUGE = 2**100
_NODE = 10
"""Steps of any sub-expression besides what its function does."""

_COPIED, _COPY_STEPS = 32, 7
"""Bytes and steps for each element when a list is copied: `map` and `filter` copy
what they have whenever they add to it."""

Lookup = Callable[[str], Extent]
"""The bounds of a variable."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Upper bounds: steps of about 10 ns, bytes of memory, and the bounds of the result.

    `spent` has the steps and bytes of each sub-expression, its own parts aside.
    """

    steps: int
    bytes: int
    result: Extent
    spent: Mapping[Node, tuple[int, int]]

    @property
    def node(self) -> Node:
        """The sub-expression with the largest part in it."""
        return max(self.spent, key=lambda each: max(self.spent[each][0], self.spent[each][1] // 4))


def cost(root: Node, libraries: tuple[str, ...], variables: Lookup, limit: int = _HUGE) -> Cost:
    """What the tree takes at most; `limit` is how often any part is evaluated at most."""
    meter = _Meter(libraries, variables, limit)
    result = meter.extent(root, {}, 1)
    meter.compile_patterns()
    spent = meter.spent
    steps, size = (min(sum(part), _HUGE) for part in zip(*spent.values(), strict=True))
    return Cost(steps, size + result.bytes, result, spent)


def of_values(variables: Mapping[str, Any]) -> Lookup:
    """The bounds of variables that are at hand."""
    return lambda name: seen([variables[name]]) if name in variables else SCALAR


def of_size(size: int, share: int = 1) -> Lookup:
    """The bounds of variables of which no more is known, or supposed, than their size."""
    extent: Unseen = unseen(size, share)
    return lambda _: extent


_Scope = Mapping[str, Extent]


class _Meter:
    """Adds up what each node takes, all its evaluations together."""

    def __init__(self, libraries: tuple[str, ...], variables: Lookup, limit: int) -> None:
        self._known = functions(libraries)
        self._variables = variables
        self._limit = limit
        self._converted: dict[str, Extent] = {}
        self._patterns: list[Node] = []
        self.spent: dict[Node, tuple[int, int]] = {}

    def extent(self, node: Node, scope: _Scope, times: int) -> Extent:
        """The bounds of a node's value, where the node is evaluated so many times."""
        found: Extent = self._BY_KIND[type(node)](self, node, scope, times)
        if found.bytes > _HUGE:
            return Extent(_HUGE, min(found.count, _HUGE), found.each)
        return found

    def compile_patterns(self) -> None:
        """Count the regular expressions that are compiled with the program."""
        for pattern in self._patterns:
            if isinstance(pattern, Literal) and isinstance(pattern.value, str):
                size = instructions(pattern.value)
                self._spend(pattern, 300 * size, 24 * size, 1)

    def _spend(self, node: Node, steps: int, size: int, times: int) -> None:
        before = self.spent.get(node, (0, 0))
        self.spent[node] = (before[0] + steps * times, before[1] + size * times)

    def _literal(self, node: Literal, _: _Scope, times: int) -> Extent:
        self._spend(node, _NODE, 0, times)
        return Extent(measure(node.value))

    def _ident(self, node: Ident, scope: _Scope, times: int) -> Extent:
        self._spend(node, _NODE, 0, times)
        name = node.name.removeprefix(".")
        if node.name in scope:
            return scope[node.name]
        if name not in self._converted:
            extent = self._converted[name] = self._variables(name)
            self._spend(node, extent.bytes, 4 * extent.bytes, 1)
        return self._converted[name]

    def _select(self, node: Select, scope: _Scope, times: int) -> Extent:
        self._spend(node, _NODE, CELL, times)
        return self.extent(node.operand, scope, times).field(node.field)

    def _call(self, node: Call, scope: _Scope, times: int) -> Extent:
        name, nodes = resolve(node, self._known)
        if node.function == "matches":
            self._patterns += node.args[-1:]
        extents = [self.extent(arg, scope, times) for arg in nodes]
        growth = grow(name, [*map(Operand, extents, nodes)])
        made = 0 if growth.result in extents else growth.result.bytes
        self._spend(node, _NODE + growth.steps, made + growth.spare, times)
        return growth.result

    def _list(self, node: ListExpr | MapExpr | StructExpr, scope: _Scope, times: int) -> Extent:
        extents = [self.extent(child, scope, times) for child in node.children]
        size = CELL + sum(extent.bytes for extent in extents)
        self._spend(node, _NODE * (1 + len(extents)), CELL * (1 + len(extents)), times)
        return Extent(size, len(extents), join(extents) if extents else None)

    def _macro(self, node: Macro, scope: _Scope, times: int) -> Extent:
        if node.target is None:
            self._spend(node, _NODE, 0, times)
            self.extent(node.args[0], scope, times)
            return SCALAR
        target = self.extent(node.target, scope, times)
        if node.name.startswith("opt"):
            return self.extent(node.args[0], {**scope, node.variables[0]: target}, times)
        return self._loop(node, target, scope, times)

    def _loop(self, node: Macro, target: Extent, scope: _Scope, times: int) -> Extent:
        inner = {**scope, node.variables[0]: target.element()}
        count = min(target.count, self._limit)
        rounds = min(times * count, self._limit)
        self._spend(node, _NODE, CELL, times)
        self._spend(node, 3 * _NODE, 0, rounds)
        bodies = [self.extent(arg, inner, rounds) for arg in node.args]
        if node.name not in ("map", "filter"):
            return SCALAR
        # `rounds` of them in lists of `count`: each element is copied `count / 2` times.
        copies = rounds * (count + 1) // 2
        self._spend(node, _COPY_STEPS * copies, _COPIED * copies, 1)
        each = target.element() if node.name == "filter" else bodies[-1]
        size = CELL + count * each.bytes
        return Extent(min(size, target.bytes) if node.name == "filter" else size, count, each)

    _BY_KIND: ClassVar[dict[type[Node], Callable[..., Extent]]] = {
        Literal: _literal,
        Ident: _ident,
        Select: _select,
        Call: _call,
        Macro: _macro,
        ListExpr: _list,
        MapExpr: _list,
        StructExpr: _list,
    }
