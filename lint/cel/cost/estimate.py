"""An upper bound of the time and memory that the evaluation of a tree takes.

Sizes are computed from the leaves up: `functions` has the cost of each call, and
`loops` the share that each round of a macro has in the size of its target.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from celvet.lint.cel.cost.functions import (
    CEL_GO,
    RULES,
    Operand,
    Rule,
    call_cost,
    splits_evenly,
    summable,
)
from celvet.lint.cel.cost.loops import HUGE, ONCE, LoopSizes, Rounds, repeated, together, within
from celvet.lint.cel.cost.regex_size import instructions
from celvet.lint.cel.cost.size import (
    CELL,
    SCALAR,
    SizeBound,
    UnknownSize,
    join,
    known_size,
    measure,
    unknown_size,
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
    StructExpr,
)
from celvet.lint.cel.syntax.vocabulary import functions, resolve
from celvet.record import record

ITERATIONS = 10_000
"""The engine's limit on iterations in one evaluation, all loops together."""

STEPS_A_SECOND = 100_000_000

_NODE = 10
"""Steps of any sub-expression besides what its function does."""


@record
class Machine:
    """What an evaluation costs in one implementation of CEL.

    `rules` are those of the functions. `copied` and `copy_steps` are the bytes and steps for each
    element that `map` and `filter` add to a list; with `recopies` they copy what they have each
    time that they add to it.
    """

    rules: Mapping[str, Rule]
    copied: int
    copy_steps: int
    recopies: bool


ENGINE = Machine(RULES, copied=32, copy_steps=7, recopies=True)
"""The engine that celvet evaluates with."""

CONTROLLER = Machine(CEL_GO, copied=32, copy_steps=50, recopies=False)
"""cel-go, by which the controllers do."""

Lookup = Callable[[str], SizeBound]
"""The bounds of a variable."""


