"""The values of functions and operators on samples, and what cel-go takes for the whole of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from celvet.lint.cel.cost.call import Operand
from celvet.lint.cel.cost.functions import call_cost
from celvet.lint.cel.cost.go_functions import CEL_GO
from celvet.lint.cel.cost.regex_size import MOST_IN_GO, GoPattern
from celvet.lint.cel.cost.whole import same
from celvet.lint.cel.cost.worst_case import texts
from celvet.lint.cel.cost.worst_case.values import (
    ALTERNATIVES,
    Entries,
    Group,
    Items,
    Optional,
    Text,
    bound,
    items,
    keys,
    made,
    text,
)
from celvet.lint.cel.syntax.tree import Node
from celvet.lint.cel.syntax.vocabulary import COMPARISONS, ORDERS
from celvet.record import replace

_ELEMENT = 6
_PAIR = 2
"""Steps for each element of a list that is searched or compared, and of each pair for `sets`."""

_SPECIAL = frozenset("\\.+*?()|[]{}^$")
"""Characters that have a meaning in a regular expression."""


class FailedError(Exception):
    """The evaluation gives an error, or needs a function whose value is not known here."""


def field(held: Any, name: str) -> Any:
    """The value of a field; None if there is none."""
    if not isinstance(held, Entries):
        if held is None:
            return None
        raise FailedError
    found = held.held.get(name)
    return None if found is None else found.value


def present(value: Any) -> Any:
    """The value; a missing one is an error."""
    if value is None:
        raise FailedError
    return value


def call(name: str, values: Sequence[Any], nodes: Sequence[Node]) -> tuple[Any, int]:
    """The value of a function or operator, and its steps."""
    rule = _FUNCTIONS.get(name)
    if rule is None:
        raise FailedError
    try:
        result, steps = rule(values)
    except (ArithmeticError, AttributeError, IndexError, TypeError, ValueError):
        raise FailedError from None  # an operand of another type
    if name in COMPARISONS and same(nodes[0], nodes[-1]):
        return result, 1  # Go sees that both are at one place of the memory
    if steps is None:
        operands = [Operand(bound(value), node) for value, node in zip(values, nodes, strict=True)]
        steps = call_cost(name, operands, CEL_GO).steps
    return result, steps


_Result: TypeAlias = tuple[Any, int | None]
"""A value, and its steps if they depend on more than the sizes of the operands."""


def _compare(name: str) -> Callable[[Sequence[Any]], _Result]:
    compare = COMPARISONS[name]

    def compared(values: Sequence[Any]) -> _Result:
        one, other = values
        if isinstance(one, Text) and isinstance(other, Text):
            if name in ORDERS:
                return compare(one.sample, other.sample), texts.ordered(one, other)
            return compare(one, other), texts.compared(one, other)
        if name in ORDERS and type(one) is not type(other):
            raise FailedError
        return compare(one, other), equal(one, other)

    return compared


def equal(one: Any, other: Any) -> int:
    """The steps to see whether two values are equal."""
    if isinstance(one, Text) and isinstance(other, Text):
        return texts.compared(one, other)
    if isinstance(one, Items) and isinstance(other, Items):
        if one.count != other.count or not one.count:
            return 1
        if one == other:
            return sum(g.times * (_ELEMENT + equal(g.value, g.value)) for g in one.groups)
        return _ELEMENT + equal(one.groups[0].value, other.groups[0].value)
    if isinstance(one, Entries) and isinstance(other, Entries):
        pairs = [(g.value, other.held[k].value) for k, g in one.held.items() if k in other.held]
        return sum(30 + equal(*pair) for pair in pairs)
    return 1


def _searched(element: Any, held: Items, step: int = _ELEMENT) -> tuple[bool, int]:
    """Whether a list has an element, and the steps to see it."""
    steps = 0
    for group in held.groups:
        each = step + equal(element, group.value)
        if group.value == element:
            return True, steps + each
        steps += each * group.times
    return False, steps


def _member(values: Sequence[Any]) -> _Result:
    element, held = values
    if isinstance(held, Entries):
        return element.sample in held.held, 5
    return _searched(element, held)


def _contained(values: Sequence[Any]) -> _Result:
    held, wanted = values
    steps = 0
    for group in wanted.groups:
        found, each = _searched(group.value, held, _PAIR)
        steps += each * (group.times if found else 1)
        if not found:
            return False, steps
    return True, steps


def _intersects(values: Sequence[Any]) -> _Result:
    one, other = values
    steps = 0
    for group in one.groups:
        found, each = _searched(group.value, other, _PAIR)
        steps += each * (1 if found else group.times)
        if found:
            return True, steps
    return False, steps


def _equivalent(values: Sequence[Any]) -> _Result:
    one, other = values
    found, steps = _contained([one, other])
    if not found:
        return False, steps
    again, more = _contained([other, one])
    return again, (steps or 0) + (more or 0)


def _add(values: Sequence[Any]) -> _Result:
    one, other = values
    if isinstance(one, Text) and isinstance(other, Text):
        return made(one.sample + other.sample, one.size + other.size), None
    if isinstance(one, Items) and isinstance(other, Items):
        return items([*one.groups, *other.groups]), 1  # Go refers to both
    return _number(one) + _number(other), 1


def _number(value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise FailedError
    return value


def _index(values: Sequence[Any]) -> _Result:
    held, key = values
    if isinstance(held, Optional):
        held = held.held
    if isinstance(key, Text):
        return present(field(held, key.sample)), 1
    if type(key) is not int or key < 0:
        raise FailedError
    for group in held.groups:
        if key < group.times:
            return group.value, 1
        key -= group.times
    raise FailedError


def _optional_index(values: Sequence[Any]) -> _Result:
    try:
        return Optional(_index(values)[0]), 1
    except FailedError:
        return Optional(None), 1


def _find(*, backwards: bool) -> Callable[[Sequence[Any]], _Result]:
    return lambda values: texts.searched(values[0], values[1], backwards=backwards)


def _contains(values: Sequence[Any]) -> _Result:
    held, part = values
    if part.size > held.size:
        return False, 1
    return texts.places(held, part) > 0, None


def _replace(values: Sequence[Any]) -> _Result:
    held, old, new, *most = values
    if old == new:
        return held, 1
    result = texts.replaced(held, old, new, most[0] if most else -1)
    count = texts.places(held, old)
    copied = result.size // 64 if result is not held else 0
    return result, held.size // 64 + copied + count


def _split(values: Sequence[Any]) -> _Result:
    held, separator, *most = values
    parts = texts.split(held, separator, most[0] if most else -1)
    return parts, held.size // 64 + 3 * parts.count


def _format(values: Sequence[Any]) -> _Result:
    template, held = values
    parts = template.sample.split("%s")
    if "%" in "".join(parts) or len(parts) - 1 > held.count:
        raise FailedError
    found, size = parts[0], template.size
    flat = [group.value for group in held.groups for _ in range(min(group.times, len(parts)))]
    for value, rest in zip(flat, parts[1:], strict=False):
        printed = _printed(value)
        found, size = found + printed.sample + rest, size + printed.size - 2
    return made(found, size), None


def _printed(value: Any) -> Text:
    if isinstance(value, Text):
        return value
    if isinstance(value, (Items, Entries, Optional)):
        raise FailedError
    return text(str(value).lower() if isinstance(value, bool) else str(value))


def _json(values: Sequence[Any]) -> _Result:
    return _encoded(values[0]), None


def _encoded(value: Any) -> Text:
    if isinstance(value, Text):
        return texts.quoted(value)
    if isinstance(value, Items):
        groups = [Group(_encoded(group.value), group.times) for group in value.groups]
        inner = texts.joined(Items(tuple(groups)), text(","))
        return made(f"[{inner.sample}]", inner.size + 2)
    if isinstance(value, Entries):
        parts = [
            Group(_encoded(group.value), group.times) for _, group in sorted(value.held.items())
        ]
        size = sum(len(key) + 3 for key in value.held)
        inner = texts.joined(Items(tuple(parts)), text(","))
        first = min(value.held, default="")
        return made(f'{{"{first}":{inner.sample}}}', inner.size + size + 2)
    return _printed(value)


def _matches(values: Sequence[Any]) -> _Result:
    held, pattern = values
    if _SPECIAL.isdisjoint(pattern.sample):  # Go looks for it as a text
        return texts.places(held, pattern) > 0, held.size // 64
    found = program(pattern, held.sample)
    match = texts.found(held, pattern.sample) if pattern.scale < 2 else None
    read = held.size
    if found.reads is not None:
        read = min(read, found.reads)
    if match is not None:
        end = match[1]
        read = round(end * held.scale) if end > len(held.sample) // 2 else end
    return match is not None, read * (3 * found.running + 1) // 3


def program(pattern: Text, sample: str = "") -> GoPattern:
    """The program of a pattern that repeats its sample."""
    from celvet.lint.cel.cost.go_regex import parsed  # rarely needed

    scale = max(pattern.scale, 1)
    if 2 * ALTERNATIVES in pattern.sample and {*pattern.sample} != {ALTERNATIVES}:
        raise FailedError  # what Go makes of it is not known
    found = parsed(pattern.sample, sample)
    size = round(found.instructions * scale)
    running = found.running if found.single else round(found.running * scale)
    if size > MOST_IN_GO:
        raise FailedError
    reads = None if found.reads is None else round(found.reads * scale)
    return replace(found, instructions=size, running=running, reads=reads)


def _text(make: Callable[[Text], Text]) -> Callable[[Sequence[Any]], _Result]:
    return lambda values: (make(_is_text(values[0])), None)


def _is_text(value: Any) -> Text:
    if not isinstance(value, Text):
        raise FailedError
    return value


def _size(values: Sequence[Any]) -> _Result:
    held = values[0]
    if isinstance(held, Text):
        return held.size, held.size // 12
    return (keys(held) if isinstance(held, Entries) else held).count, 1


def _sample(change: Callable[[str], str]) -> Callable[[Text], Text]:
    return lambda held: made(change(held.sample), held.size)


def _arithmetic(change: Callable[[Any, Any], Any]) -> Callable[[Sequence[Any]], _Result]:
    return lambda values: (change(*map(_number, values)), 1)


_FUNCTIONS: Mapping[str, Callable[[Sequence[Any]], _Result]] = {
    **{name: _compare(name) for name in COMPARISONS},
    "!_": lambda values: (not values[0], 1),
    "_+_": _add,
    "_-_": _arithmetic(lambda one, other: one - other),
    "_*_": _arithmetic(lambda one, other: one * other),
    "_%_": _arithmetic(lambda one, other: one % other if other else None),
    "-_": lambda values: (-_number(values[0]), 1),
    "_[_]": _index,
    "_[?_]": _optional_index,
    "@in": _member,
    "base64.encode": _text(texts.base64_of),
    "bytes": _text(lambda held: held),
    "charAt": lambda values: (texts.part_of(values[0], values[1], values[1] + 1), None),
    "contains": _contains,
    "dyn": lambda values: (values[0], 1),
    "endsWith": lambda values: (texts.ends(*values), None),
    "first": lambda values: (Optional(_index([values[0], 0])[0]), 1),
    "format": _format,
    "hasValue": lambda values: (values[0].held is not None, 1),
    "indexOf": _find(backwards=False),
    "join": lambda values: (texts.joined(values[0], (*values[1:], text(""))[0]), None),
    "json.encode": _json,
    "last": lambda values: (Optional(values[0].groups[-1].value), 1),
    "lastIndexOf": _find(backwards=True),
    "lowerAscii": _text(_sample(str.lower)),
    "matches": _matches,
    "optional.of": lambda values: (Optional(values[0]), 1),
    "replace": _replace,
    "reverse": _text(_sample(lambda sample: sample[::-1])),
    "sets.contains": _contained,
    "sets.equivalent": _equivalent,
    "sets.intersects": _intersects,
    "size": _size,
    "split": _split,
    "startsWith": lambda values: (texts.begins(*values), None),
    "string": lambda values: (_printed(values[0]), None),
    "strings.quote": _text(texts.quoted),
    "substring": lambda values: (texts.part_of(*(*values, None)[:3]), None),
    "trim": _text(texts.trimmed),
    "upperAscii": _text(_sample(str.upper)),
    "value": lambda values: (present(values[0].held), 1),
}
