"""Translates the engine's message for an evaluation error into cel-go's.

Users see cel-go's message in the status of their objects.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from celvet.lint.cel.compat.substitutes import ZONED
from celvet.lint.cel.syntax.lexer import scan
from celvet.lint.cel.syntax.literals import value_of
from celvet.lint.cel.syntax.tree import Call, Literal, Node, Select, names, parents, walk
from celvet.lint.cel.syntax.vocabulary import ORDERS, functions, is_operator
from celvet.lint.go.floats import shortest
from celvet.lint.go.numbers import MAX_UINT64
from celvet.regex import regex

_CLAUSE = "could not parse formatting clause: "
_PRINT = "error during formatting: "
_PATTERNS = (
    (r"Index error: index=(\S+) size=\S+", r"index out of bounds: \1"),
    (r"Index error: expected integer type, got (\S+)", r"unsupported index type '\1' in list"),
    (r"divide by zero", "division by zero"),
    (r"Type conversion error(.*)", r"type conversion error\1"),
    (r"(?:double|uint64) out of int64 range", "integer overflow"),
    (r"(?:double|int64) out of uint64 range", "unsigned integer overflow"),
    (r"malformed UTF-8 bytes", "invalid UTF-8 in bytes, cannot convert to string"),
    (r'(unrecognized formatting clause ".*")', rf"{_CLAUSE}\1"),
    (r"unexpected end of format string", "unexpected end of string"),
    (
        r"unable to convert precision specifier to integer",
        f"{_CLAUSE}error while parsing precision: error while converting precision to integer: "
        'strconv.Atoi: parsing "": invalid syntax',
    ),
    (
        r"decimal clause can only be used on numbers, (.*)",
        rf"{_PRINT}decimal clause can only be used on ints, uints, and doubles, \1",
    ),
    (
        r"octal clause can only be used on integers, (.*)",
        rf"{_PRINT}octal clause can only be used on ints and uints, \1",
    ),
    (
        r"binary clause can only be used on integers and bools, (.*)",
        rf"{_PRINT}only ints, uints, and bools can be formatted as binary, \1",
    ),
    (
        r"hex clause can only be used on integers, byte buffers, and strings, (.*)",
        rf"{_PRINT}only ints, uints, bytes, and strings can be formatted as hex, \1",
    ),
    (
        r"could not convert argument (.*) to string",
        rf"{_PRINT}string clause can only be used on strings, bools, bytes, ints, doubles, maps, "
        r"lists, types, durations, and timestamps, was given \1",
    ),
)
_RE2_WORDS = {
    "bad repetition operator": "invalid nested repetition operator",
    "invalid named capture group": "invalid named capture",
    "invalid perl operator": "invalid or unsupported Perl syntax",
    "invalid repetition size": "invalid repeat count",
    "missing )": "missing closing )",
    "missing ]": "missing closing ]",
    "no argument for repetition operator": "missing argument to repetition operator",
    "trailing \\": "trailing backslash at end of expression",
}
_TYPES = {
    "int64": "int",
    "uint64": "uint",
    "timestamp": "google.protobuf.Timestamp",
    "duration": "google.protobuf.Duration",
    "*opaque*": "optional_type",
}
_RECEIVERS = frozenset({"string", "timestamp", "duration"})
"""Types whose methods are looked up by name; their error leaves the name out."""

_SCALARS = frozenset({"int64", "uint64", "double"})
_COMPARABLE = _SCALARS | {"bool", "bytes"}
_TAKEN = {
    **dict.fromkeys(ORDERS, _COMPARABLE),
    **dict.fromkeys(("_*_", "_/_", "_-_"), _SCALARS),
    "_+_": _SCALARS | {"bytes", "list"},
    "_%_": frozenset({"int64", "uint64"}),
    "-_": frozenset({"int64", "double", "bool"}),
}
"""Operator -> the types with it whose error about the other operand leaves the name out."""

_PLAIN = frozenset({"contains", "endsWith", "matches", "startsWith"})


def translate(message: str, root: Node, libraries: tuple[str, ...]) -> str:
    """cel-go's text for the engine's `message`, as close as the engine's message allows."""
    for pattern, words_of in _BY_PARTS:
        if match := pattern.fullmatch(message):
            return words_of(match, root, libraries)
    for text, words in _PATTERNS:
        if match := re.fullmatch(text, message):
            return match.expand(words)
    return message


