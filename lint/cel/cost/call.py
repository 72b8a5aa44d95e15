"""A call: the bounds of its operands, and what it costs."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from celvet.lint.cel.cost.size import CELL, SizeBound
from celvet.lint.cel.syntax.tree import Literal, Node
from celvet.record import record


@record
class CallCost:
    """The result, the steps, and the bytes in addition to the result."""

    result: SizeBound
    steps: int = 0
    spare: int = 0


@record
class Operand:
    """An argument or the target: its bounds, and its literal.

    `several` says that a call stands for many, with the sum of their operands; then a literal
    number is not a limit.
    """

    extent: SizeBound
    node: Node
    several: bool = False

    def literal(self, kind: str) -> str | int | None:
        """The value of a literal of this type."""
        if isinstance(self.node, Literal) and self.node.kind == kind:
            return self.node.value  # type: ignore[return-value]
        return None

    @property
    def limit(self) -> int | None:
        """The number in a literal."""
        number = None if self.several else self.literal("int")
        return number if isinstance(number, int) else None


CostRule = Callable[[Sequence[Operand]], CallCost]


def text_bound(size: int) -> SizeBound:
    """The bounds of a text of `size` bytes."""
    return SizeBound(CELL + size)


def copy_cost(result: SizeBound, *, work: int = 0) -> CallCost:
    """The cost of a call that writes its result once, and takes `work` besides."""
    return CallCost(result, result.bytes // 64 + work)
