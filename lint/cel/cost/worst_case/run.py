"""Evaluates an expression on an object of samples, and adds up what cel-go takes for the whole."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, ClassVar

from celvet.lint.cel.cost.go_matches import go_compiled, go_parsed
from celvet.lint.cel.cost.size import CELL
from celvet.lint.cel.cost.worst_case.calls import FailedError, call, field, present, program
from celvet.lint.cel.cost.worst_case.values import (
    ALTERNATIVES,
    HUGE,
    Entries,
    Group,
    Items,
    Optional,
    Text,
    bound,
    items,
    keys,
    text,
)
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
from celvet.lint.cel.syntax.vocabulary import functions, resolve
from celvet.record import record

_NODE = 6
_ROUND = 15
_ADDED = 50
"""Steps of any sub-expression, of a round of a loop, and of an element that a loop adds."""

_NESTED = 1_000
"""Levels beyond which Go refuses a pattern (`maxHeight` of `regexp/syntax/parse.go`)."""

_MAKERS = frozenset(
    {"base64.encode", "charAt", "format", "join", "json.encode", "lowerAscii", "replace"}
    | {"reverse", "split", "string", "strings.quote", "substring", "upperAscii"}
)
"""Functions whose result is a new text or list; a sum is one if it is a text."""


class ExhaustedError(Exception):
    """The evaluation takes too many steps here."""


@record
class Taken:
    """What an evaluation takes: steps of each sub-expression, and bytes at most at a time."""

    steps: Mapping[Node, int]
    bytes: int

    @property
    def total(self) -> int:
        """The steps of all sub-expressions."""
        return min(sum(self.steps.values()), HUGE)

    @property
    def node(self) -> Node:
        """The sub-expression that takes the most steps."""
        return max(self.steps, key=lambda node: self.steps[node])


class Run:
    """An evaluation; `visits` is the most sub-expressions that it may visit.

    With `turn`, one element stands for all of a list that the expression writes out, a different
    one for each turn.
    """

    def __init__(self, libraries: tuple[str, ...], visits: int, turn: int = 0) -> None:
        self.visits = visits
        self._turn = turn
        self._known = functions(libraries)
        self._steps: dict[Node, int] = {}
        self._compiled: dict[Node, int] = {}
        self._held = 0
        self._most = 0

    def of(self, root: Node, variables: Mapping[str, Any]) -> Taken:
        """What the evaluation on these variables takes."""
        self._steps, self._compiled, self._held, self._most = {}, {}, 0, 0
        with suppress(FailedError):  # what came before it has been spent
            self.value(root, variables)
        for node, steps in self._compiled.items():
            self._spend(node, steps)
        return Taken(self._steps, min(self._most, HUGE))

    def _spend(self, node: Node, steps: int) -> None:
        self._steps[node] = self._steps.get(node, 0) + steps

    def _keep(self, size: int) -> None:
        self._held += size
        self._most = max(self._most, self._held)

    def value(self, node: Node, scope: Mapping[str, Any]) -> Any:
        """The value of a sub-expression; raises `FailedError` if there is none."""
        self.visits -= 1
        if self.visits < 0:
            raise ExhaustedError
        self._spend(node, _NODE)
        handler = self._BY_KIND.get(type(node))
        if handler is None:
            raise FailedError
        return handler(self, node, scope)

    def _literal(self, node: Literal, _: Mapping[str, Any]) -> Any:
        return text(node.value) if isinstance(node.value, str) else node.value

    def _ident(self, node: Ident, scope: Mapping[str, Any]) -> Any:
        name = node.name.removeprefix(".")
        if scope.get(name) is None:
            raise FailedError
        return scope[name]

    def _select(self, node: Select, scope: Mapping[str, Any]) -> Any:
        held = self.value(node.operand, scope)
        optional = node.optional or isinstance(held, Optional)
        found = field(held.held if isinstance(held, Optional) else held, node.field)
        if optional:
            return found if isinstance(found, Optional) else Optional(found)
        return present(found)

    def _list(self, node: ListExpr, scope: Mapping[str, Any]) -> Any:
        found = [self.value(each, scope) for each in node.elements]
        self._keep(CELL * (1 + len(found)))
        if self._turn and found:
            self._turn = self._turn * 48_271 % (2**31 - 1)
            return items([Group(found[self._turn % len(found)], len(found))])
        return items(Group(value, 1) for value in found)

    def _map(self, node: MapExpr, scope: Mapping[str, Any]) -> Any:
        held: dict[str, Group] = {}
        for entry in node.entries:
            if not isinstance(entry.key, Node):
                raise FailedError
            key = self.value(entry.key, scope)
            if not isinstance(key, Text):
                raise FailedError
            held[key.sample] = Group(self.value(entry.value, scope), 1)
        self._keep(4 * CELL * (1 + len(held)))
        self._spend(node, 30 * len(held))
        return Entries(held)

    def _call(self, node: Call, scope: Mapping[str, Any]) -> Any:
        name, nodes = resolve(node, self._known)
        if name in ("_&&_", "_||_"):
            return self._logical(nodes, scope, name == "_||_")
        if name == "_?_:_":
            chosen = self.value(nodes[0], scope)
            if not isinstance(chosen, bool):
                raise FailedError
            return self.value(nodes[1 if chosen else 2], scope)
        if name in ("or", "orValue"):
            held = self.value(nodes[0], scope)
            if isinstance(held, Optional) and held.held is not None:
                return held if name == "or" else held.held
            return self.value(nodes[1], scope)
        values = [self.value(each, scope) for each in nodes]
        found, steps = call(name, values, nodes)
        if name == "matches":
            self._compile(nodes[1], values[1])
        self._spend(node, min(steps, HUGE))
        summed = name == "_+_" and isinstance(found, Text)
        if (summed or name in _MAKERS) and not any(found is value for value in values):
            self._keep(_own(found))
        return found

    def _compile(self, node: Node, pattern: Text) -> None:
        """A constant pattern is compiled with the program, any other in each call."""
        if node in self._compiled:
            return
        if pattern.size > _NESTED and {*pattern.sample} == {ALTERNATIVES}:
            self._spend(node, go_parsed(pattern.size))
            raise FailedError
        steps, size = go_compiled(program(pattern))
        if isinstance(node, Literal):
            self._compiled[node] = steps
        else:
            self._spend(node, steps)
        self._most = max(self._most, self._held + size)

    def _logical(self, nodes: Sequence[Node], scope: Mapping[str, Any], decisive: bool) -> bool:
        failed = False
        for node in nodes:
            try:
                value: object = self.value(node, scope)
            except FailedError:
                failed = True
                continue
            if value is decisive:
                return decisive
            failed = failed or not isinstance(value, bool)
        if failed:
            raise FailedError
        return not decisive

    def _macro(self, node: Macro, scope: Mapping[str, Any]) -> Any:
        if node.target is None:
            return self._has(node.args[0], scope)
        target = self.value(node.target, scope)
        if node.name.startswith("opt"):
            if not isinstance(target, Optional) or target.held is None:
                return Optional(None)
            found = self.value(node.args[0], {**scope, node.variables[0]: target.held})
            return found if isinstance(found, Optional) else Optional(found)
        over = keys(target) if isinstance(target, Entries) else target
        if not isinstance(over, Items):
            raise FailedError
        return self._loop(node, over, scope)

    def _has(self, node: Node, scope: Mapping[str, Any]) -> bool:
        if not isinstance(node, Select):
            raise FailedError
        held = self.value(node.operand, scope)
        return field(held.held if isinstance(held, Optional) else held, node.field) is not None

    def _loop(self, node: Macro, over: Items, scope: Mapping[str, Any]) -> Any:
        makes = node.name in ("map", "filter")
        kept: list[Group] = []
        results: dict[Any, int] = {}
        for group in over.groups:
            value, made = self._alike(node, group, scope)
            if _ends(node, value):
                if makes:
                    raise FailedError
                return value
            if makes:
                kept += self._added(node, group, value, made)
            else:
                results[value] = results.get(value, 0) + group.times
        if makes:
            return items(kept)
        if FailedError in results:
            raise FailedError
        return results.get(True) == 1 if node.name == "exists_one" else node.name == "all"

    def _alike(self, node: Macro, group: Group, scope: Mapping[str, Any]) -> tuple[Any, int]:
        """The value of rounds that are alike, `FailedError` for an error, and what one makes."""
        outer, held = self._steps, self._held
        self._steps = {node: _ROUND}
        try:
            value = self._round(node, {**scope, node.variables[0]: group.value})
        except FailedError:
            value = FailedError
        times = 1 if _ends(node, value) else group.times
        for each, steps in self._steps.items():
            outer[each] = outer.get(each, 0) + steps * times
        made = self._held - held
        self._steps, self._held = outer, held
        return value, made

    def _added(self, node: Macro, group: Group, value: Any, made: int) -> Iterator[Group]:
        """What rounds that are alike add to the list that a loop makes."""
        if value is None or (value is False and node.name == "filter"):
            return
        own = min(bound(value).bytes, made) if node.name == "map" else 0
        self._keep(group.times * (CELL + own))
        self._spend(node, _ADDED * group.times)
        yield Group(value if node.name == "map" else group.value, group.times)

    def _round(self, node: Macro, scope: Mapping[str, Any]) -> Any:
        """The value of a round; None if a condition leaves the element out."""
        *conditions, last = node.args
        for condition in conditions:
            if self.value(condition, scope) is not True:
                return None
        value = self.value(last, scope)
        if node.name != "map" and not isinstance(value, bool):
            raise FailedError
        return value

    _BY_KIND: ClassVar[dict[type[Node], Callable[..., Any]]] = {
        Literal: _literal,
        Ident: _ident,
        Select: _select,
        Call: _call,
        Macro: _macro,
        ListExpr: _list,
        MapExpr: _map,
    }


def _own(value: Any) -> int:
    """The bytes of a text, or of a list without its elements, which Go does not copy."""
    if isinstance(value, Text):
        return CELL + value.size
    return CELL * (1 + value.count) if isinstance(value, Items) else 0


def _ends(node: Macro, value: Any) -> bool:
    """Whether a round with this value is the last one of its loop."""
    if node.name in ("map", "filter"):
        return value is FailedError
    return node.name != "exists_one" and value is (node.name == "exists")
