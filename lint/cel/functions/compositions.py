"""Functions that compose lists, maps and texts of others: kro's own, and some of cel-go's lists.

Mirrors `pkg/cel/library` of kro (0302e659, after v0.9.3) and `ext/lists.go` of cel-go (0.31).
"""

from __future__ import annotations

import base64
import datetime
import json
from collections.abc import Callable, Mapping
from hashlib import sha256
from math import isfinite
from typing import Any

from celvet.lint.cel.functions.arguments import is_equal, require
from celvet.lint.cel.functions.go_functions import CUT, LONG, json_text
from celvet.lint.go.durations import show_duration

_MOST_ITEMS = 10_000
"""The longest list or text that a number alone makes, as the loops of the engine have it."""

_LETTERS = "0123456789abcdefghijklmnopqrstuvwxyz"
_FNV_OFFSET, _FNV_PRIME = 0xCBF29CE484222325, 0x100000001B3


def _flatten(values: Any, depth: Any = 1) -> list[Any]:
    if require(int, depth) < 0:
        raise ValueError("level must be non-negative")
    flat: list[Any] = []
    for value in require(list, values):
        if depth and isinstance(value, list):
            flat += _flatten(value, depth - 1)
        else:
            flat.append(value)
    return flat


def _distinct(values: Any) -> list[Any]:
    unique: list[Any] = []
    for value in require(list, values):
        if not any(is_equal(value, element) for element in unique):
            unique.append(value)
    return unique


def _range(size: Any) -> list[int]:
    if require(int, size) < 0:
        raise ValueError(f"lists.range: size must be non-negative, got {size}")
    if size > _MOST_ITEMS:
        raise ValueError(LONG)
    return list(range(size))


def _set_at(values: Any, index: Any, value: Any) -> list[Any]:
    place = _place("lists.setAtIndex", values, index)
    return [*values[:place], value, *values[place + 1 :]]


def _insert_at(values: Any, index: Any, value: Any) -> list[Any]:
    size = len(require(list, values))
    if not 0 <= require(int, index) <= size:
        raise ValueError(f"lists.insertAtIndex: index {index} out of bounds [0, {size}]")
    return [*values[:index], value, *values[index:]]


def _remove_at(values: Any, index: Any) -> list[Any]:
    place = _place("lists.removeAtIndex", values, index)
    return [*values[:place], *values[place + 1 :]]


def _place(name: str, values: Any, index: Any) -> int:
    size = len(require(list, values))
    if not 0 <= require(int, index) < size:
        raise ValueError(f"{name}: index {index} out of bounds [0, {size})")
    return int(index)


def _deep_merge(one: Any, other: Any) -> dict[Any, Any]:
    merged = dict(require(dict, one))
    for key, value in require(dict, other).items():
        are_mappings = isinstance(value, dict) and isinstance(merged.get(key), dict)
        merged[key] = _deep_merge(merged[key], value) if are_mappings else value
    return merged


def _unmarshal(text: Any) -> Any:
    if "\\u0000" in require(str, text):
        raise ValueError(CUT)
    try:
        return json.loads(text, parse_int=_number, parse_float=_number, parse_constant=_number)
    except json.JSONDecodeError as error:
        raise ValueError(f"json.unmarshal failed to parse JSON: {error.msg}") from None
    except RecursionError:
        raise ValueError(LONG) from None


def _number(text: str) -> float:
    """A number of JSON, each of which is a double in Go; `NaN` and infinities are none."""
    if not isfinite(number := float(text)):
        raise ValueError(f"json.unmarshal failed to parse JSON: cannot unmarshal number {text}")
    return number


