"""Plain paths of keys: `dotted`, as boxcutter reads them, and `fieldpath`, as Crossplane does.

A path of either notation becomes the nodes of a template, for all that asks which fields it reads.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from celvet.lint.jsonpath.errors import JSONPathError, PathErrorCause
from celvet.lint.jsonpath.eval.printing import accessor_error
from celvet.lint.jsonpath.eval.result import PathResult
from celvet.lint.jsonpath.eval.template import PathTemplate
from celvet.lint.jsonpath.hints.mistakes import Misreading
from celvet.lint.jsonpath.parse.nodes import ArrayNode, FieldNode, ListNode
from celvet.lint.model import Span, Value
from celvet.lint.values import kubernetes_number
from celvet.record import record
from celvet.regex import regex

DOTTED: Final = "dotted"

_END = regex(r"[][.]")
_ODD = regex(r"\$.*|\{.*|.*\}|\*|.*\[.*|\?\(.*")
_MOST_INDEX = 2**32 - 1

HINTS: dict[PathErrorCause, str] = {
    "unexpected-character": "write keys with one dot between them, and an index as `list[0]`",
    "unterminated-array": "close the bracket with `]`",
}
"""How to correct a path that Crossplane refuses, by cause."""


@record
class PathStep:
    """A key or, in Crossplane's notation, an index."""

    value: str | int
    span: Span


def steps(text: str, language: str) -> tuple[PathStep, ...]:
    """The steps of a path; raises `JSONPathError` for one that Crossplane refuses."""
    return tuple(_dotted(text) if language == DOTTED else _field_path(text))


def template(text: str, path: Sequence[PathStep]) -> PathTemplate:
    """The template of client-go that reads the same fields."""
    nodes = tuple(
        FieldNode(step.value, step.span)
        if isinstance(step.value, str)
        else ArrayNode(step.value, step.value + 1, 1, True, step.span)
        for step in path
    )
    return PathTemplate(text, (ListNode(nodes, Span(0, len(text))),))


def read_steps(path: Sequence[PathStep], language: str, value: Value) -> PathResult:
    """The value at a path, in the words of the library that reads it."""
    keys = [step.value for step in path]
    return _nested(keys, value) if language == DOTTED else _paved(keys, value)


def misreadings(path: Sequence[PathStep], language: str) -> Iterator[Misreading]:
    """The steps that look like another notation, and are keys that no object has."""
    for step in path:
        text = str(step.value)
        if _ODD.fullmatch(text):
            message = f"`{text}` is read as the name of a key, which no object has"
            hint = (
                "write keys with dots between them: this notation has no list items"
                if language == DOTTED
                else "write keys and indices alone, as in `status.conditions[0].status`"
            )
            yield Misreading("odd-key", message, hint, step.span)


def _dotted(text: str) -> Iterator[PathStep]:
    """The keys as `FieldValueProbe` of boxcutter (v0.14.0, `probing/fieldvalue.go`) splits them."""
    start = len(text) - len(text.lstrip("."))
    for key in text.strip(".").split("."):
        yield PathStep(key, Span(start, start + len(key)))
        start += len(key) + 1


def _nested(keys: Sequence[str | int], value: Value) -> PathResult:
    """Mirrors `NestedFieldNoCopy` of apimachinery (v0.36)."""
    for depth, key in enumerate(keys, start=1):
        if value is None:
            return PathResult("absent")
        if not isinstance(value, dict):
            names = tuple(map(str, keys[:depth]))
            return PathResult("error", error=accessor_error(names, value, "map[string]interface{}"))
        if key not in value:
            return PathResult("absent")
        value = value[key]
    return PathResult("value", kubernetes_number(value))


def _field_path(text: str) -> Iterator[PathStep]:
    """The segments as the lexer of crossplane-runtime (v2.3, `pkg/fieldpath`) splits them.

    Its positions are bytes, ours are characters.
    """
    place = 0
    while place < len(text):
        if text[place] == "[":
            end = text.find("]", place)
            if end < 0:
                raise _unexpected(text, place, "unterminated-array", "unterminated '['")
            inner = text[place + 1 : end]
            if not inner:
                raise _unexpected(text, place + 1, "unexpected-character", "unexpected ']'")
            if "[" in inner:
                at = place + 1 + inner.index("[")
                raise _unexpected(text, at, "unexpected-character", "unexpected '['")
            yield PathStep(_key_or_index(inner), Span(place + 1, end))
            place = end + 1
        elif text[place] == ".":
            # A period only separates: it needs a segment on both sides.
            if place in (0, len(text) - 1):
                raise _unexpected(text, place, "unexpected-character", "unexpected '.'")
            if text[place + 1] in ".[":
                wrong = text[place + 1]
                raise _unexpected(text, place + 1, "unexpected-character", f"unexpected '{wrong}'")
            place += 1
        else:
            match = _END.search(text, place)
            end = match.start() if match else len(text)
            if match and match[0] == "]":
                raise _unexpected(text, end, "unexpected-character", "unexpected ']'")
            yield PathStep(_key(text[place:end]), Span(place, end))
            place = end


def _unexpected(text: str, at: int, cause: PathErrorCause, words: str) -> JSONPathError:
    position = len(text[:at].encode("utf-8", "surrogatepass"))
    wording = f'cannot parse path "{text}": {words} at position {position}'
    return JSONPathError(cause, wording, Span(at, at + 1))


def _key(text: str) -> str:
    return text.strip("'\"")


def _key_or_index(text: str) -> str | int:
    is_number = text.isascii() and text.isdecimal() and int(text[:20]) <= _MOST_INDEX
    return int(text) if is_number and len(text) <= 20 else _key(text)


def _paved(keys: Sequence[str | int], value: Value) -> PathResult:
    """Mirrors `getValueFromInterface` of `pkg/fieldpath/paved.go`."""
    for depth, key in enumerate(keys):
        parent, child = _shown(keys[:depth]), _shown(keys[: depth + 1])
        if isinstance(key, int):
            if not isinstance(value, list):
                return PathResult("error", error=f"{parent}: not an array")
            if key >= len(value):
                return PathResult("absent", error=f"{child}: no such element")
        elif value is None:
            return PathResult("absent", error=f"{parent}: expected map, got nil")
        elif not isinstance(value, dict):
            return PathResult("error", error=f"{parent}: not an object")
        elif key not in value:
            return PathResult("absent", error=f"{child}: no such field")
        value = value[key]
    return PathResult("value", kubernetes_number(value) if keys else None)


def _shown(keys: Sequence[str | int]) -> str:
    """Segments as Crossplane prints them: a key with a dot, and an index, are in brackets."""
    parts = (
        f"[{key}]" if isinstance(key, int) or key == "*" or "." in key else f".{key}"
        for key in keys
    )
    return "".join(parts).removeprefix(".")
