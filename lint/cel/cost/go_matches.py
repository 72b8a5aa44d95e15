"""The cost of `matches` in cel-go, of patterns that are constants or come from the object."""

from __future__ import annotations

from collections.abc import Sequence

from celvet.lint.cel.cost.call import CallCost, Operand
from celvet.lint.cel.cost.regex_size import COUNTED, MOST_IN_GO, GoPattern
from celvet.lint.cel.cost.size import CHARACTER, SCALAR
from celvet.lint.cel.syntax.tree import Call, Literal, Node

_PLAIN = 2**10
"""Instructions of a pattern of names beyond which it is not taken to pieces."""


def go_matches(operands: Sequence[Operand]) -> CallCost:
    """A pattern that is no constant is compiled in each call.

    cel-go takes 7 to 18 ns for each character and instruction that runs at it.
    """
    text, pattern = operands[:2]
    found = _program(pattern)
    read = text.extent.text
    if found.reads is not None and not text.several:
        read = min(read, found.reads)
    if isinstance(pattern.node, Literal):  # compiled once; `cost` counts that as the program's
        return CallCost(SCALAR, read * (2 * found.running + 1) // 2)
    steps, size = go_compiled(found)
    if not pattern.extent.plain:
        steps += go_parsed(pattern.extent.text)
    return CallCost(SCALAR, steps + read * found.running * 3 // 2, size)


def _program(pattern: Operand) -> GoPattern:
    """The program of a pattern; one that comes from the object may repeat whatever it can."""
    literal = pattern.literal("string")
    if isinstance(literal, str):
        return go_pattern(literal)
    length, unknown = pattern.extent.text, _unknown(pattern.node)
    if pattern.extent.plain and length <= _PLAIN and not pattern.several:
        return go_pattern(_known(pattern.node, "." * (length // unknown)))
    if pattern.extent.plain and "{" not in _known(pattern.node, ""):
        return GoPattern(length, length)
    size = length if length <= CHARACTER else COUNTED * length
    size = size if pattern.several else min(size, MOST_IN_GO)
    return GoPattern(size, size)


def go_pattern(text: str) -> GoPattern:
    """The cost of a pattern in Go; one that Go refuses costs nothing."""
    from celvet.lint.cel.cost.go_regex import parsed  # rarely needed

    return parsed(text)


def go_compiled(pattern: GoPattern) -> tuple[int, int]:
    """The steps and bytes that Go takes to compile a pattern."""
    return 100 * pattern.instructions, 330 * pattern.instructions


def go_parsed(length: int) -> int:
    """The steps for the parser to refuse the slowest pattern of some letters.

    That is one of two alternatives of equal dots: `factor` of `regexp/syntax/parse.go` takes the
    common beginning one piece at a time. 20,000 letters take 0.9 s, 40,000 take 3.6 s, and 80,000
    take 16.6 s.
    """
    return length**2 // 4


def _known(pattern: Node, unknown: str) -> str:
    """A pattern that an expression puts together, with a text for each part from the object."""
    if isinstance(pattern, Literal):
        return str(pattern.value)
    if isinstance(pattern, Call) and pattern.function == "_+_":
        return "".join(_known(each, unknown) for each in pattern.args)
    return unknown


def _unknown(pattern: Node) -> int:
    """The number of parts from the object, at least one."""
    return max(_known(pattern, "\0").count("\0"), 1)
