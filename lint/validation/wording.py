"""Turns a broken keyword into a violation, with message and severity.

A message is a fact and its consequence: "`current` is missing; the API server refuses the object".
A schema can give either part, and the help, in its `x-refusal`; the tables here have the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from celvet.lint.model import Severity, Value
from celvet.lint.rule_ids import SCHEMA_VIOLATION
from celvet.lint.safe_text import quoted
from celvet.lint.validation.keyword_result import KeywordResult, listed, name_of
from celvet.lint.validation.result import Violation
from celvet.schemas import Kind

_ABOUT_THE_WHOLE = frozenset(
    ("required", "anyOf", "oneOf", "not", "minItems", "maxItems", "minProperties", "maxProperties")
)
"""Keywords that miss or count something in a value, which may be long: its key is shown."""

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


def violation(result: KeywordResult, kind: Kind, dropped: str = "") -> Violation:
    """The violation for a result.

    `dropped` is the field around it that the API server silently drops, if there is one: then
    nothing refuses the value, and it is only a warning.
    """
    given: Mapping[str, str] = result.schema.get("x-refusal", {}).get(result.keyword, {})
    severity = Severity[given.get("severity", "error").upper()]
    then = given.get("then") or f"{kind.refused_by} refuses the object"
    if dropped and severity is Severity.ERROR:
        severity, then = Severity.WARNING, f"a version that has {quoted(dropped)} refuses it"
    return Violation(
        path=result.path,
        message=f"{given.get('fact') or _fact_of(result)}; {then}",
        help=given.get("help") or _help_of(result),
        keyword=result.keyword,
        on_key=_is_key_meant(result),
        rule=given.get("rule", SCHEMA_VIOLATION),
        severity=severity,
    )


def _is_key_meant(result: KeywordResult) -> bool:
    return (
        result.keyword in _ABOUT_THE_WHOLE
        and result.path != ()
        and isinstance(result.path[-1], str)
    )


def _fact_of(result: KeywordResult) -> str:
    """The mistake as a clause without final period: `current` is missing."""
    return _FACTS[result.keyword](result)


def _help_of(result: KeywordResult) -> str:
    """The remedy as an imperative sentence; empty if it is obvious."""
    advice = _HELPS.get(result.keyword)
    return advice(result) if advice else ""


def _shown(value: Value) -> str:
    if isinstance(value, bool):
        return quoted(str(value).lower())
    return quoted(str(value)) if isinstance(value, str | int | float) else _type_of(value)


def _type_of(value: Value) -> str:
    return _WORDS.get(_TYPES.get(type(value), ""), "a value of another type")


def _type(result: KeywordResult) -> str:
    needed = _WORDS[result.expectation]
    return f"{name_of(result.path)} is {_type_of(result.value)} where {needed} is needed"


def _type_help(result: KeywordResult) -> str:
    if result.expectation == "string" and isinstance(result.value, bool | int | float):
        return "Put the value in quotes."
    if result.expectation == "boolean":
        quotes = result.value in ("true", "false")
        return "Remove the quotes." if quotes else "Write `true` or `false`."
    if result.expectation == "array":
        return "Write a list, each entry behind a `-`."
    return f"Write {_WORDS[result.expectation]}."


def _size(result: KeywordResult, unit: str, limit: str) -> str:
    size = len(result.value)
    if not size:
        return f"{name_of(result.path)} is empty"
    return f"{name_of(result.path)} has {size} {unit}, {limit} {result.expectation}"


def _least(unit: str) -> Callable[[KeywordResult], str]:
    return lambda result: _size(result, unit, "the least is")


def _most(unit: str) -> Callable[[KeywordResult], str]:
    return lambda result: _size(result, unit, "the most is")


def _bound(limit: str) -> Callable[[KeywordResult], str]:
    return lambda result: (
        f"{name_of(result.path)} is {_shown(result.value)}, {limit}"
        f" {quoted(str(result.expectation))}"
    )


def _choices(result: KeywordResult) -> list[str]:
    return [branch["required"][0] for branch in result.expectation if "required" in branch]


def _alternatives(result: KeywordResult) -> str:
    subject, chosen = name_of(result.path), result.detail.split()
    if len(_choices(result)) < len(result.expectation):
        return f"{subject} has {'more than one' if chosen else 'none'} of the forms it may have"
    if chosen:
        return f"{subject} has {_together(chosen)}"
    return f"{subject} has none of {listed(_choices(result))}"


def _alternatives_help(result: KeywordResult) -> str:
    names = _choices(result)
    if len(names) < len(result.expectation):
        return ""
    return f"{'Keep' if result.detail else 'Write'} one of {listed(names)}."


def _together(names: list[str]) -> str:
    return " and ".join(map(quoted, names)) + " together"


def _excluded(result: KeywordResult) -> str:
    names = result.expectation.get("required", [])
    return f"{name_of(result.path)} has " + (_together(names) if names else "a form it cannot have")


_FACTS: Mapping[str, Callable[[KeywordResult], str]] = {
    "required": lambda result: f"{quoted(result.detail)} is missing",
    "type": _type,
    "enum": lambda result: (
        f"{name_of(result.path)} is {_shown(result.value)}, none of {_allowed(result.expectation)}"
    ),
    "const": _bound("not"),
    "pattern": lambda result: (
        f"{name_of(result.path)} is {_shown(result.value)}, not of the form"
        f" {quoted(result.expectation)}"
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
    "x-unique": lambda result: result.detail,
}
_HELPS: Mapping[str, Callable[[KeywordResult], str]] = {
    "required": lambda result: f"Add {quoted(result.detail)}.",
    "type": _type_help,
    "minLength": lambda result: "Write a value." if not result.value else "",
    "enum": lambda result: f"Write one of {_allowed(result.expectation)}.",
    "const": lambda result: f"Write {_shown(result.expectation)}.",
    "anyOf": _alternatives_help,
    "oneOf": _alternatives_help,
    "not": lambda result: "Remove one of them." if "required" in result.expectation else "",
    "x-unique": lambda _: "Remove or rename one of them.",
}


def _allowed(values: list[Any]) -> str:
    return ", ".join(map(_shown, values))
