"""The budget of an evaluation: about a second, and 256 MB.

Anybody may have written the manifest that an expression comes from, so an
expression that may exceed the budget is not evaluated. Real expressions take a
thousandth of it.
"""

from __future__ import annotations

from functools import lru_cache

from celvet.lint.cel.cost.estimate import ITERATIONS, STEPS_A_SECOND, Cost, cost, of_size, of_values
from celvet.lint.cel.engine.activation import Activation
from celvet.lint.cel.engine.outcome import Outcome, not_evaluated
from celvet.lint.cel.syntax.tree import Node, names

MAX_STEPS = STEPS_A_SECOND
MAX_BYTES = 256 * 2**20

_MOST_BYTES = 100 * 2**30
_MOST_STEPS = 36_000 * STEPS_A_SECOND
"""A bound may be ten times too high; beyond these, only a tenth of it is reported."""

_SIZES = tuple(4**power for power in range(7, 13))
"""Sizes of variables for which costs are computed; a cost is valid for all smaller ones."""


def over_budget(root: Node, libraries: tuple[str, ...], bound: Activation) -> Cost | None:
    """The cost of evaluating the tree on these variables, if that is over budget.

    Nearly every tree is within the budget on any variables of about this size. That is
    computed once for each size. Usually a bound of the size is enough, else it is measured.
    """
    if bound.most_bytes and _is_affordable_below(root, libraries, bound.most_bytes):
        return None
    size = 0
    for name in _variable_names(root):
        size += bound.size(name, _SIZES[-1] - size)
        if size > _SIZES[-1]:
            break
    if _is_affordable_below(root, libraries, size):
        return None
    exact = cost(root, libraries, of_values(bound.variables), ITERATIONS)
    return None if is_affordable(exact) else exact


def is_affordable(bound: Cost) -> bool:
    """Whether an evaluation of this cost is within the budget."""
    return bound.steps <= MAX_STEPS and bound.bytes <= MAX_BYTES


def refusal(bound: Cost) -> Outcome:
    """The outcome of an evaluation that is over budget."""
    if bound.bytes > MAX_BYTES:
        return not_evaluated(f"it may take {_bytes(bound.bytes)} of memory")
    return not_evaluated(f"it may take {_seconds(bound.steps)} of CPU time")


def _bytes(count: int) -> str:
    return f"{count / 2**20:,.0f} MB" if count < _MOST_BYTES else "more than 10 GB"


def _seconds(steps: int) -> str:
    if steps >= _MOST_STEPS:
        return "more than an hour"
    return f"{steps / STEPS_A_SECOND:,.0f} seconds"


def _is_affordable_below(root: Node, libraries: tuple[str, ...], size: int) -> bool:
    """Whether an evaluation on any variables of about this total size is within the budget."""
    upper_size = next((upper for upper in _SIZES if size <= upper), None)
    return upper_size is not None and _is_affordable(root, libraries, upper_size)


@lru_cache(maxsize=4_096)
def _is_affordable(root: Node, libraries: tuple[str, ...], size: int) -> bool:
    return is_affordable(cost(root, libraries, of_size(size), ITERATIONS))


@lru_cache(maxsize=4_096)
def _variable_names(root: Node) -> tuple[str, ...]:
    """The variables that the tree may read."""
    return tuple(dict(names(root)))
