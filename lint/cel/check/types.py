"""Types of a checked tree, in the words of cel-go (`checker/format.go`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from celvet.lint.cel.engine.proto import Message

_PRIMITIVE = {1: "bool", 2: "int", 3: "uint", 4: "double", 5: "string", 6: "bytes"}
_WELL_KNOWN = {1: "any", 2: "timestamp", 3: "duration"}
_STRUCTS = {
    "google.protobuf.Struct": "map(string, dyn)",
    "google.protobuf.ListValue": "list(dyn)",
    "google.protobuf.Value": "dyn",
}


def type_name(kind: Message) -> str:
    """`int`, `list(string)`, `map(string, dyn)`, `type(int)`, `optional_type(dyn)`.

    A wrapper (`google.protobuf.Int32Value`) is named as what it wraps, since
    cel-go takes the two for the same.
    """
    field = kind.WhichOneof("kind") or "dyn"
    name, inner = _BY_FIELD.get(field, lambda _: ("dyn", ()))(kind)
    return f"{name}({', '.join(map(type_name, inner))})" if inner else name


_BY_FIELD: dict[str, Callable[[Message], tuple[str, Sequence[Message]]]] = {
    "primitive": lambda kind: (_PRIMITIVE[kind.primitive], ()),
    "wrapper": lambda kind: (_PRIMITIVE[kind.wrapper], ()),
    "well_known": lambda kind: (_WELL_KNOWN[kind.well_known], ()),
    "null": lambda _: ("null", ()),
    "list_type": lambda kind: ("list", (kind.list_type.elem_type,)),
    "map_type": lambda kind: ("map", (kind.map_type.key_type, kind.map_type.value_type)),
    "type": lambda kind: ("type", (kind.type,)),
    "abstract_type": lambda kind: (kind.abstract_type.name, kind.abstract_type.parameter_types),
    "message_type": lambda kind: (_STRUCTS.get(kind.message_type, kind.message_type), ()),
}
"""Field of a `Type` -> its name and its parameters."""


def outer(name: str) -> str:
    """The type without its parameters: `list` of `list(int)`."""
    return name.partition("(")[0]
