"""The cost of each function and operator in cel-go, as `bench/cel_cost.py` measures it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from celvet.lint.cel.cost.call import CallCost, CostRule, Operand, copied, text_bound
from celvet.lint.cel.cost.functions import PRECISION, RULES, SETS
from celvet.lint.cel.cost.go_matches import go_matches
from celvet.lint.cel.cost.size import CELL, CHARACTER, SCALAR, NameSize, SizeBound
from celvet.lint.cel.cost.whole import has_whole, quoted
from celvet.lint.cel.syntax.tree import Literal
from celvet.lint.cel.syntax.vocabulary import COMPARISONS

_PLACES = 64
"""Bytes of a text for each place of a name in it: a thousand names that differ share the places."""


def _go_sets(operands: Sequence[Operand]) -> CallCost:
    """cel-go compares each pair once; a text that is compared is as long as the shorter one."""
    one, other = (operand.extent for operand in operands[:2])
    return CallCost(SCALAR, min(one.count * other.bytes, other.count * one.bytes) // 64)


def _wide(name: str) -> CostRule:
    """Go compares strings word by word."""
    return lambda operands: CallCost(SCALAR, RULES[name](operands).steps // 8)


def _scan(operands: Sequence[Operand]) -> CallCost:
    """`strings.Contains` and the like read the string once."""
    return CallCost(SCALAR, sum(operand.extent.text for operand in operands[:2]) // 64)


def _prefix(operands: Sequence[Operand]) -> CallCost:
    """cel-go compares the first or last part of the text."""
    return CallCost(SCALAR, min(operand.extent.text for operand in operands[:2]) // 64)


def _scan_runes(operands: Sequence[Operand]) -> CallCost:
    """cel-go's `indexOf` compares at each position; both strings come from one object.

    If the part contains the whole text, there is one position. A part that begins with a quote or a
    bracket is found to differ at once nearly everywhere.
    """
    text, part = (operand.extent.text for operand in operands[:2])
    if has_whole(operands[1].node, operands[0].node) or quoted(operands[1].node):
        return CallCost(SCALAR, (text + part) // 8)
    shared = 8 if isinstance(operands[1].node, Literal) else 64
    return CallCost(SCALAR, text * part // shared + (text + part) // 8)


def _go_text(nanoseconds: int) -> CostRule:
    """A function that reads its text, in this time for each byte."""
    return lambda operands: copied(
        operands[0].extent, work=operands[0].extent.text * nanoseconds // 10
    )


def _go_substring(operands: Sequence[Operand]) -> CallCost:
    """cel-go converts the whole text to characters."""
    part = RULES["substring"](operands)
    return CallCost(part.result, part.steps + operands[0].extent.text * 3 // 10)


def _counted(operands: Sequence[Operand]) -> CallCost:
    return CallCost(SCALAR, operands[0].extent.text // 12)


def _go_size(operands: Sequence[Operand]) -> CallCost:
    """The characters of a text are counted, the elements of a list are not.

    A field may be either, and is taken for a list.
    """
    held = operands[0].extent
    return CallCost(SCALAR, 1) if held.count else _counted(operands)


def _go_encoded(nanoseconds: int) -> CostRule:
    """A function whose result may be twice as long as the text."""
    return lambda operands: copied(
        text_bound(2 * operands[0].extent.text + 4),
        work=operands[0].extent.text * nanoseconds // 10,
    )


def _go_replace(operands: Sequence[Operand]) -> CallCost:
    """cel-go looks for a part of more than 64 bytes by its hash.

    If the new part contains the old one, the result is not much longer than the text. An old part
    that contains the whole text is all of it or not in it, so that nothing is copied.
    """
    text, old, new = (operand.extent.text for operand in operands[:3])
    if has_whole(operands[2].node, operands[1].node):
        return copied(text_bound(2 * text), work=text)
    if has_whole(operands[1].node, operands[0].node):
        kept, put = operands[0].extent, operands[2].extent
        return CallCost(kept if text >= new else put, 1)
    if not isinstance(operands[1].extent, NameSize):
        replaced = RULES["replace"](operands)
        return CallCost(replaced.result, replaced.steps - text * max(old - 64, 0) // 512)
    places = text // _PLACES + 1
    return copied(text_bound(text + places * new), work=places + text * min(old, 64) // 512)


def _go_split(operands: Sequence[Operand]) -> CallCost:
    """cel-go does not convert the parts. Names that differ split a text into fewer parts."""
    split, text = RULES["split"](operands).result, operands[0].extent.text
    if not isinstance(operands[1].extent, NameSize):
        return copied(split, work=3 * split.count)
    count = text // _PLACES + 1
    size = (count + 1) * CELL + text
    return copied(SizeBound(size, count, text_bound(text), text), work=8 * count + text // 8)


def _go_format(operands: Sequence[Operand]) -> CallCost:
    """cel-go writes into one buffer; only a number may be longer than its value."""
    template, values = operands[:2]
    literal = template.literal("string")
    if not isinstance(literal, str):
        return RULES["format"](operands)
    digits = sum(int(found[:9]) for found in PRECISION.findall(literal))
    numbers = literal.count("%") - literal.count("%s")
    size = template.extent.text + 2 * values.extent.bytes + digits + 512 * numbers
    return CallCost(text_bound(size), size // 16 + 50 * literal.count("%"))


def _go_join(operands: Sequence[Operand]) -> CallCost:
    """cel-go's takes up to 3 ns for each byte, since its text grows, and less for a few parts."""
    joined = RULES["join"](operands)
    growth = min(operands[0].extent.count, 6)
    return CallCost(joined.result, joined.result.text * growth // 20 + joined.steps)


def _go_printed(operands: Sequence[Operand]) -> CallCost:
    """cel-go makes a message of each value; a character may be one of six."""
    held = operands[0].extent
    values = held.bytes // CELL
    size = 6 * held.text + CELL * values
    return CallCost(text_bound(size), 2 * held.text + 50 * values, 3 * held.bytes)


CEL_GO: Mapping[str, CostRule] = {
    **RULES,
    "contains": _scan,
    **dict.fromkeys(("endsWith", "startsWith"), _prefix),
    **dict.fromkeys(("indexOf", "lastIndexOf"), _scan_runes),
    **dict.fromkeys(COMPARISONS, _wide("_==_")),
    **dict.fromkeys(SETS, _go_sets),
    "@in": _wide("@in"),
    "format": _go_format,
    "join": _go_join,
    "json.encode": _go_printed,
    "matches": go_matches,
    "replace": _go_replace,
    "split": _go_split,
    "base64.decode": _go_text(1),
    "base64.encode": _go_encoded(2),
    "charAt": lambda operands: CallCost(text_bound(CHARACTER), operands[0].extent.text * 3 // 10),
    **dict.fromkeys(("lowerAscii", "reverse", "upperAscii"), _go_text(6)),
    "size": _go_size,
    "strings.quote": _go_encoded(15),
    "substring": _go_substring,
    "trim": _go_text(1),
}

CEL_GO_OF_TEXTS: Mapping[str, CostRule] = {**CEL_GO, "size": _counted}
"""The same if each value whose size is asked for is a text."""
