"""The budget of an evaluation: about a second, and 256 MB.

Anybody may have written the manifest that an expression comes from, so an
expression that may exceed the budget is not evaluated. Real expressions take a
thousandth of it.
"""

from __future__ import annotations

from functools import lru_cache

from celvet.lint.cel.cost.estimate import (
    CONTROLLER,
    CONTROLLER_OF_TEXTS,
    ITERATIONS,
    STEPS_A_SECOND,
    Cost,
    cost,
    of_size,
    of_values,
)
from celvet.lint.cel.engine.activation import Activation
from celvet.lint.cel.engine.outcome import Outcome, beyond
from celvet.lint.cel.syntax.tree import Node, names
from celvet.record import record

MAX_STEPS = STEPS_A_SECOND
MAX_BYTES = 256 * 2**20

_CLAIMED_STEPS = 5 * STEPS_A_SECOND
"""The threshold of claims about a controller. A cheap loop's bound is up to eight times too high,
and nothing is to be said of an evaluation below a second."""

_DOUBT = 10
"""How far two readings of an expression, or two bounds, may differ for a claim to be made."""

_LIGHT = 64
"""An evaluation below this fraction of the budget leaves little memory behind."""

OBJECT = 3 * 2**19
"""Bytes that etcd allows for one object: the size assumed if no object is given."""

ELEMENTS = 1_000
"""Elements assumed in each list, each with an equal share of the object."""

_MOST_STEPS = 36_000 * STEPS_A_SECOND
_MOST_BYTES = 100 * 2**30
"""A claim may be ten times too high; beyond these, only a tenth of them is told."""

_SMALL = 2**10
_FEW = 32
"""Bytes of about the smallest object, and the elements of its lists."""

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
    """Whether an evaluation of this cost is within a fraction of the budget."""
    return found.steps * part <= MAX_STEPS and found.bytes * part <= MAX_BYTES


def refusal(found: Cost) -> Outcome:
    """The outcome of an evaluation that is over budget."""
    return beyond(f"it may take {_amount(found)}")


def _amount(found: Cost) -> str:
    if found.bytes > MAX_BYTES:
        return f"{_bytes(found.bytes)} of memory"
    return f"{_seconds(found.steps)} of CPU time"


def _bytes(count: int) -> str:
    return f"{count / 2**20:,.0f} MB" if count < _MOST_BYTES else "more than 10 GB"


def _seconds(steps: int) -> str:
    if steps >= _MOST_STEPS:
        return "more than an hour"
    return f"{steps / STEPS_A_SECOND:,.0f} seconds"


@record
class Excess:
    """The cost of an evaluation over budget, in words, and the most expensive part.

    `always` says that even the smallest objects exceed the budget.
    """

    amount: str
    node: Node
    always: bool


def excess(root: Node, libraries: tuple[str, ...]) -> Excess | None:
    """The cost in the controller, which has no limit; None if it is small.

    What is told is the cost on the worst object that is found. It is None if the bound, which no
    object exceeds, is far above that, or if it is not known whether `size` counts characters, and
    that decides.
    """
    most = excessive_bound(root, libraries)
    shown = _shown(root, libraries, most, OBJECT, ELEMENTS) if most else None
    if shown is None:
        return None
    small = cost(root, libraries, of_size(_SMALL, _FEW), machine=CONTROLLER)
    always = _claimed(small) and _shown(root, libraries, small, _SMALL, _FEW) is not None
    return Excess(*shown, always)


def excessive_bound(root: Node, libraries: tuple[str, ...]) -> Cost | None:
    """The bound of the cost in the controller; None if it is small, or not known."""
    found = cost(root, libraries, of_size(OBJECT, ELEMENTS), machine=CONTROLLER)
    if not _claimed(found):
        return None
    dearest = cost(root, libraries, of_size(OBJECT, ELEMENTS), machine=CONTROLLER_OF_TEXTS)
    return None if dearest.steps > _DOUBT * found.steps else found


def _claimed(found: Cost) -> bool:
    return found.steps > _CLAIMED_STEPS or found.bytes > MAX_BYTES


def _shown(
    root: Node, libraries: tuple[str, ...], most: Cost, size: int, elements: int
) -> tuple[str, Node] | None:
    """The cost on the worst object of this size, in words, and the most expensive part."""
    from celvet.lint.cel.cost.worst_case.search import worst_case  # rarely needed

    slow = worst_case(root, libraries, size, elements, of=lambda taken: taken.total)
    if slow and slow.total > _CLAIMED_STEPS and _near(slow.total, most.steps, _MOST_STEPS):
        return f"{_seconds(slow.total)} of CPU time", slow.node
    large = worst_case(root, libraries, size, elements, of=lambda taken: taken.bytes)
    if large and large.bytes > MAX_BYTES and _near(large.bytes, most.bytes, _MOST_BYTES):
        return f"{_bytes(large.bytes)} of memory", most.node
    return None


def _near(found: int, most: int, told: int) -> bool:
    """Whether a cost is near its bound, or above what is told in figures."""
    return most <= _DOUBT * found or found > told


@lru_cache(maxsize=4_096)
def _certain(root: Node, libraries: tuple[str, ...], size: int) -> BudgetCheck | None:
    """The check for all variables of this total size; None if some may exceed the budget."""
    found = cost(root, libraries, of_size(size), ITERATIONS)
    return BudgetCheck(affordable(found, _LIGHT)) if affordable(found) else None


@lru_cache(maxsize=4_096)
def _read(root: Node) -> tuple[str, ...]:
    """The variables that the tree may read."""
    return tuple(dict(names(root)))
