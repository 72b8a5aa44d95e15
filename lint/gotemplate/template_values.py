"""The values of a template, and what Go's `reflect` would say of them.

A value is what JSON gives in Python, and means what the operator has in Go: None is nil, `int`
is int64, `list` is []interface {}, `dict` is map[string]interface {}. The other types of Go that
occur are `Int` and `Byte` (see `go_numbers`), `GoList` and `GoMap`. `Boxed` is what only the
evaluator sees.
"""

from __future__ import annotations

from typing import Any

from celvet.lint.go.numbers import GoByte, Int

Value = Any
"""A value as described above."""


class GoList(list[Value]):
    """A slice of another type than []interface {}, or a nil slice."""

    def __init__(self, items: list[Value], type_name: str, *, is_nil: bool = False) -> None:
        super().__init__(items)
        self.type_name = type_name
        self.is_nil = is_nil


class GoMap(dict[str, Value]):
    """A map of another type than map[string]interface {}, or a nil map."""

    def __init__(
        self, items: dict[str, Value], type_name: str = "", *, is_nil: bool = False
    ) -> None:
        super().__init__(items)
        self.type_name = type_name or ANY_MAP
        self.is_nil = is_nil


class Boxed:
    """A value that Go still holds in an interface: a field of a map, an item of a list.

    It matters in error messages, and for nil: nil in an interface is a value, None is none.
    """

    __slots__ = ("value",)

    def __init__(self, value: Value) -> None:
        self.value = value


ANY = "interface {}"
ANY_LIST = "[]interface {}"
ANY_MAP = "map[string]interface {}"
STRINGS = "[]string"

_NAMES: dict[type, str] = {
    bool: "bool",
    str: "string",
    int: "int64",
    Int: "int",
    GoByte: "uint8",
    float: "float64",
    complex: "complex128",
    list: ANY_LIST,
    dict: ANY_MAP,
    Boxed: ANY,
}
_KINDS: dict[type, str] = {GoList: "slice", list: "slice", GoMap: "map", dict: "map"}


def nil_list(type_name: str = ANY_LIST) -> GoList:
    """A nil slice."""
    return GoList([], type_name, is_nil=True)


def strings(items: list[str]) -> GoList:
    """A []string."""
    return GoList(list(items), STRINGS)


def is_nil(value: Value) -> bool:
    """Whether a value is nil, or a nil slice or map."""
    return value is None or getattr(value, "is_nil", False)


def unbox(value: Value) -> Value:
    """The value in an interface, or the value itself."""
    return value.value if type(value) is Boxed else value


def item(container: Value, value: Value) -> Value:
    """`value` as an item of `container`: in an interface unless its type is fixed."""
    return value if item_type(container) != ANY else Boxed(value)


def item_type(container: Value) -> str:
    """The type of the items of a list or a map."""
    return type_name(container).partition("]")[2]


def type_name(value: Value) -> str:
    """The type as `%T` prints it."""
    name = _NAMES.get(type(value))
    if name is not None:
        return name
    return "<nil>" if value is None else str(value.type_name)


def kind(value: Value) -> str:
    """The kind as `reflect.Kind` prints it."""
    return "invalid" if value is None else _KINDS.get(type(value)) or type_name(value)


def truth(value: Value) -> bool:
    """As `template.IsTrue`: not the zero of its type."""
    return bool(unbox(value))