@record
class Cost:
    """Upper bounds: steps of about 10 ns, bytes of memory, and the bounds of the result.

    `spent` has the steps and bytes of each sub-expression, its own parts aside.
    """

    steps: int
    bytes: int
    result: SizeBound
    spent: Mapping[Node, tuple[int, int]]

    @property
    def node(self) -> Node:
        """The sub-expression with the largest part in it."""
        return max(self.spent, key=lambda each: max(self.spent[each][0], self.spent[each][1] // 4))


def cost(
    root: Node,
    libraries: tuple[str, ...],
    variables: Lookup,
    limit: int = HUGE,
    machine: Machine = ENGINE,
) -> Cost:
    """The cost of the tree; `limit` is how often any part is evaluated at most."""
    meter = _Meter(libraries, variables, limit, machine)
    result = meter.part(root, {}, ONCE).extent
    meter.compile_patterns()
    spent = meter.spent
    steps, size = (min(sum(part), HUGE) for part in zip(*spent.values(), strict=True))
    return Cost(steps, size + result.bytes, result, spent)


def of_values(variables: Mapping[str, Any]) -> Lookup:
    """The bounds of known variables."""
    return lambda name: known_size([variables[name]]) if name in variables else SCALAR


def of_size(size: int, share: int = 1) -> Lookup:
    """The bounds of variables of which only the size is known, or assumed."""
    extent: UnknownSize = unknown_size(size, share)
    return extent.field


_Scope = Mapping[str, LoopSizes]


def _listed(held: Sequence[LoopSizes], each: SizeBound, count: int, rounds: Rounds) -> LoopSizes:
    """A list, or map, of at most `count` values that hold so much together."""
    totals = together(held, rounds, CELL)
    size = min(totals[-1], CELL + count * each.bytes)
    return within(SizeBound(size, count, each if count else None), rounds, totals)


class _Meter:
    """Adds up the cost of each node over all its evaluations."""

    def __init__(
        self, libraries: tuple[str, ...], variables: Lookup, limit: int, machine: Machine
    ) -> None:
        self._machine = machine
        self._known = functions(libraries)
        self._variables = variables
        self._limit = limit
        self._converted: dict[str, SizeBound] = {}
        self._patterns: list[Node] = []
        self.spent: dict[Node, tuple[int, int]] = {}

    def part(self, node: Node, scope: _Scope, rounds: Rounds) -> LoopSizes:
        """The bounds of a node's values, where the node is evaluated so many times."""
        found: LoopSizes = self._BY_KIND[type(node)](self, node, scope, rounds)
        if found.extent.bytes > HUGE:
            cut = SizeBound(HUGE, min(found.extent.count, HUGE), found.extent.each)
            return LoopSizes(cut, found.totals)
        return found

    def compile_patterns(self) -> None:
        """Count the regular expressions that are compiled with the program."""
        for pattern in self._patterns:
            if isinstance(pattern, Literal) and isinstance(pattern.value, str):
                size = instructions(pattern.value)
                self._spend(pattern, 300 * size, 24 * size)

    def _spend(self, node: Node, steps: int, size: int, rounds: Rounds = ONCE) -> None:
        before = self.spent.get(node, (0, 0))
        self.spent[node] = (before[0] + steps * rounds[0], before[1] + size * rounds[0])

    def _literal(self, node: Literal, _: _Scope, rounds: Rounds) -> LoopSizes:
        self._spend(node, _NODE, 0, rounds)
        return repeated(SizeBound(measure(node.value)), rounds)

    def _ident(self, node: Ident, scope: _Scope, rounds: Rounds) -> LoopSizes:
        self._spend(node, _NODE, 0, rounds)
        name = node.name.removeprefix(".")
        if node.name in scope:
            return scope[node.name].at(rounds)
        if name not in self._converted:
            extent = self._converted[name] = self._variables(name)
            self._spend(node, extent.bytes, 4 * extent.bytes)
        return repeated(self._converted[name], rounds)

    def _select(self, node: Select, scope: _Scope, rounds: Rounds) -> LoopSizes:
        self._spend(node, _NODE, CELL, rounds)
        operand = self.part(node.operand, scope, rounds)
        return within(operand.extent.field(node.field), rounds, operand.totals)

    def _call(self, node: Call, scope: _Scope, rounds: Rounds) -> LoopSizes:
        name, nodes = resolve(node, self._known)
        if node.function == "matches":
            self._patterns += node.args[-1:]
        parts = [self.part(arg, scope, rounds) for arg in nodes]
        extents = [part.extent for part in parts]
        rules = self._machine.rules
        operands = [*map(Operand, extents, nodes)]
        growth = call_cost(name, operands, rules)
        result, steps = repeated(growth.result, rounds), growth.steps * rounds[0]
        if summable(name, nodes):
            result = within(growth.result, rounds, together(parts, rounds))
            sums = [SizeBound(part.totals[0], part.totals[0] // CELL) for part in parts]
            steps = min(steps, call_cost(name, [*map(Operand, sums, nodes)], rules).steps)
        if splits_evenly(name, nodes):
            whole = [
                call_cost(name, [Operand(SizeBound(total), nodes[0]), *operands[1:]], rules)
                for total in parts[0].totals
            ]
            result = within(growth.result, rounds, [each.result.bytes for each in whole])
            steps = min(steps, whole[0].steps)
        made = 0 if growth.result in extents else result.totals[0]
        self._spend(node, steps, made)
        self._spend(node, _NODE, growth.spare, rounds)
        return result

    def _list(
        self, node: ListExpr | MapExpr | StructExpr, scope: _Scope, rounds: Rounds
    ) -> LoopSizes:
        parts = [self.part(child, scope, rounds) for child in node.children]
        self._spend(node, _NODE * (1 + len(parts)), CELL * (1 + len(parts)), rounds)
        return _listed(parts, join(part.extent for part in parts), len(parts), rounds)

    def _macro(self, node: Macro, scope: _Scope, rounds: Rounds) -> LoopSizes:
        if node.target is None:
            self._spend(node, _NODE, 0, rounds)
            self.part(node.args[0], scope, rounds)
            return repeated(SCALAR, rounds)
        target = self.part(node.target, scope, rounds)
        if node.name.startswith("opt"):
            return self.part(node.args[0], {**scope, node.variables[0]: target}, rounds)
        return self._loop(node, target, scope, rounds)

    def _loop(self, node: Macro, target: LoopSizes, scope: _Scope, rounds: Rounds) -> LoopSizes:
        inner = {**scope, node.variables[0]: target.element()}
        count = min(target.extent.count, self._limit)
        body = target.rounds(rounds, self._limit)
        self._spend(node, _NODE, CELL, rounds)
        self._spend(node, 3 * _NODE, 0, body)
        results = [self.part(arg, inner, body) for arg in node.args]
        if node.name not in ("map", "filter"):
            return repeated(SCALAR, rounds)
        machine = self._machine
        # So many of them in lists of `count`: each element may be copied `count / 2` times.
        copies = body[0] * ((count + 1) // 2 if machine.recopies else 1)
        self._spend(node, machine.copy_steps * copies, machine.copied * copies)
        if node.name == "map":
            return _listed(results[-1:], results[-1].extent, count, rounds)
        each = target.extent.element()
        size = min(CELL + count * each.bytes, target.extent.bytes)
        return within(SizeBound(size, count, each), rounds, target.totals)

    _BY_KIND: ClassVar[dict[type[Node], Callable[..., LoopSizes]]] = {
        Literal: _literal,
        Ident: _ident,
        Select: _select,
        Call: _call,
        Macro: _macro,
        ListExpr: _list,
        MapExpr: _list,
        StructExpr: _list,
    }
