"""Values as text: JSON as Go's encoder writes it, and Go's `%v`."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence

from celvet.lint.go.floats import json_number, shortest
from celvet.lint.go.quoting import json_string
from celvet.lint.jsonpath.errors import EvaluationError, LimitExceededError
from celvet.lint.jsonpath.eval.path_values import type_name, utf8
from celvet.lint.model import Value
from celvet.lint.values import kubernetes_number
from celvet.record import record
from celvet.regex import regex

_MAX_TEXT = 2_000_000
_SHOWN = 1_000
"""The most code points to print."""

_LONE_SURROGATE = regex("[\ud800-\udfff]")


def kubectl_text(value: Value) -> str:
    """A result as kubectl prints it: objects and lists as JSON, everything else unchanged.

    Raises `LimitExceededError` beyond `_MAX_TEXT` and `EvaluationError` for a
    float that JSON does not have.
    """
    if isinstance(value, (dict, list)):
        return json_text(value)
    return "null" if value is None else _plain(value)


def json_text(value: Value) -> str:
    """JSON as Go's `json.Marshal` writes it; raises as `kubectl_text`."""
    return join_pieces(_pieces(value, _JSON))


def go_text(value: Value, limit: int = _MAX_TEXT) -> str:
    """A value as Go's `%v` prints it, `map[a:1 b:[x y]]`, cut after `limit` code points."""
    pieces = []
    room = limit
    for piece in _pieces(value, _GO):
        pieces.append(piece[:room])
        room -= len(piece)
        if room < 0:
            return valid_text("".join((*pieces, "...")))
    return valid_text("".join(pieces))


def accessor_error(path: Sequence[str], value: Value, wanted: str) -> str:
    """The words of apimachinery's `unstructured` helpers for a value of another type."""
    value_type = "<nil>" if value is None else type_name(value)
    where = "." + ".".join(path)
    text = go_text(value, _SHOWN)
    return f"{where} accessor error: {text} is of the type {value_type}, expected {wanted}"


def join_pieces(pieces: Iterable[str]) -> str:
    """The pieces as one text; raises `LimitExceededError` beyond `_MAX_TEXT`."""
    parts = []
    room = _MAX_TEXT
    for piece in pieces:
        parts.append(piece)
        room -= len(piece)
        if room < 0:
            raise LimitExceededError(
                f"prints more than {_MAX_TEXT} characters, which is celvet's limit"
            )
    return "".join(parts)


def valid_text(text: str) -> str:
    """The text with a replacement character for every byte that is not UTF-8."""
    if text.isascii():
        return text
    decoded_text = utf8(text).decode("utf-8", "surrogateescape")
    return _LONE_SURROGATE.sub("\ufffd", decoded_text)


@record
class _Style:
    """The notation of objects, lists and scalars."""

    opening: str
    closing: str
    separator: str
    key: Callable[[str], str]
    scalar: Callable[[Value], str]


def _pieces(value: Value, style: _Style) -> Iterator[str]:
    """The text in order, in pieces; without recursion, since values may be deep."""
    stack: list[tuple[Iterator[tuple[str, Value]], str]] = [(iter([("", value)]), "")]
    while stack:
        entries, closing = stack[-1]
        for prefix, item in entries:
            if isinstance(item, (dict, list)):
                opening, end = (style.opening, style.closing) if isinstance(item, dict) else "[]"
                yield prefix + opening
                stack.append((_entries(item, style), end))
                break
            yield prefix + style.scalar(item)
        else:
            stack.pop()
            yield closing


def _entries(container: Value, style: _Style) -> Iterator[tuple[str, Value]]:
    """The text before each value inside, and the value; keys in order."""
    separator = ""
    if isinstance(container, list):
        for item in container:
            yield separator, item
            separator = style.separator
        return
    for key in sorted(container, key=str):
        yield separator + style.key(str(key)), container[key]
        separator = style.separator


def _plain(value: Value) -> str:
    """A scalar as `%v` prints it."""
    value = kubernetes_number(value)
    if value is None:
        return "<nil>"
    if isinstance(value, bool):
        return "true" if value else "false"
    return shortest(value) if isinstance(value, float) else str(value)


def _json_scalar(value: Value) -> str:
    value = kubernetes_number(value)
    if value is None:
        return "null"
    if isinstance(value, str):
        return json_string(value)
    if isinstance(value, float) and not math.isfinite(value):
        raise EvaluationError(f"json: unsupported value: {_plain(value)}")
    return json_number(value) if isinstance(value, float) else _plain(value)


_JSON = _Style("{", "}", ",", lambda key: f"{json_string(key)}:", _json_scalar)
_GO = _Style("map[", "]", " ", lambda key: f"{key}:", _plain)
