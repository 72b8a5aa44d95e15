"""An upper bound of the time and memory that the evaluation of a tree takes.

Sizes are computed from the leaves up: `functions` has the cost of each call, and
`loops` the share that each round of a macro has in the size of its target.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

from celvet.lint.cel.cost.call import CallCost, Operand
from celvet.lint.cel.cost.functions import call_cost, is_summable
from celvet.lint.cel.cost.loops import (
    HUGE,
    ONCE,
    LoopSizes,
    Rounds,
    Total,
    sizes_per_round,
    sizes_within,
    summed_totals,
)
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
"""The engine's limit on iterations of all loops in one evaluation."""

STEPS_A_SECOND = 100_000_000

_NODE = 10
"""Steps of any sub-expression, in addition to those of its function."""


_ADDED_BYTES = 32
_ADDED_STEPS = 7
"""Bytes and steps for each element that `map` or `filter` copies."""

Lookup = Callable[[str], SizeBound]
"""The bounds of a variable."""


@record
class PartCost:
    """Upper bounds for a sub-expression, in all its evaluations, without the parts of it.

    `times` is how often it is evaluated, `result` bounds each of its values.
    """

    steps: int
    bytes: int
    times: int
    result: SizeBound


@record
class Cost:
    """Upper bounds: steps of about 10 ns, bytes of memory, and the bounds of the result.

    `parts` has the cost of each sub-expression, a part before what it belongs to.
    """

    steps: int
    bytes: int
    result: SizeBound
    parts: Mapping[Node, PartCost]


def cost(root: Node, libraries: tuple[str, ...], variables: Lookup, max_rounds: int = HUGE) -> Cost:
    """The cost of the tree, no loop of which runs more than `max_rounds` times."""
    meter = _Meter(libraries, variables, max_rounds)
    result = meter.part(root, {}, ONCE).extent
    meter.compile_patterns()
    parts = meter.parts()
    steps = min(sum(part.steps for part in parts.values()), HUGE)
    size = min(sum(part.bytes for part in parts.values()), HUGE)
    return Cost(steps, size + result.bytes, result, parts)


def of_values(variables: Mapping[str, Any]) -> Lookup:
    """The bounds of known variables."""
    return lambda name: known_size([variables[name]]) if name in variables else SCALAR


def of_size(size: int, share: int = 1) -> Lookup:
    """The bounds of variables of a known or assumed size."""
    extent: UnknownSize = unknown_size(size, share)
    return extent.field


_Scope = Mapping[str, LoopSizes]


def _listed(
    parts: Sequence[LoopSizes], element: SizeBound, count: int, rounds: Rounds
) -> LoopSizes:
    """A list or map of at most `count` values with these bounds in total."""
    totals = summed_totals(parts, rounds, CELL)
    total_size, total_text = totals[-1]
    size = min(total_size, CELL + count * element.bytes)
    text = min(total_text, count * element.text)
    return sizes_within(SizeBound(size, count, element if count else None, text), rounds, totals)


