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
from celvet.record import record

MAX_STEPS = STEPS_A_SECOND
MAX_BYTES = 256 * 2**20

_LIGHT = 64
"""An evaluation below this fraction of the budget leaves little memory behind."""

_MOST_BYTES = 100 * 2**30
_MOST_STEPS = 36_000 * STEPS_A_SECOND
"""A bound may be ten times too high; beyond these, only a tenth of it is reported."""

_SIZES = tuple(2**power for power in range(10, 25))
"""Sizes of variables for which costs are computed; a cost is valid for all smaller ones."""


@record
class BudgetCheck:
    """Whether an evaluation is cheap, and its cost if that is over budget."""

    light: bool
    excess: Cost | None = None


def check_budget(root: Node, libraries: tuple[str, ...], bound: Activation) -> BudgetCheck:
    """Whether the tree may be evaluated on these variables.

    Nearly every tree is within the budget on any variables of about this size. That is
    computed once for each size, so usually it is enough to measure the variables.
    """
    size = 0
    for name in _variable_names(root):
        size += bound.size(name, _SIZES[-1] - size)
        if size > _SIZES[-1]:
            break
    upper_size = next((upper for upper in _SIZES if size <= upper), None)
    if upper_size and (budget := _budget_for_size(root, libraries, upper_size)):
        return budget
    exact = cost(root, libraries, of_values(bound.variables), ITERATIONS)
    return BudgetCheck(light=False, excess=None if is_affordable(exact) else exact)


def is_affordable(bound: Cost, part: int = 1) -> bool:
    """Whether an evaluation of this cost is within a fraction of the budget."""
    return bound.steps * part <= MAX_STEPS and bound.bytes * part <= MAX_BYTES


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


@lru_cache(maxsize=4_096)
def _budget_for_size(root: Node, libraries: tuple[str, ...], size: int) -> BudgetCheck | None:
    """The check for all variables of this total size; None if some may exceed the budget."""
    bound = cost(root, libraries, of_size(size), ITERATIONS)
    return BudgetCheck(is_affordable(bound, _LIGHT)) if is_affordable(bound) else None


@lru_cache(maxsize=4_096)
def _variable_names(root: Node) -> tuple[str, ...]:
    """The variables that the tree may read."""
    return tuple(dict(names(root)))
