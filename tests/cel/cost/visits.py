"""A plain interpreter that counts how often each sub-expression is evaluated, and how large it is.

It never stops early and takes every branch, so it does the most that an evaluation
of the same tree may do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from celvet.lint.cel.cost.size import measure
from celvet.lint.cel.syntax.tree import Call, Ident, ListExpr, Literal, Macro, Node, Select

MOST = 200_000
"""It gives up after this many evaluations."""


class TooManyError(Exception):
    """More than `MOST` evaluations."""


class Visits:
    """The total of the evaluations of a tree, on some variables."""

    def __init__(self, root: Node, variables: Mapping[str, Any]) -> None:
        self.times: Counter[Node] = Counter()
        self.rounds: Counter[Node] = Counter()
        self.compared: Counter[Node] = Counter()
        """Bytes of the smaller sides of a comparison."""
        self.result = self._value(root, variables)

    def _value(self, node: Node, scope: Mapping[str, Any]) -> Any:
        self.times[node] += 1
        if self.times[node] > MOST:
            raise TooManyError
        match node:
            case Ident():
                return scope.get(node.name)
            case Literal():
                return node.value
            case Select():
                value = self._value(node.operand, scope)
                return value.get(node.field) if isinstance(value, dict) else None
            case ListExpr():
                return [self._value(each, scope) for each in node.elements]
            case Macro():
                return self._loop(node, scope)
            case Call():
                return self._call(node, scope)
        raise AssertionError(node)

    def _loop(self, node: Macro, scope: Mapping[str, Any]) -> Any:
        assert node.target
        over = self._value(node.target, scope)
        elements = [*over] if isinstance(over, list | dict) else []
        self.rounds[node] += len(elements)
        inner = [{**scope, node.variables[0]: element} for element in elements]
        results = [[self._value(arg, each) for arg in node.args] for each in inner]
        if node.name == "filter":
            return elements
        return [values[-1] for values in results] if node.name == "map" else True

    def _call(self, node: Call, scope: Mapping[str, Any]) -> Any:
        values = [self._value(each, scope) for each in node.children]
        match node.function, values:
            case "_?_:_", [_, one, other]:
                return max(one, other, key=measure)
            case "_+_", [list() as one, list() as other]:
                return one + other
            case "_[_]", [list() as one, int() as index] if index < len(one):
                return one[index]
            case "_[_]", [dict() as one, str() as key]:
                return one.get(key)
            case "_==_", [one, other]:
                self.compared[node] += min(measure(one), measure(other))
                return one == other
        return None
