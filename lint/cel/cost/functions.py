"""The cost of each function and operator, given the sizes of its operands.

A cost has the bounds of the result, and the work in steps of about 10 ns. The
figures were measured on the engine, for an algorithm's worst case (`contains` of
a long text, a regular expression without a finite automaton).
"""

from __future__ import annotations

from collections.abc import Sequence

from celvet.lint.cel.cost.call import CallCost, CostRule, Operand, copy_cost, text_bound
from celvet.lint.cel.cost.regex_size import MOST, ends_early, instructions
from celvet.lint.cel.cost.size import CELL, CHARACTER, SCALAR, SizeBound, join, unknown_size
from celvet.lint.cel.syntax.tree import Literal, Node
from celvet.lint.cel.syntax.vocabulary import COMPARISONS
from celvet.regex import regex

_PRECISION = regex(r"%\.([0-9]+)")
_ENGINE_PRECISION = 1000
"""The most digits that the engine prints in a clause; our own printing has no limit."""


def call_cost(name: str, operands: Sequence[Operand]) -> CallCost:
    """The cost of the function or operator of this name; with too few operands it fails."""
    rule = _RULES.get(name)
    enough = len(operands) >= _LEAST.get(name, 1)
    return rule(operands) if rule and enough else CallCost(SCALAR, 1)