def _native(value: Any) -> Any:
    """`GoNativeType` of kro: a time becomes a text."""
    if isinstance(value, list):
        return [_native(item) for item in value]
    if isinstance(value, dict):
        return {key: _native(item) for key, item in value.items()}
    if isinstance(value, datetime.datetime):
        return value.strftime("%Y-%m-%dT%H:%M:%SZ")
    if isinstance(value, datetime.timedelta):
        return show_duration(value // datetime.timedelta(microseconds=1) * 1000)
    return value


def _digest(name: str) -> Callable[[Any], str]:
    """A hash in base64, which the engine decodes."""

    def run(text: Any) -> str:
        from hashlib import new  # few expressions hash

        content = new(name, require(str, text).encode(), usedforsecurity=False).digest()
        return base64.b64encode(content).decode()

    return run


def _fnv64a(text: Any) -> str:
    value = _FNV_OFFSET
    for byte in require(str, text).encode():
        value = (value ^ byte) * _FNV_PRIME % 2**64
    return base64.b64encode(value.to_bytes(8)).decode()


def _seeded_int(least: Any, most: Any, seed: Any) -> int:
    if require(int, least) >= require(int, most):
        raise ValueError("random.seededInt min must be less than max")
    digest = sha256(require(str, seed).encode()).digest()
    return int(least + int.from_bytes(digest[:8]) % (most - least))


def _seeded_string(size: Any, seed: Any) -> str:
    """A text of letters and digits; each takes four bytes of the hash, which is used again."""
    if require(int, size) <= 0:
        raise ValueError("random.seededString length must be positive")
    if size > _MOST_ITEMS:
        raise ValueError(LONG)
    digest = sha256(require(str, seed).encode()).digest()
    words = [int.from_bytes(digest[start : start + 4]) for start in range(0, len(digest), 4)]
    return "".join(_LETTERS[words[index % len(words)] % len(_LETTERS)] for index in range(size))


def pairs(values: Any) -> list[list[Any]]:
    """The indices or keys, each with its value, as macros of two variables see them."""
    items = values.items() if isinstance(values, dict) else enumerate(require(list, values))
    return [[key, value] for key, value in items]


def map_of(values: list[list[Any]]) -> dict[Any, Any]:
    """The map of keys and values."""
    return {key: value for key, value in values}  # noqa: C416 - each is a list of two


def merged(maps: list[Any]) -> dict[Any, Any]:
    """One map of several with different keys (`ext/comprehensions.go` of cel-go 0.31)."""
    merged_map: dict[Any, Any] = {}
    for part in maps:
        for key, value in require(dict, part).items():
            if key in merged_map:
                raise ValueError(f"insert failed: key {key} already exists")
            merged_map[key] = value
    return merged_map


_CONDITION = ("type", "status", "reason", "message")
_STATUSES = ("True", "False", "Unknown")


def _new_condition(_: Any, fields: Any) -> dict[str, str]:
    """The condition of a map (`newConditionImpl`), which its macro has checked but for the values.

    Of kro's own type there is only what its fields are.
    """
    values = require(dict, fields)
    for key, value in values.items():
        require(str, value, f"runtime.newCondition: {key} must be a string")
    if values.get("type") == "":
        raise ValueError("runtime.newCondition: type must not be empty")
    if values.get("status") not in _STATUSES:
        status = json_text(values.get("status"))
        words = f"status must be one of True, False, Unknown (got {status})"
        raise ValueError(f"runtime.newCondition: {words}")
    return {key: values.get(key, "") for key in _CONDITION}


def _condition(_: Any, obj: Any, name: Any) -> dict[str, str]:
    """The condition of an object with a type; one of empty texts if there is none."""
    of = "runtime.condition:"
    status = require(dict, obj, f"{of} obj must be an object").get("status", {})
    conditions = require(dict, status, f"{of} obj.status must be an object").get("conditions", [])
    for item in require(list, conditions, f"{of} obj.status.conditions must be a list"):
        require(dict, item, f"{of} unexpected condition element type")
    texts = [
        {key: text if isinstance(text := item.get(key), str) else "" for key in _CONDITION}
        for item in conditions
    ]
    return next((text for text in texts if text["type"] == name), dict.fromkeys(_CONDITION, ""))


COMPOSITIONS: Mapping[str, Callable[..., Any]] = {
    "condition": _condition,
    "deepMerge": _deep_merge,
    "distinct": _distinct,
    "flatten": _flatten,
    "hash.fnv64a": _fnv64a,
    "hash.md5": _digest("md5"),
    "hash.sha256": _digest("sha256"),
    "json.marshal": lambda value: json_text(_native(value), whole=True),
    "json.unmarshal": _unmarshal,
    "lists.insertAtIndex": _insert_at,
    "lists.range": _range,
    "lists.removeAtIndex": _remove_at,
    "lists.setAtIndex": _set_at,
    "mapOf": map_of,
    "merge": lambda one, other: {**require(dict, one), **require(dict, other)},
    "merged": merged,
    "newCondition": _new_condition,
    "pairs": pairs,
    "random.seededInt": _seeded_int,
    "random.seededString": _seeded_string,
}
