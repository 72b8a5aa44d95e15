"""Values as Go sees them: their kinds, what they contain, how they compare.

Kubernetes decodes integers of 64 bits to `int64` and every other number to `float64`; the two are
not comparable. Ordering and equality are those of
`k8s.io/client-go/third_party/forked/golang/template/funcs.go`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, Final

from celvet.lint.jsonpath.parse.nodes import ArrayNode
from celvet.lint.model import Value
from celvet.lint.values import kubernetes_number


class Byte(int):
    """One byte of a string, which a wildcard selects from it (`uint8`)."""


class Nothing:
    """Go's zero `reflect.Value`, which `range` makes from a null."""


NOTHING: Final = Nothing()


class ComparisonError(Exception):
    """Two values that Go does not compare; the message is Go's."""


class BoundsError(Exception):
    """A bound outside the list, or a step that is not positive; the message is client-go's."""


_TYPES: dict[type, str] = {
    bool: "bool",
    Byte: "uint8",
    int: "int64",
    float: "float64",
    str: "string",
    list: "[]interface {}",
    dict: "map[string]interface {}",
}
_ORDER: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
OPERATORS: Final = frozenset({"==", "!=", *_ORDER})
"""The operators of client-go's filters."""


def type_name(value: Value) -> str:
    """The name of the Go type that holds the value."""
    return _TYPES.get(type(kubernetes_number(value)), type(value).__name__)


def children_of(value: Value) -> list[Value]:
    """The values of an object, elements of a list, bytes of a text; else nothing."""
    if isinstance(value, dict):
        return list(value.values())
    if isinstance(value, list):
        return value
    if isinstance(value, str):
        return [Byte(byte) for byte in utf8(value)]
    return []


def compare(left: Value, relation: str, right: Value) -> bool:
    """Whether the relation holds; raises `ComparisonError` if Go reports an error."""
    left, right = kubernetes_number(left), kubernetes_number(right)
    kinds = _kind(left), _kind(right)
    if "" in kinds:
        raise ComparisonError("invalid type for comparison")
    if kinds[0] != kinds[1]:
        raise ComparisonError("incompatible types for comparison")
    if relation in ("==", "!="):
        return bool((left == right) == (relation == "=="))
    if kinds[0] == "bool":
        raise ComparisonError("invalid type for comparison")
    if kinds[0] == "string":
        left, right = utf8(left), utf8(right)
    return _ORDER[relation](left, right)


def utf8(text: str) -> bytes:
    r"""The bytes of a text; those of an escape like `\xff` are surrogates (`surrogateescape`)."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")


def _kind(value: Value) -> str:
    """The kind of a value: only values of the same kind are comparable; empty if it never is."""
    name = _TYPES.get(type(value), "")
    if name in ("int64", "uint8"):
        return "integer"
    return name if name in ("bool", "float64", "string") else ""


def indices(length: int, node: ArrayNode) -> range:
    """The indices chosen; bounds beyond the list are an error and never cut.

    Raises `BoundsError`.
    """
    start = node.start or 0
    end = length if node.end is None else node.end
    if start < 0:
        start += length
    if end < 0 or (end == 0 and node.single):
        end += length
    if start == end:
        return range(0)
    if not 0 <= start < length:
        raise BoundsError(_out_of_bounds(start, length))
    if not 0 <= end <= length:
        raise BoundsError(_out_of_bounds(end - 1, length))
    if start > end:
        raise BoundsError(f"starting index {start} is greater than ending index {end}")
    if node.step is not None and node.step <= 0:
        raise BoundsError("step must be > 0")
    return range(start, end, node.step or 1)


def _out_of_bounds(index: int, length: int) -> str:
    return f"array index out of bounds: index {index}, length {length}"
