"""An upper bound of the time and memory that the evaluation of a tree takes.

Sizes are computed from the leaves up: `functions` has the cost of each call, and
`loops` the share that each round of a macro has in the size of its target.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

from celvet.lint.cel.cost.call import CallCost, CostRule, Operand
from celvet.lint.cel.cost.functions import RULES, call_cost, summable
from celvet.lint.cel.cost.go_functions import CEL_GO, CEL_GO_OF_TEXTS
from celvet.lint.cel.cost.go_matches import go_compiled, go_pattern
from celvet.lint.cel.cost.loops import (
    HUGE,
    ONCE,
    LoopSizes,
    Rounds,
    Total,
    evaluated,
    keeps_nothing,
    repeated,
    stops_at_once,
    together,
    within,
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
from celvet.record import record, replace

ITERATIONS = 10_000
"""The engine's limit on iterations of all loops in one evaluation."""

STEPS_A_SECOND = 100_000_000

_NODE = 10
"""Steps of any sub-expression, in addition to those of its function."""


@record
class Machine:
    """The cost of an evaluation in one implementation of CEL.

    `rules` are those of the functions. `copied` and `copy_steps` are the bytes and steps for each
    element that `map` and `filter` add to a list; with `recopies` they copy the whole list for each
    element. With `frees`, the memory of a round is freed after it. With `stops`, what a constant
    condition excludes is not evaluated. `compiled` has the steps and bytes to compile a pattern.
    """

    rules: Mapping[str, CostRule]
    compiled: Callable[[str], tuple[int, int]]
    copied: int
    copy_steps: int
    recopies: bool
    frees: bool
    stops: bool


def _engine_compiled(pattern: str) -> tuple[int, int]:
    size = instructions(pattern)
    return 300 * size, 24 * size


ENGINE = Machine(
    RULES, _engine_compiled, copied=32, copy_steps=7, recopies=True, frees=False, stops=False
)
"""The engine that celvet evaluates with."""


def _go_compiled(pattern: str) -> tuple[int, int]:
    return go_compiled(go_pattern(pattern))


CONTROLLER = Machine(
    CEL_GO, _go_compiled, copied=32, copy_steps=50, recopies=False, frees=True, stops=True
)
"""cel-go, with which the controllers evaluate."""

CONTROLLER_OF_TEXTS = replace(CONTROLLER, rules=CEL_GO_OF_TEXTS)
"""The same if each value whose size is asked for is a text."""

Lookup = Callable[[str], SizeBound]
"""The bounds of a variable."""


