"""The cost of each function and operator, given the sizes of its operands.

A cost has the bounds of the result, and the work in steps of about 10 ns. The
figures were measured on the engine, for an algorithm's worst case (`contains` of
a long text, a regular expression without a finite automaton).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from celvet.lint.cel.cost.regex_size import (
    COUNTED,
    MOST,
    MOST_IN_GO,
    GoPattern,
    ends_early,
    instructions,
)
from celvet.lint.cel.cost.size import CELL, SCALAR, NameSize, SizeBound, UnknownSize, join
from celvet.lint.cel.cost.whole import has_whole
from celvet.lint.cel.syntax.tree import Call, Literal, Node
from celvet.record import record
from celvet.regex import regex

_PRECISION = regex(r"%\.([0-9]+)")
_ENGINE_PRECISION = 1000
"""The most digits that the engine prints in a clause; our own printing has no limit."""

_CHARACTER = 4
"""The most bytes of a character."""

_PLACES = 64
"""Bytes of a text for each place of a name in it: a thousand names that differ share the places."""

_PLAIN = 2**10
"""Instructions of a pattern of names beyond which it is not taken to pieces."""


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
        found = None if self.several else self.literal("int")
        return found if isinstance(found, int) else None


CostRule = Callable[[Sequence[Operand]], CallCost]


def call_cost(name: str, operands: Sequence[Operand], rules: Mapping[str, CostRule]) -> CallCost:
    """The cost of the function or operator of this name; with too few operands it fails."""
    rule = rules.get(name)
    enough = len(operands) >= _LEAST.get(name, 1)
    return rule(operands) if rule and enough else CallCost(SCALAR, 1)


def _text(size: int, *, plain: bool = False) -> SizeBound:
    return SizeBound(CELL + size, plain=plain)


def _copied(result: SizeBound, *, work: int = 0) -> CallCost:
    return CallCost(result, result.bytes // 64 + work)


def _add(operands: Sequence[Operand]) -> CallCost:
    left, right = (operand.extent for operand in operands)
    # what a literal repeats is seen in it
    plain = all(each.extent.plain or isinstance(each.node, Literal) for each in operands)
    if isinstance(left, NameSize) or isinstance(right, NameSize):
        size = left.text + right.text
        return CallCost(NameSize(CELL + size), size // 64)
    count = left.count + right.count
    each = join([left.element(), right.element()]) if count else None
    return CallCost(
        SizeBound(
            left.bytes + right.bytes,
            count,
            each,
            left.text + right.text,
            plain,
        ),
        (left.bytes + right.bytes) // 64,
    )


def _compare(operands: Sequence[Operand], width: int = 8) -> CallCost:
    sizes = [operand.extent.bytes for operand in operands]
    return CallCost(SCALAR, min(sizes) // width)


def _member(operands: Sequence[Operand], width: int = 8) -> CallCost:
    element, container = (operand.extent for operand in operands)
    return CallCost(SCALAR, min(element.bytes * container.count, container.bytes) // width)


def _sets(operands: Sequence[Operand]) -> CallCost:
    one, other = (operand.extent for operand in operands[:2])
    return CallCost(SCALAR, (one.count * other.bytes + other.count * one.bytes) // 8)


def _go_sets(operands: Sequence[Operand]) -> CallCost:
    """cel-go compares each pair once; a text that is compared is as long as the shorter one."""
    one, other = (operand.extent for operand in operands[:2])
    return CallCost(SCALAR, min(one.count * other.bytes, other.count * one.bytes) // 64)


def _wide(rule: Callable[[Sequence[Operand], int], CallCost]) -> CostRule:
    """Go compares strings word by word."""
    return lambda operands: rule(operands, 64)


def _choose(operands: Sequence[Operand]) -> CallCost:
    return CallCost(join(operand.extent for operand in operands[1:]))


def _index(operands: Sequence[Operand]) -> CallCost:
    held, index = operands
    key = index.literal("string")
    return CallCost(held.extent.field(key) if isinstance(key, str) else held.extent.element())


def _same(operands: Sequence[Operand]) -> CallCost:
    return _copied(operands[0].extent)


def _either(operands: Sequence[Operand]) -> CallCost:
    return CallCost(join(operand.extent for operand in operands))


def _element(operands: Sequence[Operand]) -> CallCost:
    return CallCost(operands[0].extent.element())


def _search(operands: Sequence[Operand]) -> CallCost:
    text, part = (operand.extent.text for operand in operands[:2])
    return CallCost(SCALAR, (text * part) // 512 + (text + part) // 64)


def _substring(operands: Sequence[Operand]) -> CallCost:
    """With two constant bounds, a part is no longer than their distance."""
    text, *bounds = operands
    first, last = [each.limit for each in bounds] if len(bounds) == 2 else (None, None)
    if first is not None and last is not None:
        size = min(text.extent.text, 4 * max(last - first, 0))
        return _copied(_text(size, plain=text.extent.plain))
    return _same(operands)


def _scan(operands: Sequence[Operand]) -> CallCost:
    """`strings.Contains` and the like read the string once."""
    return CallCost(SCALAR, sum(operand.extent.text for operand in operands[:2]) // 64)


def _prefix(operands: Sequence[Operand]) -> CallCost:
    """cel-go compares the first or last part of the text."""
    return CallCost(SCALAR, min(operand.extent.text for operand in operands[:2]) // 64)


def _scan_runes(operands: Sequence[Operand]) -> CallCost:
    """cel-go's `indexOf` compares at each position; both strings come from one object.

    If the part contains the whole text, there is one position.
    """
    text, part = (operand.extent.text for operand in operands[:2])
    if has_whole(operands[1].node, operands[0].node):
        return CallCost(SCALAR, (text + part) // 8)
    shared = 8 if isinstance(operands[1].node, Literal) else 64
    return CallCost(SCALAR, text * part // shared + (text + part) // 8)


def _matches(operands: Sequence[Operand]) -> CallCost:
    text, pattern = operands[:2]
    literal = pattern.literal("string")
    if isinstance(literal, str):
        size = instructions(literal)
        # A constant is compiled once; `cost` counts that as the program's.
        early = ends_early(literal) and not text.several
        read = min(text.extent.text, 4 * size) if early else text.extent.text
        return CallCost(SCALAR, read * size // 8)
    size = pattern.extent.text * 1400
    size = size if pattern.several else min(size, MOST)
    return CallCost(SCALAR, size * (300 + text.extent.text // 8))


def _go_matches(operands: Sequence[Operand]) -> CallCost:
    """A pattern that is no constant is compiled in each call.

    cel-go takes 7 to 18 ns for each character and instruction that runs at it.
    """
    text, pattern = operands[:2]
    found = _go_program(pattern)
    read = text.extent.text
    if found.reads is not None and not text.several:
        read = min(read, found.reads)
    if isinstance(pattern.node, Literal):  # compiled once; `cost` counts that as the program's
        return CallCost(SCALAR, read * (2 * found.running + 1) // 2)
    steps, size = go_compiled(found)
    return CallCost(SCALAR, steps + read * found.running * 3 // 2, size)


def _go_program(pattern: Operand) -> GoPattern:
    """The program of a pattern; one that comes from the object may repeat whatever it can."""
    literal = pattern.literal("string")
    if isinstance(literal, str):
        return go_pattern(literal)
    length, unknown = pattern.extent.text, _unknown(pattern.node)
    if pattern.extent.plain and length <= _PLAIN and not pattern.several:
        return go_pattern(_known(pattern.node, "." * (length // unknown)))
    if pattern.extent.plain and "{" not in _known(pattern.node, ""):
        return GoPattern(length, length)
    size = length if length <= _CHARACTER else COUNTED * length
    size = size if pattern.several else min(size, MOST_IN_GO)
    return GoPattern(size, size)


def go_pattern(text: str) -> GoPattern:
    """The cost of a pattern in Go; one that Go refuses costs nothing."""
    from celvet.lint.cel.cost.go_regex import parsed  # rarely needed

    return parsed(text)


def go_compiled(pattern: GoPattern) -> tuple[int, int]:
    """The steps and bytes that Go takes to compile a pattern."""
    return 100 * pattern.instructions, 330 * pattern.instructions


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


def _replace(operands: Sequence[Operand]) -> CallCost:
    text, old, new = (operand.extent.text for operand in operands[:3])
    found = operands[1].literal("string")
    places = text // len(found.encode()) if isinstance(found, str) and found else text + 1
    most = operands[3].limit if len(operands) > 3 else None
    if most is not None and most >= 0:
        places = min(places, most)
    return _copied(_text(text + places * new), work=places + text * old // 512)


def _go_text(nanoseconds: int) -> CostRule:
    """A function that reads its text, in this time for each byte."""
    return lambda operands: _copied(
        operands[0].extent, work=operands[0].extent.text * nanoseconds // 10
    )


def _go_substring(operands: Sequence[Operand]) -> CallCost:
    """cel-go converts the whole text to characters."""
    part = _substring(operands)
    return CallCost(part.result, part.steps + operands[0].extent.text * 3 // 10)


def _go_size(operands: Sequence[Operand]) -> CallCost:
    """The characters of a text are counted, the elements of a list are not."""
    held = operands[0].extent
    listed = held.count and not isinstance(held, UnknownSize)
    return CallCost(SCALAR, 1 if listed else held.text // 12)


def _go_encoded(nanoseconds: int) -> CostRule:
    """A function whose result may be twice as long as the text."""
    return lambda operands: _copied(
        _text(2 * operands[0].extent.text + 4), work=operands[0].extent.text * nanoseconds // 10
    )


def _go_replace(operands: Sequence[Operand]) -> CallCost:
    """cel-go looks for a part of more than 64 bytes by its hash.

    If the new part contains the old one, the result is not much longer than the text. An old part
    that contains the whole text has one place in it.
    """
    text, old, new = (operand.extent.text for operand in operands[:3])
    if has_whole(operands[2].node, operands[1].node):
        return _copied(_text(2 * text), work=text)
    if has_whole(operands[1].node, operands[0].node):
        return _copied(_text(text + 2 * new), work=text)
    if not isinstance(operands[1].extent, NameSize):
        replaced = _replace(operands)
        return CallCost(replaced.result, replaced.steps - text * max(old - 64, 0) // 512)
    places = text // _PLACES + 1
    return _copied(_text(text + places * new), work=places + text * min(old, 64) // 512)


def _go_split(operands: Sequence[Operand]) -> CallCost:
    """Names that differ split a text into fewer parts."""
    if not isinstance(operands[1].extent, NameSize):
        return _split(operands)
    text = operands[0].extent.text
    count = text // _PLACES + 1
    size = (count + 1) * CELL + text
    return _copied(SizeBound(size, count, _text(text), text), work=8 * count + text // 8)


def _split(operands: Sequence[Operand]) -> CallCost:
    text = operands[0].extent
    separator = operands[1].literal("string")
    width = len(separator.encode()) if isinstance(separator, str) else 0
    count = text.text // max(width, 1) + 1
    characters = separator == "" and len(operands) == 2
    part = _text(min(text.text, _CHARACTER) if characters else text.text, plain=text.plain)
    size = (count + 1) * CELL + text.text
    return _copied(SizeBound(size, count, part, text.text), work=8 * count)


def _join(operands: Sequence[Operand]) -> CallCost:
    held = operands[0].extent
    separator = operands[1].extent.text if len(operands) > 1 else 0
    return _copied(_text(held.text + held.count * separator), work=held.count)


def _format(operands: Sequence[Operand]) -> CallCost:
    template, values = operands[:2]
    literal = template.literal("string")
    if isinstance(literal, str):
        digits = sum(int(found[:9]) for found in _PRECISION.findall(literal))
        clauses = literal.count("%")
    else:
        clauses = template.extent.text // 2
        digits = clauses * _ENGINE_PRECISION
    size = template.extent.text + values.extent.printed + digits + 512 * clauses
    # celvet's version concatenates its clauses, each with the text before it.
    return CallCost(_text(size), size // 16, size * clauses)


def _string(operands: Sequence[Operand]) -> CallCost:
    held = operands[0].extent
    return _copied(_text(max(held.text, 64), plain=held.plain))


def _printed(operands: Sequence[Operand]) -> CallCost:
    """Each character may become six, and each value goes through Python."""
    size = 6 * operands[0].extent.printed
    return CallCost(_text(size), size)


def _go_format(operands: Sequence[Operand]) -> CallCost:
    """cel-go writes into one buffer; only a number may be longer than its value."""
    template, values = operands[:2]
    literal = template.literal("string")
    if not isinstance(literal, str):
        return _format(operands)
    digits = sum(int(found[:9]) for found in _PRECISION.findall(literal))
    numbers = literal.count("%") - literal.count("%s")
    size = template.extent.text + 2 * values.extent.bytes + digits + 512 * numbers
    return CallCost(_text(size), size // 16 + 50 * literal.count("%"))


def _go_join(operands: Sequence[Operand]) -> CallCost:
    """cel-go's takes up to 3 ns for each byte, since its text grows, and less for a few parts."""
    joined = _join(operands)
    growth = min(operands[0].extent.count, 6)
    return CallCost(joined.result, joined.result.text * growth // 20 + joined.steps)


def _go_printed(operands: Sequence[Operand]) -> CallCost:
    """cel-go makes a message of each value; a character may be one of six."""
    held = operands[0].extent
    values = held.bytes // CELL
    size = 6 * held.text + CELL * values
    return CallCost(_text(size), 2 * held.text + 50 * values, 3 * held.bytes)


def _times(factor: int) -> CostRule:
    return lambda operands: _copied(_text(factor * operands[0].extent.text + 4))


_EQUAL = ("_==_", "_!=_", "_<_", "_<=_", "_>_", "_>=_")
_SEARCHES = ("contains", "endsWith", "indexOf", "lastIndexOf", "startsWith")
_SAME = ("base64.decode", "bytes", "charAt", "dyn", "lowerAscii", "reverse", "trim")
_HELD = ("optional.of", "optional.ofNonZeroValue", "optional.unwrap", "unwrapOpt", "value")
_SETS = ("sets.contains", "sets.equivalent", "sets.intersects")

RULES: dict[str, CostRule] = {
    "_+_": _add,
    "_?_:_": _choose,
    "@in": _member,
    "_[_]": _index,
    "_[?_]": _index,
    "base64.encode": _times(2),
    "first": _element,
    "format": _format,
    "join": _join,
    "json.encode": _printed,
    "last": _element,
    "matches": _matches,
    "or": _either,
    "orValue": _either,
    "replace": _replace,
    "split": _split,
    "string": _string,
    "strings.quote": _times(2),
    "substring": _substring,
    "upperAscii": _same,
    "type": lambda operands: CallCost(_text(64)),
    **dict.fromkeys(_EQUAL, _compare),
    **dict.fromkeys(_SEARCHES, _search),
    **dict.fromkeys(_SAME, _same),
    **dict.fromkeys(_HELD, _either),
    **dict.fromkeys(_SETS, _sets),
}
"""Name -> its rule in the engine; any other gives a scalar."""

CEL_GO: Mapping[str, CostRule] = {
    **RULES,
    "contains": _scan,
    **dict.fromkeys(("endsWith", "startsWith"), _prefix),
    **dict.fromkeys(("indexOf", "lastIndexOf"), _scan_runes),
    **dict.fromkeys(_EQUAL, _wide(_compare)),
    **dict.fromkeys(_SETS, _go_sets),
    "@in": _wide(_member),
    "format": _go_format,
    "join": _go_join,
    "json.encode": _go_printed,
    "matches": _go_matches,
    "replace": _go_replace,
    "split": _go_split,
    "base64.decode": _go_text(1),
    "base64.encode": _go_encoded(2),
    "charAt": lambda operands: CallCost(_text(_CHARACTER), operands[0].extent.text * 3 // 10),
    **dict.fromkeys(("lowerAscii", "reverse", "upperAscii"), _go_text(6)),
    "size": _go_size,
    "strings.quote": _go_encoded(15),
    "substring": _go_substring,
    "trim": _go_text(1),
}
"""The same in cel-go, as `bench/cel_cost.py` measures it."""

_SUMMABLE = frozenset(
    {"_+_", "_?_:_", "@in", "_[_]", "_[?_]", "first", "last", "or", "orValue"}
    | {"contains", "endsWith", "startsWith"}
    | {*_EQUAL, *_SAME, *_HELD}
)


def summable(name: str, nodes: Sequence[Node]) -> bool:
    """Whether several evaluations cost no more than one evaluation on all their operands together.

    The result is then no larger than the operands together. A pattern that is not a constant is
    compiled again in each evaluation.
    """
    return name in _SUMMABLE or (name == "matches" and isinstance(nodes[-1], Literal))


_LEAST = dict.fromkeys(("format", "matches", "split", *_SEARCHES, *_SETS), 2) | {"replace": 3}
"""The number of operands that a rule needs, if the grammar allows fewer."""