def regex_error(message: str) -> str:
    """Go's message for a regular expression for which RE2's library has this message."""
    words, _, place = message.removeprefix("invalid regular expression: ").partition(": ")
    return f"{_RE2_WORDS.get(words, words)}: `{place}`"


def _key(key: str) -> str:
    """A key as cel-go prints it: without the engine's quotes, `u` or `.0`."""
    literal = scan(key)[0]
    if literal.kind == "string":
        return str(value_of(literal)[1])
    if key.endswith("u"):
        return str(int(key[:-1]) & MAX_UINT64)
    return shortest(float(key.removesuffix(".0"))) if "." in key else key


def _print_error(match: re.Match[str], root: Node, _: tuple[str, ...]) -> str:
    clause = "fixed-point" if _prints_points(root) else "scientific"
    complaint = f"{clause} clause can only be used on ints, uints, and doubles"
    return f"{_PRINT}{complaint}, was given {match[1]}"


def _prints_points(root: Node) -> bool:
    """Whether a string of the expression has a clause such as `%.2f`."""
    texts = (node.value for node in walk(root) if isinstance(node, Literal))
    return any(isinstance(text, str) and re.search(r"%[.0-9]*f", text) for text in texts)


def _join_arguments(root: Node) -> str:
    calls = (node for node in walk(root) if isinstance(node, Call) and node.function == "join")
    return "list, string" if any(call.args for call in calls) else "list"


def _chain(name: str, root: Node) -> str:
    """The longest `a.b.c` that begins with the first free `name`, which cel-go looked up."""
    parents_of = parents(root)
    node: Node | None = next((ident for variable, ident in names(root) if variable == name), None)
    while node is not None:
        parent = parents_of.get(node)
        field = _field(parent, node)
        name, node = (f"{name}.{field}", parent) if field else (name, None)
    return name


def _field(parent: Node | None, child: Node) -> str:
    """The field of `below` that `above` reads, with a dot or a constant string."""
    if isinstance(parent, Select):
        return parent.field
    if isinstance(parent, Call) and parent.function in ("_[_]", "_[?_]"):
        index = parent.args[1]
        if parent.args[0] is child and isinstance(index, Literal) and index.kind == "string":
            return str(index.value)
    return ""


def _no_overload(match: re.Match[str], root: Node, libraries: tuple[str, ...]) -> str:
    if match["name"] == "join":
        return f"no such overload: join({_join_arguments(root)})"
    kinds = [kind for kind in (match["target"], *(match["args"] or "").split(", ")) if kind]
    return f"no such overload{_overload_name(match['name'], kinds, libraries)}"


def _overload_name(name: str, kinds: list[str], libraries: tuple[str, ...]) -> str:
    """The text that cel-go adds to `no such overload`: none, the name, or name and types."""
    name = name if name == "@in" else name.removeprefix("@").removeprefix("strict-")
    first_kind = kinds[0] if kinds else ""
    if is_operator(name):
        is_nameless = first_kind in _RECEIVERS or first_kind in _TAKEN.get(name, {first_kind})
        return "" if is_nameless else f": {name}"
    if name in _PLAIN:
        return ""
    if (name != "size" and name in functions(libraries)) or (name in ZONED and len(kinds) > 1):
        return f": {name}({', '.join(_TYPES.get(kind, kind) for kind in kinds)})"
    return "" if first_kind in _RECEIVERS else f": {name}"


_BY_PARTS: tuple[
    tuple[re.Pattern[str], Callable[[re.Match[str], Node, tuple[str, ...]], str]], ...
] = (
    (
        regex(r'No value with name "(.*)" found in Activation'),
        lambda match, root, _: f"no such attribute(s): {_chain(match[1], root)}",
    ),
    (
        regex(
            r"No matching overloads found : (?:\((?P<target>[^()]*)\)\.)?(?P<name>[^()]*)"
            r"(?:\((?P<args>.*)\))?"
        ),
        _no_overload,
    ),
    (
        regex(r"Key not found in map : (.*)", re.DOTALL),
        lambda match, *_: f"no such key: {_key(match[1])}",
    ),
    (regex(r"expected a double but got a (.*)"), _print_error),
    (
        regex(r"invalid regular expression: .*", re.DOTALL),
        lambda match, *_: f"error parsing regexp: {regex_error(match[0])}",
    ),
)
"""The engine's message -> cel-go's, from what was matched, the tree and the libraries."""