@record
class Cost:
    """Upper bounds: steps of about 10 ns, bytes of memory, and the bounds of the result.

    `spent` has the steps and bytes of each sub-expression, without those of its parts.
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
    """The cost of the tree; `limit` is the most often that any part is evaluated."""
    meter = _Meter(libraries, variables, limit, machine)
    result = meter.part(root, {}, ONCE).extent
    meter.compile_patterns()
    spent = meter.spent()
    steps, size = (min(sum(part), HUGE) for part in zip(*spent.values(), strict=True))
    return Cost(steps, size + result.bytes, result, spent)


def of_values(variables: Mapping[str, Any]) -> Lookup:
    """The bounds of known variables."""
    return lambda name: known_size([variables[name]]) if name in variables else SCALAR


def of_size(size: int, share: int = 1) -> Lookup:
    """The bounds of variables of a known or assumed size."""
    extent: UnknownSize = unknown_size(size, share)
    return extent.field


_Scope = Mapping[str, LoopSizes]

_Made = tuple[Node, list[int]]
"""The bytes that a node makes, as `Rounds` count."""


def _listed(held: Sequence[LoopSizes], each: SizeBound, count: int, rounds: Rounds) -> LoopSizes:
    """A list or map of at most `count` values with these bounds in total."""
    totals = together(held, rounds, CELL)
    most, most_text = totals[-1]
    size, text = min(most, CELL + count * each.bytes), min(most_text, count * each.text)
    return within(SizeBound(size, count, each if count else None, text), rounds, totals)


class _Meter:
    """Adds up the cost of each node over all its evaluations."""

    def __init__(
        self,
        libraries: tuple[str, ...],
        variables: Lookup,
        limit: int,
        machine: Machine,
    ) -> None:
        self._machine = machine
        self._known = functions(libraries)
        self._variables = variables
        self._limit = limit
        self._converted: dict[str, SizeBound] = {}
        self._patterns: list[Node] = []
        self._steps: dict[Node, int] = {}
        self._made: list[_Made] = []

    def part(self, node: Node, scope: _Scope, rounds: Rounds) -> LoopSizes:
        """The bounds of a node's values if the node is evaluated `rounds` times."""
        found: LoopSizes = self._BY_KIND[type(node)](self, node, scope, rounds)
        if found.extent.bytes > HUGE:
            cut = SizeBound(HUGE, min(found.extent.count, HUGE), found.extent.each)
            return LoopSizes(cut, found.totals)
        return found

    def compile_patterns(self) -> None:
        """Count the regular expressions that are compiled with the program."""
        for pattern in self._patterns:
            if isinstance(pattern, Literal) and isinstance(pattern.value, str):
                self._spend(pattern, *self._machine.compiled(pattern.value))

    def spent(self) -> Mapping[Node, tuple[int, int]]:
        """The steps and bytes of each sub-expression."""
        made = dict.fromkeys(self._steps, 0)
        for node, sizes in self._made:
            made[node] += sizes[0]
        return {node: (steps, made[node]) for node, steps in self._steps.items()}

    def _work(self, node: Node, steps: int) -> None:
        self._steps[node] = self._steps.get(node, 0) + steps

    def _spend(self, node: Node, steps: int, size: int, rounds: Rounds = ONCE) -> None:
        self._work(node, steps * rounds[0])
        if size:
            self._made.append((node, [size * times for times in rounds]))

    def _free(self, loop: Node, first: int, held: Sequence[int]) -> None:
        """Keep one round of what a loop has made since `first`, and the content of its list."""
        made = self._made[first:]
        if held[0] >= sum(sizes[0] for _, sizes in made):
            return
        level = len(held)
        for _, sizes in made:
            sizes[:level] = [sizes[level]] * level
        self._made.append((loop, [*held]))

    def _literal(self, node: Literal, _: _Scope, rounds: Rounds) -> LoopSizes:
        self._spend(node, _NODE, 0, rounds)
        plain = "{" not in str(node.value)
        return repeated(SizeBound(measure(node.value), plain=plain), rounds)

    def _ident(self, node: Ident, scope: _Scope, rounds: Rounds) -> LoopSizes:
        self._spend(node, _NODE, 0, rounds)
        name = node.name.removeprefix(".")
        if node.name in scope:
            return scope[node.name].at(rounds)
        if name not in self._converted:
            extent = self._converted[name] = self._variables(name)
            self._work(node, extent.bytes)
            self._made.append((node, [4 * extent.bytes] * len(rounds)))
        return repeated(self._converted[name], rounds)

    def _select(self, node: Select, scope: _Scope, rounds: Rounds) -> LoopSizes:
        self._spend(node, _NODE, CELL, rounds)
        operand = self.part(node.operand, scope, rounds)
        return within(operand.extent.field(node.field), rounds, operand.totals)

    def _call(self, node: Call, scope: _Scope, rounds: Rounds) -> LoopSizes:
        name, nodes = resolve(node, self._known)
        chosen = evaluated(node)
        if self._machine.stops and len(chosen) < len(node.args):
            return [self.part(arg, scope, rounds) for arg in chosen][-1]
        if node.function == "matches":
            self._patterns += node.args[-1:]
        parts = [self.part(arg, scope, rounds) for arg in nodes]
        calls = _calls_cost(name, nodes, parts, rounds, self._machine.rules)
        self._work(node, calls.steps)
        if calls.results.extent not in [part.extent for part in parts]:
            self._made.append((node, [size for size, _ in calls.results.totals]))
        self._spend(node, _NODE, calls.spare, rounds)
        return calls.results

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
        once = self._machine.stops and stops_at_once(node)
        empty = self._machine.stops and keeps_nothing(node)
        body = (*rounds, 1) if once else target.rounds(rounds, self._limit)
        self._spend(node, _NODE, CELL, rounds)
        self._spend(node, 3 * _NODE, 0, body)
        if self._machine.stops and not count:
            return repeated(SCALAR, rounds)
        first = len(self._made)
        args = node.args[:1] if empty else node.args
        results = [self.part(arg, inner, body) for arg in args]
        if self._machine.frees:
            held = [size for size, _ in results[-1].totals[:-1]]
            self._free(node, first, held if node.name == "map" else [0] * len(rounds))
        if empty or node.name not in ("map", "filter"):
            return repeated(SCALAR, rounds)
        machine = self._machine
        # an element of a list of `count` may be copied `count / 2` times
        again = (count + 1) // 2 if machine.recopies else 1
        self._work(node, machine.copy_steps * again * body[0])
        self._made.append((node, [machine.copied * again * times for times in body[:-1]]))
        if node.name == "map":
            return _listed(results[-1:], results[-1].extent, count, rounds)
        each = target.extent.element()
        size = min(CELL + count * each.bytes, target.extent.bytes)
        text = min(count * each.text, target.extent.text)
        return within(SizeBound(size, count, each, text), rounds, target.totals)

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
    name: str,
    nodes: Sequence[Node],
    parts: Sequence[LoopSizes],
    rounds: Rounds,
    rules: Mapping[str, CostRule],
) -> _Calls:
    """The cost of a function or operator that is called on these operands in each round."""
    extents = [part.extent for part in parts]
    each = call_cost(name, [*map(Operand, extents, nodes)], rules)
    results, steps = repeated(each.result, rounds), each.steps * rounds[0]
    if len(rounds) == 1:
        return _Calls(results, steps, each.spare)

    def several(sizes: Sequence[SizeBound]) -> CallCost:
        """The cost of one call that stands for many."""
        operands = [Operand(size, node, True) for size, node in zip(sizes, nodes, strict=True)]
        return call_cost(name, operands, rules)

    if summable(name, nodes):
        results = within(each.result, rounds, together(parts, rounds))
        return _Calls(
            results, min(steps, several([part.summed(0) for part in parts]).steps), each.spare
        )
    for index, part in enumerate(parts):
        if part.totals[0][1] < rounds[0] * part.extent.text:
            # If a cost grows at least in proportion to the size, it is highest if one round has the
            # whole string and the others have nothing.
            rest, *whole = (
                several([*extents[:index], size, *extents[index + 1 :]])
                for size in (SCALAR, *map(part.summed, range(len(rounds))))
            )
            steps = min(steps, whole[0].steps + rounds[0] * rest.steps)
            totals = map(_total, whole, [rest] * len(rounds), rounds)
            results = within(each.result, rounds, [*map(_least, totals, results.totals)])
    return _Calls(results, steps, each.spare)


def _total(whole: CallCost, rest: CallCost, times: int) -> Total:
    size = whole.result.bytes + times * rest.result.bytes
    return size, whole.result.text + times * rest.result.text


def _least(one: Total, other: Total) -> Total:
    return min(one[0], other[0]), min(one[1], other[1])
