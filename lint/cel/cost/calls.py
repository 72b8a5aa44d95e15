"""The cost of a function in all rounds of the loops around its call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from celvet.lint.cel.cost.functions import CallCost, CostRule, Operand, call_cost, summable
from celvet.lint.cel.cost.loops import LoopSizes, Rounds, Total, repeated, together, within
from celvet.lint.cel.cost.size import SCALAR, SizeBound
from celvet.lint.cel.syntax.tree import Node


class Calls(NamedTuple):
    """The results of a call at its place, the steps of all evaluations, the extra bytes of each."""

    results: LoopSizes
    steps: int
    spare: int


def calls_cost(
    name: str,
    nodes: Sequence[Node],
    parts: Sequence[LoopSizes],
    rounds: Rounds,
    rules: Mapping[str, CostRule],
) -> Calls:
    """The cost of a function or operator that is called on these operands in each round."""
    extents = [part.extent for part in parts]
    each = call_cost(name, [*map(Operand, extents, nodes)], rules)
    results, steps = repeated(each.result, rounds), each.steps * rounds[0]
    if len(rounds) == 1:
        return Calls(results, steps, each.spare)

    def several(sizes: Sequence[SizeBound]) -> CallCost:
        """The cost of one call that stands for many."""
        operands = [Operand(size, node, True) for size, node in zip(sizes, nodes, strict=True)]
        return call_cost(name, operands, rules)

    if summable(name, nodes):
        results = within(each.result, rounds, together(parts, rounds))
        return Calls(
            results, min(steps, several([part.summed(0) for part in parts]).steps), each.spare
        )
    for index, part in enumerate(parts):
        if part.totals[0][1] < rounds[0] * part.extent.text:
            # If a cost grows at least in proportion to the size, it is highest when one round has
            # all of the text and the others have nothing.
            rest, *whole = (
                several([*extents[:index], size, *extents[index + 1 :]])
                for size in (SCALAR, *map(part.summed, range(len(rounds))))
            )
            steps = min(steps, whole[0].steps + rounds[0] * rest.steps)
            totals = map(_total, whole, [rest] * len(rounds), rounds)
            results = within(each.result, rounds, [*map(_least, totals, results.totals)])
    return Calls(results, steps, each.spare)


def _total(whole: CallCost, rest: CallCost, times: int) -> Total:
    size = whole.result.bytes + times * rest.result.bytes
    return size, whole.result.text + times * rest.result.text


def _least(one: Total, other: Total) -> Total:
    return min(one[0], other[0]), min(one[1], other[1])
