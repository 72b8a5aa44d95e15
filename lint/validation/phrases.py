"""The facts and the advice for each keyword, in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from celvet.lint.model import Value
from celvet.lint.validation.remark import Fault, listed, name_of, quoted

_WORDS = {
    "object": "a mapping",
    "array": "a list",
    "string": "a string",
    "boolean": "a boolean",
    "integer": "an integer",
    "number": "a number",
    "null": "null",
}
_TYPES: Mapping[type, str] = {
    dict: "object",
    list: "array",
    str: "string",
    bool: "boolean",
    int: "integer",
    float: "number",
    type(None): "null",
}


def fact_of(fault: Fault) -> str:
    """What is wrong, as a clause without an end: `current` is missing."""
    return _FACTS[fault.keyword](fault)


def help_of(fault: Fault) -> str:
    """What to do about it, as an imperative sentence; empty if that is clear."""
    advice = _HELPS.get(fault.keyword)
    return advice(fault) if advice else ""


def _shown(value: Value) -> str:
    if isinstance(value, bool):
        return quoted(str(value).lower())
    return quoted(str(value)) if isinstance(value, str | int | float) else _type_of(value)


def _type_of(value: Value) -> str:
    return _WORDS.get(_TYPES.get(type(value), ""), "a value of another type")


def _type(fault: Fault) -> str:
    needed = _WORDS[fault.expected]
    return f"{name_of(fault.path)} is {_type_of(fault.value)} where {needed} is needed"


def _type_help(fault: Fault) -> str:
    if fault.expected == "string" and isinstance(fault.value, bool | int | float):
        return "Put the value in quotes."
    if fault.expected == "boolean":
        quotes = fault.value in ("true", "false")
        return "Remove the quotes." if quotes else "Write `true` or `false`."
    if fault.expected == "array":
        return "Write a list, each entry behind a `-`."
    return f"Write {_WORDS[fault.expected]}."


def _size(fault: Fault, unit: str, limit: str) -> str:
    size = len(fault.value)
    if not size:
        return f"{name_of(fault.path)} is empty"
    return f"{name_of(fault.path)} has {size} {unit}, {limit} {fault.expected}"


def _least(unit: str) -> Callable[[Fault], str]:
    return lambda fault: _size(fault, unit, "the least is")


def _most(unit: str) -> Callable[[Fault], str]:
    return lambda fault: _size(fault, unit, "the most is")


def _bound(limit: str) -> Callable[[Fault], str]:
    return lambda fault: (
        f"{name_of(fault.path)} is {_shown(fault.value)}, {limit} {quoted(str(fault.expected))}"
    )


def _choices(fault: Fault) -> list[str]:
    return [branch["required"][0] for branch in fault.expected if "required" in branch]


def _alternatives(fault: Fault) -> str:
    subject, chosen = name_of(fault.path), fault.detail.split()
    if len(_choices(fault)) < len(fault.expected):
        return f"{subject} has {'more than one' if chosen else 'none'} of the forms it may have"
    if chosen:
        return f"{subject} has {_together(chosen)}"
    return f"{subject} has none of {listed(_choices(fault))}"


def _alternatives_help(fault: Fault) -> str:
    names = _choices(fault)
    if len(names) < len(fault.expected):
        return ""
    return f"{'Keep' if fault.detail else 'Write'} one of {listed(names)}."


def _together(names: list[str]) -> str:
    return " and ".join(map(quoted, names)) + " together"


def _excluded(fault: Fault) -> str:
    names = fault.expected.get("required", [])
    return f"{name_of(fault.path)} has " + (_together(names) if names else "a form it cannot have")


_FACTS: Mapping[str, Callable[[Fault], str]] = {
    "required": lambda fault: f"{quoted(fault.detail)} is missing",
    "type": _type,
    "enum": lambda fault: (
        f"{name_of(fault.path)} is {_shown(fault.value)}, none of {_allowed(fault.expected)}"
    ),
    "const": _bound("not"),
    "pattern": lambda fault: (
        f"{name_of(fault.path)} is {_shown(fault.value)}, not of the form {quoted(fault.expected)}"
    ),
    "minLength": _least("characters"),
    "maxLength": _most("characters"),
    "minItems": _least("entries"),
    "maxItems": _most("entries"),
    "minProperties": _least("fields"),
    "maxProperties": _most("fields"),
    "minimum": _bound("less than"),
    "maximum": _bound("more than"),
    "anyOf": _alternatives,
    "oneOf": _alternatives,
    "not": _excluded,
    "x-unique": lambda fault: fault.detail,
}
_HELPS: Mapping[str, Callable[[Fault], str]] = {
    "required": lambda fault: f"Add {quoted(fault.detail)}.",
    "type": _type_help,
    "minLength": lambda fault: "Write a value." if not fault.value else "",
    "enum": lambda fault: f"Write one of {_allowed(fault.expected)}.",
    "const": lambda fault: f"Write {_shown(fault.expected)}.",
    "anyOf": _alternatives_help,
    "oneOf": _alternatives_help,
    "not": lambda fault: "Remove one of them." if "required" in fault.expected else "",
    "x-unique": lambda _: "Remove or rename one of them.",
}


def _allowed(values: list[Any]) -> str:
    return ", ".join(map(_shown, values))
