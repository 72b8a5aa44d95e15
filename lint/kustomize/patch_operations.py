"""Applies the operations of a JSON patch (RFC 6902), as `evanphx/json-patch` v4 does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from celvet.lint.kustomize.errors import KustomizeError, RefusedChangeError
from celvet.lint.model import Path, Value
from celvet.lint.values import ABSENT, get, pointer_tokens
from celvet.regex import regex

_INDEX = regex(r"0|[1-9][0-9]{0,6}")
_MOST_STEPS = 100


def path_written(operation: Value) -> Path:
    """The path that an operation writes, with its `-` and indices."""
    return tuple(_tokens(operation, "path"))


def paths_read(value: Value, operation: Value) -> Iterator[Path]:
    """The paths that an operation reads; one that moves the elements of a list reads them all."""
    tokens = _tokens(operation, "path")
    match operation.get("op"):
        case "copy" | "move":
            yield _steps(value, _tokens(operation, "from"))
        case "test":
            yield _steps(value, tokens)
    holder = _steps(value, tokens[:-1])
    items = get(value, holder)
    if isinstance(items, list):
        # what is appended only needs to know the length: elements may have unknown parts
        appends = operation.get("op") == "add" and tokens[-1] == "-"
        yield (*holder, len(items)) if appends else holder


def apply_operation(value: Value, operation: Value) -> Value:
    """The value after an operation; the given one is not changed.

    Raises:
        KustomizeError: where the controller would fail; `RefusedChangeError` for a wrong value.

    """
    tokens = _tokens(operation, "path")
    match operation.get("op"):
        case "add":
            return _set(value, tokens, _value_of(operation), insert=True)
        case "replace":  # v4 adds a missing key
            return _set(value, tokens, _value_of(operation))
        case "remove":
            _existing_value(value, tokens)
            return _set(value, tokens, ABSENT)
        case "copy":
            source = _tokens(operation, "from")
            if get(value, _steps(value, source), ABSENT) is ABSENT:
                # v4 copies a missing key as null, and fails only at a missing parent.
                raise KustomizeError("a JSON patch copies what is not there")
            return _set(value, tokens, _existing_value(value, source), insert=True)
        case "move":
            source = _tokens(operation, "from")
            source_value = _existing_value(value, source)
            return _set(_set(value, source, ABSENT), tokens, source_value, insert=True)
        case "test":
            if get(value, _steps(value, tokens)) != operation.get("value"):
                raise RefusedChangeError("the `test` of a JSON patch fails")
            return value
        case _:
            raise KustomizeError("a JSON patch has an unknown operation")


def _value_of(operation: Value) -> Value:
    if "value" not in operation:
        raise KustomizeError("an operation of a JSON patch lacks its value")
    return operation["value"]


def _tokens(operation: Value, field: str) -> list[str]:
    text = operation.get(field) if isinstance(operation, dict) else None
    if not isinstance(text, str) or (text and not text.startswith("/")):
        raise KustomizeError("a JSON patch has no such pointer")
    tokens = pointer_tokens(text)
    if len(tokens) > _MOST_STEPS:
        raise KustomizeError("a pointer of a JSON patch is too long")
    return tokens


def _steps(value: Value, tokens: Sequence[str]) -> Path:
    """The tokens as keys and indices, up to where the value ends."""
    steps: list[str | int] = []
    for token in tokens:
        step = int(token) if isinstance(value, list) and _INDEX.fullmatch(token) else token
        steps.append(step)
        value = get(value, (step,))
    return tuple(steps)


def _existing_value(value: Value, tokens: Sequence[str]) -> Value:
    existing = get(value, _steps(value, tokens), ABSENT)
    if existing is ABSENT:
        raise RefusedChangeError(f"a JSON patch finds nothing at `/{'/'.join(tokens)}`")
    return existing


def _set(value: Value, tokens: Sequence[str], new: Any, *, insert: bool = False) -> Value:
    """A copy with the place of the tokens set, inserted in a list, or removed by `ABSENT`."""
    if not tokens:
        if new is ABSENT:
            raise KustomizeError("a JSON patch removes the whole object")
        return new
    token, *tail = tokens
    if isinstance(value, dict):
        return _set_in_mapping(value, token, tail, new, insert=insert)
    if isinstance(value, list):
        return _set_in_list(value, token, tail, new, insert=insert)
    raise RefusedChangeError(f"a JSON patch finds nothing to hold `{token}`")


def _set_in_mapping(
    value: dict[str, Value], token: str, tail: Sequence[str], new: Any, *, insert: bool
) -> Value:
    if tail and token not in value:
        raise RefusedChangeError(f"a JSON patch finds nothing to hold `{tail[0]}`")
    child = _set(value[token], tail, new, insert=insert) if tail else new
    if child is ABSENT:
        return {key: child_value for key, child_value in value.items() if key != token}
    return {**value, token: child}


def _set_in_list(
    value: list[Value], token: str, tail: Sequence[str], new: Any, *, insert: bool
) -> Value:
    if token == "-" and not tail and insert:  # noqa: S105 - a pointer, no secret
        return [*value, new]
    at = int(token) if _INDEX.fullmatch(token) else -1
    if not 0 <= at < len(value) + (insert and not tail):
        raise RefusedChangeError(f"a JSON patch names no element of a list: `{token}`")
    if tail:
        return [*value[:at], _set(value[at], tail, new, insert=insert), *value[at + 1 :]]
    if new is ABSENT:
        return [*value[:at], *value[at + 1 :]]
    return [*value[:at], new, *value[at + (not insert) :]]
