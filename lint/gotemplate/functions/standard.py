"""The functions that every Go template has, but for comparisons (text/template/funcs.go, 1.26)."""

from __future__ import annotations

from itertools import pairwise
from urllib.parse import quote_plus

from celvet.lint.go.numbers import GoByte, Int
from celvet.lint.go.quoting import from_bytes, is_print, is_surrogate_byte, to_bytes
from celvet.lint.gotemplate.errors import CallError
from celvet.lint.gotemplate.formats.printing import byte_length, sprint, sprintln
from celvet.lint.gotemplate.formats.sprintf import sprintf
from celvet.lint.gotemplate.functions.comparison import COMPARISONS
from celvet.lint.gotemplate.functions.signature import SLOW, Function, function
from celvet.lint.gotemplate.template_limits import Meter
from celvet.lint.gotemplate.template_values import (
    Boxed,
    GoList,
    Value,
    item,
    item_type,
    truth,
    type_name,
    unbox,
)

_HTML = str.maketrans(
    {'"': "&#34;", "'": "&#39;", "&": "&amp;", "<": "&lt;", ">": "&gt;", "\0": "\ufffd"}
)
_JS = {"\\": "\\\\", "'": "\\'", '"': '\\"', "<": "\\u003C", ">": "\\u003E"}
_JS |= {"&": "\\u0026", "=": "\\u003D"}


def _position(index: Value, capacity: int) -> int:
    """An index into a list or a string; one behind the end passes, as in Go."""
    if index is None:
        raise CallError("cannot index slice/array with nil")
    if isinstance(index, bool) or not isinstance(index, int):
        raise CallError(f"cannot index slice/array with type {type_name(index)}")
    if not 0 <= index <= capacity:
        raise CallError(f"index out of range: {int(index)}")
    return int(index)


def _index(value: Value, *indexes: Value) -> Value:
    value = unbox(value)
    if value is None:
        raise CallError("index of untyped nil")
    for index_value in indexes:
        value = unbox(value)
        if value is None:
            raise CallError("index of nil pointer")
        value = _element_at(value, unbox(index_value))
    return value


def _element_at(value: Value, index: Value) -> Value:
    if isinstance(value, dict):
        return _entry(value, index)
    if isinstance(value, str):
        data = to_bytes(value)
        position = _position(index, len(data))
        if position == len(data):
            raise CallError("reflect: string index out of range")
        return GoByte(data[position])
    if isinstance(value, list):
        position = _position(index, len(value))
        if position == len(value):
            raise CallError("reflect: slice index out of range")
        return item(value, value[position])
    raise CallError(f"can't index item of type {type_name(value)}")


def _entry(value: dict[str, Value], key: Value) -> Value:
    if key is None:
        raise CallError("value is nil; should be of type string")
    if not isinstance(key, str):
        raise CallError(f"value has type {type_name(key)}; should be string")
    missing = "" if item_type(value) == "string" else None
    return item(value, value.get(key, missing))


def _slice(value: Value, *indexes: Value) -> Value:
    value = _sliceable(unbox(value), len(indexes))
    data = to_bytes(value) if isinstance(value, str) else value
    positions = [0, len(data)]
    for number, index in enumerate(indexes):
        positions[number : number + 1] = [_position(unbox(index), len(data))]
    for low, high in pairwise(positions):
        if low > high:
            raise CallError(f"invalid slice index: {low} > {high}")
    part = data[positions[0] : positions[1]]
    if isinstance(part, bytes):
        return from_bytes(part)
    return GoList(part, value.type_name) if isinstance(value, GoList) else part


def _sliceable(value: Value, indexes: int) -> Value:
    if value is None:
        raise CallError("slice of untyped nil")
    if indexes > 3:
        raise CallError(f"too many slice indexes: {indexes}")
    if isinstance(value, str) and indexes == 3:
        raise CallError("cannot 3-index slice a string")
    if not isinstance(value, str | list):
        raise CallError(f"can't slice item of type {type_name(value)}")
    return value


def _len(value: Value) -> Int:
    if isinstance(value, Boxed) and value.value is None:
        raise CallError("len of nil pointer")
    value = unbox(value)
    if value is None:
        raise CallError("reflect: call of reflect.Value.Type on zero Value")
    if isinstance(value, str):
        return Int(byte_length(value))
    if isinstance(value, list | dict):
        return Int(len(value))
    raise CallError(f"len of type {type_name(value)}")


def _text(meter: Meter, args: tuple[Value, ...]) -> str:
    texts = ["<no value>" if arg is None else arg for arg in args]
    return sprint(texts, meter)


def _html(meter: Meter, *args: Value) -> str:
    return _text(meter, args).translate(_HTML)


def _js(meter: Meter, *args: Value) -> str:
    text = _text(meter, args)
    meter.characters(len(text))
    return "".join(map(_js_char, text))


def _js_char(char: str) -> str:
    if char in _JS:
        return _JS[char]
    if char < " ":
        return f"\\u{ord(char):04X}"
    if char < "\x80" or is_surrogate_byte(char) or is_print(char):
        return char
    return f"\\u{ord(char):04X}"


def _call(name: str, value: Value, *_: Value) -> Value:
    value = unbox(value)
    if value is None:
        raise CallError("call of nil")
    raise CallError(f"non-function {name} of type {type_name(value)}")


def callee_name(value: Value) -> str:
    """Go's name for the callee that a pipeline passes to `call`."""
    if isinstance(value, str):
        return value
    return "<invalid Value>" if value is None else f"<{type_name(value)} Value>"


def _never(*_: Value) -> Value:
    raise AssertionError("the evaluator handles it")


BUILTINS: dict[str, Function] = COMPARISONS | {
    "and": function("value ...value -> value", _never, special="and"),
    "or": function("value ...value -> value", _never, special="or"),
    "not": function("value -> bool", lambda value: not truth(value)),
    "call": function("value ...value -> value", _call, special="call"),
    "index": function("value ...value -> value", _index),
    "slice": function("value ...value -> value", _slice),
    "len": function("value -> int", _len),
    "print": function("...any -> string", lambda m, *a: sprint(list(a), m), metered=True),
    "println": function("...any -> string", lambda m, *a: sprintln(list(a), m), metered=True),
    "printf": function(
        "string ...any -> string",
        lambda m, text, *a: sprintf(text, list(a), m),
        metered=True,
        pace=SLOW,
    ),
    "html": function("...any -> string", _html, metered=True),
    "js": function("...any -> string", _js, metered=True),
    "urlquery": function(
        "...any -> string", lambda m, *a: quote_plus(to_bytes(_text(m, a))), metered=True
    ),
}