def _add(operands: Sequence[Operand]) -> CallCost:
    left, right = (operand.extent for operand in operands)
    size, count = left.bytes + right.bytes, left.count + right.count
    element = join([left.element(), right.element()]) if count else None
    return CallCost(SizeBound(size, count, element, left.text + right.text), size // 64)


def _compare(operands: Sequence[Operand]) -> CallCost:
    sizes = [operand.extent.bytes for operand in operands]
    return CallCost(SCALAR, min(sizes) // 8)


def _member(operands: Sequence[Operand]) -> CallCost:
    element, container = (operand.extent for operand in operands)
    return CallCost(SCALAR, min(element.bytes * container.count, container.bytes) // 8)


def _sets(operands: Sequence[Operand]) -> CallCost:
    left, right = (operand.extent for operand in operands[:2])
    return CallCost(SCALAR, (left.count * right.bytes + right.count * left.bytes) // 8)


def _choose(operands: Sequence[Operand]) -> CallCost:
    return CallCost(join(operand.extent for operand in operands[1:]))


def _index(operands: Sequence[Operand]) -> CallCost:
    container, index = operands
    key = index.literal("string")
    extent = container.extent
    return CallCost(extent.field(key) if isinstance(key, str) else extent.element())


def _copy(operands: Sequence[Operand]) -> CallCost:
    return copy_cost(operands[0].extent)


def _either(operands: Sequence[Operand]) -> CallCost:
    return CallCost(join(operand.extent for operand in operands))


def _element(operands: Sequence[Operand]) -> CallCost:
    return CallCost(operands[0].extent.element())


def _search(operands: Sequence[Operand]) -> CallCost:
    text, part = (operand.extent.text for operand in operands[:2])
    in_list = _PYTHON_ELEMENT * operands[0].extent.count  # where lists have the method as well
    return CallCost(SCALAR, (text * part) // 512 + (text + part) // 64 + in_list)


def _substring(operands: Sequence[Operand]) -> CallCost:
    """With two constant bounds, a part is no longer than their distance."""
    text, *bounds = operands
    start, end = [bound.limit for bound in bounds] if len(bounds) == 2 else (None, None)
    if start is not None and end is not None:
        size = min(text.extent.text, 4 * max(end - start, 0))
        return copy_cost(text_bound(size))
    return _copy(operands)


def _matches(operands: Sequence[Operand]) -> CallCost:
    text, pattern = operands[:2]
    literal = pattern.literal("string")
    if isinstance(literal, str):
        size = instructions(literal)
        # A constant is compiled once; `cost` counts that as the program's.
        reads_beginning = ends_early(literal) and not text.several
        bytes_read = min(text.extent.text, 4 * size) if reads_beginning else text.extent.text
        return CallCost(SCALAR, bytes_read * size // 8)
    size = pattern.extent.text * 1400
    size = size if pattern.several else min(size, MOST)
    return CallCost(SCALAR, size * (300 + text.extent.text // 8))


def _replace(operands: Sequence[Operand]) -> CallCost:
    text, old, new = (operand.extent.text for operand in operands[:3])
    literal = operands[1].literal("string")
    places = text // len(literal.encode()) if isinstance(literal, str) and literal else text + 1
    limit = operands[3].limit if len(operands) > 3 else None
    if limit is not None and limit >= 0:
        places = min(places, limit)
    return copy_cost(text_bound(text + places * new), work=places + text * old // 512)


def _split(operands: Sequence[Operand]) -> CallCost:
    text = operands[0].extent
    separator = operands[1].literal("string")
    width = len(separator.encode()) if isinstance(separator, str) else 0
    count = text.text // max(width, 1) + 1
    is_by_character = separator == "" and len(operands) == 2
    part = text_bound(min(text.text, CHARACTER) if is_by_character else text.text)
    size = (count + 1) * CELL + text.text
    return copy_cost(SizeBound(size, count, part, text.text), work=8 * count)


def _join(operands: Sequence[Operand]) -> CallCost:
    elements = operands[0].extent
    separator = operands[1].extent.text if len(operands) > 1 else 0
    return copy_cost(text_bound(elements.text + elements.count * separator), work=elements.count)


def _format(operands: Sequence[Operand]) -> CallCost:
    template, values = operands[:2]
    literal = template.literal("string")
    if isinstance(literal, str):
        digits = sum(int(precision[:9]) for precision in _PRECISION.findall(literal))
        clauses = literal.count("%")
    else:
        clauses = template.extent.text // 2
        digits = clauses * _ENGINE_PRECISION
    size = template.extent.text + values.extent.printed + digits + 512 * clauses
    # celvet's version concatenates its clauses, each with the text before it.
    return CallCost(text_bound(size), size // 16, size * clauses)


def _string(operands: Sequence[Operand]) -> CallCost:
    operand = operands[0].extent
    return copy_cost(text_bound(max(operand.text, 64)))


def _json(operands: Sequence[Operand]) -> CallCost:
    """Each character may become six, and each value goes through Python."""
    size = 6 * operands[0].extent.printed
    return CallCost(text_bound(size), size)


def _python(operands: Sequence[Operand]) -> CallCost:
    """A function of celvet's own, which gets its operands as Python's values."""
    size = sum(operand.extent.bytes for operand in operands)
    text = sum(operand.extent.text for operand in operands)
    return copy_cost(text_bound(text + 64), work=_PYTHON_CALL + 4 * size)


def _python_list(operands: Sequence[Operand]) -> CallCost:
    extent = operands[0].extent
    return copy_cost(extent, work=_PYTHON_CALL + _PYTHON_ELEMENT * extent.count)


def _python_element(operands: Sequence[Operand]) -> CallCost:
    extent = operands[0].extent
    return CallCost(extent.element(), _PYTHON_CALL + _PYTHON_ELEMENT * extent.count)


def _flat(operands: Sequence[Operand]) -> CallCost:
    """A list whose elements are those of the lists in another."""
    extent = operands[0].extent
    count = extent.bytes // CELL
    result = SizeBound(extent.bytes, count, extent.element(), extent.text)
    return copy_cost(result, work=_PYTHON_CALL + _PYTHON_ELEMENT * count)


def _paired(operands: Sequence[Operand]) -> CallCost:
    """A list with each index or key and its value in a list of two."""
    extent = operands[0].extent
    pair = SizeBound(extent.element().bytes + 4 * CELL, 2, extent.element(), extent.text)
    size = extent.bytes + 4 * CELL * (extent.count + 1)
    work = _PYTHON_CALL + _PYTHON_ELEMENT * extent.count
    return copy_cost(SizeBound(size, extent.count, pair, extent.text), work=work)


def _distinct(operands: Sequence[Operand]) -> CallCost:
    extent = operands[0].extent
    return copy_cost(extent, work=_PYTHON_CALL + extent.count * (extent.bytes + _PYTHON_ELEMENT))


def _counted(operands: Sequence[Operand]) -> CallCost:
    """A list or text whose length is a number, which celvet limits."""
    limit = operands[0].limit
    count = _MOST_ITEMS if limit is None else min(max(limit, 0), _MOST_ITEMS)
    work = _PYTHON_CALL + _PYTHON_ELEMENT * count
    return copy_cost(SizeBound(CELL * (count + 1), count, SCALAR, count), work=work)


def _both(operands: Sequence[Operand]) -> CallCost:
    """A list or map with the elements of several operands."""
    result = _add((operands[0], operands[-1])).result
    return copy_cost(result, work=_PYTHON_CALL + _PYTHON_ELEMENT * result.bytes // CELL)


def _parsed(operands: Sequence[Operand]) -> CallCost:
    text = operands[0].extent.text
    return copy_cost(unknown_size(CELL * (text + 1)), work=_PYTHON_CALL + _PYTHON_ELEMENT * text)


def _find(operands: Sequence[Operand]) -> CallCost:
    """A search of celvet's own, which takes no more steps than its meter has."""
    text = operands[0].extent.text
    return copy_cost(text_bound(text), work=_PYTHON_CALL + min(100 * text * text, _MOST_SEARCH))


def _find_all(operands: Sequence[Operand]) -> CallCost:
    text = operands[0].extent.text
    work = _PYTHON_CALL + min(100 * text * text, _MOST_SEARCH)
    size = (text + 1) * CELL + text
    return copy_cost(SizeBound(size, text + 1, text_bound(text), text), work=work)


def _times(factor: int) -> CostRule:
    return lambda operands: copy_cost(text_bound(factor * operands[0].extent.text + 4))


_PYTHON_CALL, _PYTHON_ELEMENT = 500, 50
_MOST_ITEMS = 10_000
"""What `celvet.lint.cel.functions.compositions` allows where a number alone makes the length."""

_MOST_SEARCH = 30_000_000
_OWN = """
    add asApproximateFloat asInteger cidr compareTo containsCIDR containsIP family getEscapedPath
    hash.fnv64a hash.md5 hash.sha256 random.seededInt
    getHost getHostname getPort getQuery getScheme hasConditions ip ip.isCanonical isCIDR
    isGlobalUnicast isGreaterThan isIP isInteger isLessThan isLinkLocalMulticast isLinkLocalUnicast
    isLoopback isQuantity isSemver isSorted isURL isUnspecified major masked max min minor patch
    prefixLength quantity semver sign sub sum url
"""
_SEARCHES = ("contains", "endsWith", "indexOf", "lastIndexOf", "startsWith")
_SAME = ("base64.decode", "bytes", "charAt", "dyn", "lowerAscii", "reverse", "trim")
_HELD = ("optional.of", "optional.ofNonZeroValue", "optional.unwrap", "unwrapOpt", "value")
_SETS = ("sets.contains", "sets.equivalent", "sets.intersects")

_RULES: dict[str, CostRule] = {
    "_+_": _add,
    "_?_:_": _choose,
    "@in": _member,
    "_[_]": _index,
    "_[?_]": _index,
    "base64.encode": _times(2),
    "deepMerge": _both,
    "distinct": _distinct,
    "find": _find,
    "findAll": _find_all,
    "flatten": _flat,
    "first": _element,
    "format": _format,
    "join": _join,
    "json.encode": _json,
    "json.marshal": _json,
    "json.unmarshal": _parsed,
    "last": _element,
    "@own.mapOf": _python_list,
    "@own.merged": _flat,
    "@own.pairs": _paired,
    "lists.insertAtIndex": _both,
    "lists.range": _counted,
    "lists.setAtIndex": _both,
    "matches": _matches,
    "merge": _both,
    "or": _either,
    "orValue": _either,
    "replace": _replace,
    "random.seededString": _counted,
    "split": _split,
    "string": _string,
    "strings.quote": _times(2),
    "substring": _substring,
    "upperAscii": _copy,
    "type": lambda operands: CallCost(text_bound(64)),
    **dict.fromkeys(_OWN.split(), _python),
    **dict.fromkeys(COMPARISONS, _compare),
    **dict.fromkeys(_SEARCHES, _search),
    **dict.fromkeys(_SAME, _copy),
    **dict.fromkeys(("lists.removeAtIndex", "reverse", "slice", "sort"), _python_list),
    **dict.fromkeys(("max", "min"), _python_element),
    **dict.fromkeys(_HELD, _either),
    **dict.fromkeys(_SETS, _sets),
}
"""Function or operator -> its rule; any other gives a scalar."""

_SUMMABLE = frozenset(
    {"_+_", "_?_:_", "@in", "_[_]", "_[?_]", "first", "last", "or", "orValue"}
    | {"contains", "endsWith", "startsWith"}
    | {*COMPARISONS, *_SAME, *_HELD}
)


def is_summable(name: str, nodes: Sequence[Node]) -> bool:
    """Whether several evaluations cost no more than one evaluation on all their operands together.

    The result is then no larger than the operands together. A pattern that is not a constant is
    compiled again in each evaluation.
    """
    return name in _SUMMABLE or (name == "matches" and isinstance(nodes[-1], Literal))


_LEAST = dict.fromkeys(("format", "matches", "split", *_SEARCHES, *_SETS), 2) | {"replace": 3}
"""The number of operands that a rule needs, if the grammar allows fewer."""
