"""Bounds: no template takes longer, or makes more, than these allow."""

from __future__ import annotations

from celvet.lint.go.step_meter import LimitError, StepMeter
from celvet.record import record


@record
class TemplateLimits:
    """How much one execution may do.

    Attributes:
        tokens: words and signs in the actions of a template, a long one as several, and stretches
            of text between them.
        steps: evaluated nodes, items that functions look at, and stretches of the texts that they
            read and write.
        output: code points of the result.
        value: code points of any text on the way, and of any argument that sets a width.
        items: items of any list, and rounds of any `range`.
        depth: blocks, parentheses and templates within each other.
    """

    tokens: int = 5_000
    steps: int = 10_000
    output: int = 500_000
    value: int = 500_000
    items: int = 10_000
    depth: int = 100


class Meter(StepMeter):
    """Counts what an execution uses, and stops it at a bound with a `LimitError`."""

    __slots__ = ("limits", "output")

    def __init__(self, limits: TemplateLimits) -> None:
        super().__init__("the template", limits.steps)
        self.limits = limits
        self.output = 0

    def text(self, length: int) -> None:
        """Count a text, before it is made."""
        if length > self.limits.value:
            raise LimitError(f"a text is longer than {self.limits.value} characters")
        self.spend(1 + length // 100)

    def characters(self, count: int) -> None:
        """Count characters that are looked at one by one."""
        self.spend(count // 4)

    def number(self) -> None:
        """Count a number that is written: the shortest digits of a float take some time."""
        self.spend(4)

    def items(self, count: int) -> None:
        """Count the items of a list, before it is made."""
        if count > self.limits.items:
            raise LimitError(f"a list has more than {self.limits.items} items")
        self.spend(1 + count // 10)

    def write(self, length: int) -> None:
        """Count a piece of the result."""
        self.output += length
        if self.output > self.limits.output:
            raise LimitError(f"the output is longer than {self.limits.output} characters")
        self.spend(length // 1000)