class _Meter:
    """Adds up the cost of each node over all its evaluations."""

    def __init__(self, libraries: tuple[str, ...], variables: Lookup, max_rounds: int) -> None:
        self._functions = functions(libraries)
        self._variables = variables
        self._max_rounds = max_rounds
        self._converted: dict[str, SizeBound] = {}
        self._patterns: list[Literal] = []
        self._steps: dict[Node, int] = {}
        self._bytes: dict[Node, int] = {}
        self._values: dict[Node, tuple[int, SizeBound]] = {}

    def part(self, node: Node, scope: _Scope, rounds: Rounds) -> LoopSizes:
        """The bounds of a node's values if the node is evaluated `rounds` times."""
        sizes: LoopSizes = self._BY_KIND[type(node)](self, node, scope, rounds)
        extent = sizes.extent
        if extent.bytes > HUGE:
            extent = SizeBound(HUGE, min(extent.count, HUGE), extent.any_element)
            sizes = LoopSizes(extent, sizes.totals)
        self._values[node] = (rounds[0], extent)
        return sizes

    def compile_patterns(self) -> None:
        """Count the regular expressions that are compiled with the program."""
        for pattern in self._patterns:
            size = instructions(str(pattern.value))
            self._spend(pattern, 300 * size, 24 * size)

    def parts(self) -> Mapping[Node, PartCost]:
        """The cost of each sub-expression."""
        return {
            node: PartCost(self._steps.get(node, 0), self._bytes.get(node, 0), times, extent)
            for node, (times, extent) in self._values.items()
        }

    def _spend(self, node: Node, steps: int, size: int = 0, times: int = 1) -> None:
        self._steps[node] = self._steps.get(node, 0) + steps * times
        if size:
            self._bytes[node] = self._bytes.get(node, 0) + size * times

    def _literal(self, node: Literal, _: _Scope, rounds: Rounds) -> LoopSizes:
        self._spend(node, _NODE, times=rounds[0])
        return sizes_per_round(SizeBound(measure(node.value)), rounds)

    def _ident(self, node: Ident, scope: _Scope, rounds: Rounds) -> LoopSizes:
        self._spend(node, _NODE, times=rounds[0])
        name = node.name.removeprefix(".")
        if node.name in scope:
            return scope[node.name].at(rounds)
        if name not in self._converted:
            # A variable is converted for the engine when it is first read.
            extent = self._converted[name] = self._variables(name)
            self._spend(node, extent.bytes, 4 * extent.bytes)
        return sizes_per_round(self._converted[name], rounds)

    def _select(self, node: Select, scope: _Scope, rounds: Rounds) -> LoopSizes:
        self._spend(node, _NODE, CELL, rounds[0])
        operand = self.part(node.operand, scope, rounds)
        return sizes_within(operand.extent.field(node.field), rounds, operand.totals)

    def _call(self, node: Call, scope: _Scope, rounds: Rounds) -> LoopSizes:
        name, nodes = resolve(node, self._functions)
        if node.function == "matches":
            pattern = node.args[-1] if node.args else None
            if isinstance(pattern, Literal) and isinstance(pattern.value, str):
                self._patterns.append(pattern)
        operands = [self.part(arg, scope, rounds) for arg in nodes]
        calls = _calls_cost(name, nodes, operands, rounds)
        # A result as large as an operand may be the operand, which takes no memory again.
        extents = [
            operand.extent
            for operand, arg in zip(operands, nodes, strict=True)
            if not isinstance(arg, Literal)
        ]
        size = 0 if calls.results.extent in extents else calls.results.totals[0][0]
        self._spend(node, calls.steps, size)
        self._spend(node, _NODE, calls.spare, rounds[0])
        return calls.results

    def _list(
        self, node: ListExpr | MapExpr | StructExpr, scope: _Scope, rounds: Rounds
    ) -> LoopSizes:
        parts = [self.part(child, scope, rounds) for child in node.children]
        self._spend(node, _NODE * (1 + len(parts)), CELL * (1 + len(parts)), rounds[0])
        return _listed(parts, join(part.extent for part in parts), len(parts), rounds)

    def _macro(self, node: Macro, scope: _Scope, rounds: Rounds) -> LoopSizes:
        if node.target is None:
            self._spend(node, _NODE, times=rounds[0])
            self.part(node.args[0], scope, rounds)
            return sizes_per_round(SCALAR, rounds)
        target = self.part(node.target, scope, rounds)
        if node.name.startswith("opt"):
            return self.part(node.args[0], {**scope, node.variables[0]: target}, rounds)
        return self._loop(node, target, scope, rounds)

    def _loop(self, node: Macro, target: LoopSizes, scope: _Scope, rounds: Rounds) -> LoopSizes:
        inner = {**scope, node.variables[0]: target.element()}
        count = min(target.extent.count, self._max_rounds)
        body = target.rounds(rounds, self._max_rounds)
        self._spend(node, _NODE, CELL, rounds[0])
        self._spend(node, 3 * _NODE, times=body[0])
        results = [self.part(arg, inner, body) for arg in node.args]
        if node.name not in ("map", "filter"):
            return sizes_per_round(SCALAR, rounds)
        # The engine copies the list for each element that it adds, so that an element of a list of
        # `count` may be copied `count / 2` times.
        copies = (count + 1) // 2
        self._spend(node, _ADDED_STEPS * copies, _ADDED_BYTES * copies, body[0])
        if node.name == "map":
            return _listed(results[-1:], results[-1].extent, count, rounds)
        element = target.extent.element()
        size = min(CELL + count * element.bytes, target.extent.bytes)
        text = min(count * element.text, target.extent.text)
        return sizes_within(SizeBound(size, count, element, text), rounds, target.totals)

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


class _Calls(NamedTuple):
    """The results of a call at its place, the steps of all evaluations, the extra bytes of each."""

    results: LoopSizes
    steps: int
    spare: int


def _calls_cost(
    name: str, nodes: Sequence[Node], operands: Sequence[LoopSizes], rounds: Rounds
) -> _Calls:
    """The cost of a function or operator that is called on these operands in each round."""
    extents = [operand.extent for operand in operands]
    call = call_cost(name, [*map(Operand, extents, nodes)])
    results, steps = sizes_per_round(call.result, rounds), call.steps * rounds[0]
    if len(rounds) == 1:
        return _Calls(results, steps, call.spare)

    def cost_of_all(sizes: Sequence[SizeBound]) -> CallCost:
        """The cost of one call that stands for those of all rounds."""
        return call_cost(
            name, [Operand(size, node, True) for size, node in zip(sizes, nodes, strict=True)]
        )

    if is_summable(name, nodes):
        results = sizes_within(call.result, rounds, summed_totals(operands, rounds))
        # All rounds together read no more than the whole list, so one call on all of it is a bound
        # too.
        at_once = cost_of_all([operand.summed(0) for operand in operands])
        return _Calls(results, min(steps, at_once.steps), call.spare)
    for index, operand in enumerate(operands):
        if operand.totals[0][1] < rounds[0] * operand.extent.text:
            # If a cost grows at least in proportion to the size, it is highest if one round has the
            # whole string and the others have nothing.
            empty_round, *full_rounds = (
                cost_of_all([*extents[:index], size, *extents[index + 1 :]])
                for size in (SCALAR, *map(operand.summed, range(len(rounds))))
            )
            steps = min(steps, full_rounds[0].steps + rounds[0] * empty_round.steps)
            totals = [
                _total(full, empty_round, times)
                for full, times in zip(full_rounds, rounds, strict=True)
            ]
            results = sizes_within(call.result, rounds, [*map(_smaller, totals, results.totals)])
    return _Calls(results, steps, call.spare)


def _total(full_round: CallCost, empty_round: CallCost, times: int) -> Total:
    size = full_round.result.bytes + times * empty_round.result.bytes
    return size, full_round.result.text + times * empty_round.result.text


def _smaller(one: Total, other: Total) -> Total:
    return min(one[0], other[0]), min(one[1], other[1])
