"""Translates the engine's message for an error of evaluation into cel-go's.

Users see cel-go's message in the status of their objects.
"""

from __future__ import annotations

import re

from celvet.lint.cel.syntax.tree import Call, Literal, Node, Select, names, parents
from celvet.lint.cel.syntax.vocabulary import functions, is_operator
from celvet.regex import regex

_PATTERNS = (
    (r'Key not found in map : "?(.*?)"?', r"no such key: \1"),
    (r"Index error: index=(\S+) size=\S+", r"index out of bounds: \1"),
    (r"Index error: expected integer type, got (\S+)", r"unsupported index type '\1' in list"),
    (r"divide by zero", "division by zero"),
    (r"Type conversion error(.*)", r"type conversion error\1"),
)
_UNBOUND = regex(r'No value with name "(.*)" found in Activation')
_NO_OVERLOAD = regex(
    r"No matching overloads found : (?:\((?P<target>[^()]*)\)\.)?(?P<name>[^()]*)"
    r"(?:\((?P<args>.*)\))?"
)
_TYPES = {
    "int64": "int",
    "uint64": "uint",
    "timestamp": "google.protobuf.Timestamp",
    "duration": "google.protobuf.Duration",
    "*opaque*": "optional_type",
}
_RECEIVERS = frozenset({"string", "timestamp", "duration"})
"""Values that are asked for a method by name; their error leaves the name out."""

_SCALARS = frozenset({"int64", "uint64", "double"})
_COMPARABLE = _SCALARS | {"bool", "bytes"}
_TAKEN = {
    **dict.fromkeys(("_<_", "_<=_", "_>_", "_>=_"), _COMPARABLE),
    **dict.fromkeys(("_*_", "_/_", "_-_", "-_"), _SCALARS),
    "_+_": _SCALARS | {"bytes", "list"},
    "_%_": _SCALARS,
}
"""Operator -> the values that have it and refuse their other operand, leaving out the name."""

_PLAIN = frozenset({"contains", "endsWith", "matches", "startsWith"})


def translate(message: str, root: Node, libraries: tuple[str, ...]) -> str:
    """cel-go's text for the engine's `message`, as close as the engine's message allows."""
    if match := _UNBOUND.fullmatch(message):
        return f"no such attribute(s): {_chain(match[1], root)}"
    if match := _NO_OVERLOAD.fullmatch(message):
        kinds = [kind for kind in (match["target"], *(match["args"] or "").split(", ")) if kind]
        return f"no such overload{_called(match['name'], kinds, libraries)}"
    for pattern, words in _PATTERNS:
        if match := re.fullmatch(pattern, message):
            return match.expand(words)
    return message


def _chain(name: str, root: Node) -> str:
    """The longest `a.b.c` that begins with the first free `name`: what cel-go looked for."""
    up = parents(root)
    node: Node | None = next((ident for found, ident in names(root) if found == name), None)
    while node is not None:
        above = up.get(node)
        field = _field(above, node)
        name, node = (f"{name}.{field}", above) if field else (name, None)
    return name


def _field(above: Node | None, below: Node) -> str:
    """The field that `above` reads of `below`, by a dot or a constant string."""
    if isinstance(above, Select):
        return above.field
    if isinstance(above, Call) and above.function in ("_[_]", "_[?_]"):
        index = above.args[1]
        if above.args[0] is below and isinstance(index, Literal) and index.kind == "string":
            return str(index.value)
    return ""


def _called(name: str, kinds: list[str], libraries: tuple[str, ...]) -> str:
    """The text that cel-go adds to `no such overload`: none, the name, or name and types."""
    name = name if name == "@in" else name.removeprefix("@")
    first = kinds[0] if kinds else ""
    if is_operator(name):
        bare = first in _RECEIVERS or first in _TAKEN.get(name, {first})
        return "" if bare else f": {name}"
    if name in _PLAIN:
        return ""
    if name != "size" and name in functions(libraries):
        return f": {name}({', '.join(_TYPES.get(kind, kind) for kind in kinds)})"
    return "" if first in _RECEIVERS else f": {name}"
