"""Expressions that are hopeless on large objects, because loops or texts multiply.

The bound is that of celvet's engine, and cel-go is faster in places: it copies no list in `map`,
reads a text once in `contains`, and matches a constant pattern in linear time. Nothing is claimed
about these. What remains multiplies in both: rounds of loops, texts that grow, a search for one
text of the object in another, a pattern that the object chooses.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import log2

from celvet.lint.cel.cost.estimate import Cost, PartCost, cost, of_size
from celvet.lint.cel.eval.budget import MAX_BYTES, MAX_STEPS, is_affordable
from celvet.lint.cel.syntax.tree import Call, Literal, Macro, Node
from celvet.record import record

OBJECT = 3 * 2**19
"""Bytes that etcd allows for one object."""

ELEMENTS = 1_000
"""Elements assumed in each list, each with an equal share of the object."""

_SMALL_OBJECT = 2**10
_FEW_ELEMENTS = 32

_HOPELESS = 10
"""Only what may take more than ten times the budget is reported: the bound of a cheap loop is up to
eight times too high."""

_SHORT_PATTERN = 1_000
"""Bytes of a pattern that is harmless: a name, or a label with something around it."""

_NODE = 10
_BASE, _DOUBLINGS = 2**14, 3
"""The growth is measured between two sizes, from the smaller one on."""


@record
class Excess:
    """The sub-expression that makes an evaluation hopeless.

    Either its texts take the `memory`, or it takes the time. This grows with the `power` of the
    object's size. With `always`, the smallest objects are enough.
    """

    node: Node
    memory: bool
    power: int
    always: bool


def excess(root: Node, libraries: tuple[str, ...]) -> Excess | None:
    """The part of an expression that may be hopeless; None if the engine's bound is low."""
    large = cost(root, libraries, of_size(OBJECT, ELEMENTS))
    if is_affordable(large):
        return None
    # A text that is too large is the cause of the time that it takes, so it comes first.
    memory = True
    node = next(_large_texts(large), None)
    if node is None:
        memory = False
        node = _slowest(large)
    if node is None:
        return None
    small = cost(root, libraries, of_size(_SMALL_OBJECT, _FEW_ELEMENTS))
    # Hopeless on a small object too means that the expression itself is large, whatever it reads.
    always = node in _large_texts(small) if memory else _is_slow(node, small)
    power = _power(root, libraries, node, memory=memory)
    return Excess(node, memory, power, always) if always or power > 1 else None


def _large_texts(bound: Cost) -> Iterator[Node]:
    """The calls whose result may be a text far beyond the budget, inner ones first."""
    for node, part in bound.parts.items():
        # A list may refer to one text many times.
        is_text = isinstance(node, Call) and not part.result.count
        if is_text and part.result.text > _HOPELESS * MAX_BYTES:
            yield node


def _slowest(bound: Cost) -> Node | None:
    """The sub-expression that takes the most time, if that is hopeless."""
    node = max(bound.parts, key=lambda node: _steps(node, bound))
    return node if _is_slow(node, bound) else None


def _is_slow(node: Node, bound: Cost) -> bool:
    return _steps(node, bound) > _HOPELESS * MAX_STEPS


def _steps(node: Node, bound: Cost) -> int:
    """The steps of a sub-expression, without those that cel-go may not need."""
    part: PartCost = bound.parts[node]
    if isinstance(node, Macro) or _is_linear_in_go(node, bound):
        return _NODE * part.times
    return part.steps


def _is_linear_in_go(node: Node, bound: Cost) -> bool:
    if not isinstance(node, Call):
        return False
    if node.function == "matches":
        pattern = node.args[-1]
        return isinstance(pattern, Literal) or bound.parts[pattern].result.text <= _SHORT_PATTERN
    return node.function in ("contains", "endsWith", "format", "startsWith")


def _power(root: Node, libraries: tuple[str, ...], node: Node, *, memory: bool) -> int:
    """The power of the object's size with which the node's cost grows."""
    if isinstance(node, Call) and node.function == "matches":
        return 2  # text times pattern; RE2 has a limit for the pattern
    bounds = (cost(root, libraries, of_size(_BASE << shift)) for shift in (0, _DOUBLINGS))
    smaller, larger = (
        bound.parts[node].result.text if memory else _steps(node, bound) for bound in bounds
    )
    return round(log2(max(larger, 1) / max(smaller, 1)) / _DOUBLINGS)
