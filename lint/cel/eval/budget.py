"""Whether an evaluation is within what one may take.

An expression comes from a manifest that anybody may have written. Whatever it
is, its evaluation takes about a second and 256 MB at most; what may take more is
not begun. The expressions in use take a thousandth of that.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from celvet.lint.cel.cost.estimate import ITERATIONS, STEPS_A_SECOND, Cost, cost, of_size, of_values
from celvet.lint.cel.engine.activation import Activation
from celvet.lint.cel.engine.outcome import Outcome, beyond
from celvet.lint.cel.syntax.tree import Node, names

MAX_STEPS = STEPS_A_SECOND
MAX_BYTES = 256 * 2**20

_LIGHT = 64
"""An evaluation that takes less than this part of the limits leaves little behind."""

OBJECT = 3 * 2**19
"""Bytes that etcd holds for one object, the size that is assumed where there is none."""

ELEMENTS = 1_000
"""Elements of a list, each with an equal part of the object: what is assumed likewise."""

_SMALL = 2**10
"""Bytes of about the smallest object."""

_SIZES = tuple(2**power for power in range(10, 25))
"""Sizes of variables for which costs are worked out; one is good for all that are smaller."""


class BudgetCheck(NamedTuple):
    """Whether what an evaluation takes is little, and what it may take if that is too much."""

    light: bool
    excess: Cost | None = None


def check_budget(root: Node, libraries: tuple[str, ...], bound: Activation) -> BudgetCheck:
    """Whether the tree may be evaluated on these variables.

    Nearly every tree may be on any variables of about this size. That is worked
    out once for each size met, so that usually measuring them is enough.
    """
    size = 0
    for name in _read(root):
        size += bound.size(name, _SIZES[-1] - size)
        if size > _SIZES[-1]:
            break
    most = next((each for each in _SIZES if size <= each), None)
    if most and (known := _certain(root, libraries, most)):
        return known
    found = cost(root, libraries, of_values(bound.variables), ITERATIONS)
    return BudgetCheck(light=False, excess=None if affordable(found) else found)


def affordable(found: Cost, part: int = 1) -> bool:
    """Whether an evaluation of this cost is within the limits, or a part of them."""
    return found.steps * part <= MAX_STEPS and found.bytes * part <= MAX_BYTES


def refusal(found: Cost) -> Outcome:
    """The outcome of an evaluation that is not begun."""
    return beyond(f"it may take {_amount(found)}")


def _amount(found: Cost) -> str:
    if found.bytes > MAX_BYTES:
        return f"{_bytes(found.bytes)} of memory"
    return f"{_seconds(found.steps)} of computing"


def _bytes(count: int) -> str:
    return f"{count / 2**20:,.0f} MB" if count < 2**40 else "more than a million MB"


def _seconds(steps: int) -> str:
    seconds = steps / STEPS_A_SECOND
    return f"{seconds:,.0f} seconds" if seconds < 10**6 else "more than a million seconds"


class Excess(NamedTuple):
    """What an evaluation takes beyond the limits, in words, and the part that takes most.

    `always` is whether it does so on the smallest objects, and not only on
    large ones.
    """

    amount: str
    node: Node
    always: bool


def excess(root: Node, libraries: tuple[str, ...]) -> Excess | None:
    """What an evaluation in the controller, which has no limit, takes beyond ours; None if less."""
    small, large = cost(root, libraries, of_size(_SMALL)), assumed(root, libraries)
    for found, always in ((small, True), (large, False)):
        if not affordable(found):
            # Memory that a loop has done with is free again in the controller, time is not.
            slow = found.steps > MAX_STEPS
            amount = f"{_seconds(found.steps)} of computing" if slow else _amount(found)
            return Excess(amount, found.node, always)
    return None


def assumed(root: Node, libraries: tuple[str, ...]) -> Cost:
    """What the tree takes on a large object, one with `OBJECT` bytes.

    Its lists have `ELEMENTS` elements of equal size.
    """
    return cost(root, libraries, of_size(OBJECT, ELEMENTS))


@lru_cache(maxsize=4_096)
def _certain(root: Node, libraries: tuple[str, ...], size: int) -> BudgetCheck | None:
    """What holds for any variables of this size together; None where some may be too much."""
    found = cost(root, libraries, of_size(size), ITERATIONS)
    return BudgetCheck(affordable(found, _LIGHT)) if affordable(found) else None


@lru_cache(maxsize=4_096)
def _read(root: Node) -> tuple[str, ...]:
    """The variables that the tree may read."""
    return tuple(dict(names(root)))
