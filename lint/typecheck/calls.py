"""Result and argument types of the functions whose types are known."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from celvet.lint.typecheck.types import ANY, BOOL, NUMBER, STRING, Category, Type, joined, optional


def _table(kind: Type, names: str) -> dict[str, Type]:
    return dict.fromkeys(names.split(), kind)


_RESULTS: Mapping[str, Type] = {
    **_table(BOOL, "bool contains endsWith hasValue matches startsWith"),
    **_table(BOOL, "sets.contains sets.equivalent sets.intersects"),
    **_table(NUMBER, "double indexOf int lastIndexOf size uint"),
    **_table(NUMBER, "getDate getDayOfMonth getDayOfWeek getDayOfYear getFullYear getHours"),
    **_table(NUMBER, "getMilliseconds getMinutes getMonth getSeconds"),
    **_table(STRING, "base64.encode charAt format join lowerAscii replace string"),
    **_table(STRING, "strings.quote substring trim upperAscii"),
    "duration": Type("duration"),
    "split": Type("list", inner=STRING),
    "timestamp": Type("timestamp"),
    "type": Type("type"),
}

_FORWARD: Mapping[str, Callable[[Sequence[Type]], Type]] = {
    "first": lambda args: optional(args[0].element),
    "last": lambda args: optional(args[0].element),
    "optional.of": lambda args: optional(args[0]),
    "optional.ofNonZeroValue": lambda args: optional(args[0]),
    "or": lambda args: joined(args[0], args[-1]),
    "orValue": lambda args: joined(args[0].element, args[-1]) if _is_optional(args[0]) else ANY,
    "value": lambda args: args[0].element if _is_optional(args[0]) else ANY,
}
"""Functions whose result depends on their arguments; they have at least one."""

_OF_TEXT = frozenset(
    {"charAt", "contains", "endsWith", "indexOf", "lastIndexOf", "lowerAscii", "matches"}
    | {"replace", "split", "startsWith", "substring", "trim", "upperAscii"}
)
_TAKES: Mapping[str, tuple[Category, ...]] = {
    **dict.fromkeys(_OF_TEXT, ("string",)),
    "size": ("bytes", "list", "map", "string"),
}
"""Function -> the types allowed for the first argument, or the target."""


def _is_optional(kind: Type) -> bool:
    return kind.category == "optional"


def result(name: str, args: Sequence[Type]) -> Type:
    """The type of a call, its target among the arguments."""
    if args and (forward := _FORWARD.get(name)):
        return forward(args)
    return _RESULTS.get(name, ANY)


def takes(name: str) -> tuple[Category, ...]:
    """The categories allowed for the first argument; empty if any is."""
    return _TAKES.get(name, ())
