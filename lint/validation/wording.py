"""Turns a broken keyword into a violation, with message and severity.

A message is a fact and its consequence: "`current` is missing; the API server refuses the object".
A schema can give either part, and the help, in its `x-refusal`; the tables here have the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from celvet.lint.model import Severity, Value
from celvet.lint.rule_ids import SCHEMA_VIOLATION
from celvet.lint.safe_text import in_backquotes
from celvet.lint.validation.result import KeywordResult, Violation, listed, name_of
from celvet.schemas import Kind

_ABOUT_THE_WHOLE = frozenset(
    (
        "required",
        "propertyNames",
        "anyOf",
        "oneOf",
        "not",
        "minItems",
        "maxItems",
        "minProperties",
        "maxProperties",
    )
)
"""Keywords that miss or count something in a value, which may be long: its key is shown."""

_TYPES: Mapping[str, tuple[type, str]] = {
    "object": (dict, "a mapping"),
    "array": (list, "a list"),
    "string": (str, "a string"),
    "boolean": (bool, "a boolean"),
    "integer": (int, "an integer"),
    "number": (float, "a number"),
    "null": (type(None), "null"),
}


def violation(result: KeywordResult, kind: Kind, dropped_field: str = "") -> Violation:
    """The violation for a result.

    `dropped_field` is the field around it that the API server silently drops, if there is one: then
    nothing refuses the value, and it is only a warning.
    """
    refusal: Mapping[str, str] = result.schema.get("x-refusal", {}).get(result.keyword, {})
    severity = Severity[refusal.get("severity", "error").upper()]
    then = refusal.get("then") or f"{kind.refused_by} refuses the object"
    # The value reaches nobody as long as the API server prunes the field around it.
    if dropped_field and severity is Severity.ERROR:
        severity, then = (
            Severity.WARNING,
            f"a version that has {in_backquotes(dropped_field)} refuses it",
        )
    fact, advice = _WORDINGS[result.keyword](result)
    has_key = bool(result.path) and isinstance(result.path[-1], str)
    return Violation(
        path=result.path,
        message=f"{refusal.get('fact') or fact}; {then}",
        help=refusal.get("help") or advice,
        keyword=result.keyword,
        on_key=has_key and result.keyword in _ABOUT_THE_WHOLE,
        rule=refusal.get("rule", SCHEMA_VIOLATION),
        severity=severity,
    )


_Wording: TypeAlias = tuple[str, str]
"""A mistake as a clause without final period, and the remedy as a sentence, empty if obvious."""


def _value_words(value: Value) -> str:
    if isinstance(value, bool):
        return in_backquotes(str(value).lower())
    return in_backquotes(str(value)) if isinstance(value, str | int | float) else _type_words(value)


def _type_words(value: Value) -> str:
    pairs = _TYPES.values()
    return next((words for cls, words in pairs if type(value) is cls), "a value of another type")


def _required(result: KeywordResult) -> _Wording:
    return f"{in_backquotes(result.detail)} is missing", f"Add {in_backquotes(result.detail)}."


def _type(result: KeywordResult) -> _Wording:
    value, name, words = result.value, result.expectation, _TYPES[result.expectation][1]
    fact = f"{name_of(result.path)} is {_type_words(value)} where {words} is needed"
    if name == "string" and isinstance(value, bool | int | float):
        return fact, "Put the value in quotes."
    if name == "boolean":
        quotes = value in ("true", "false")
        return fact, "Remove the quotes." if quotes else "Write `true` or `false`."
    return fact, "Write a list, each entry behind a `-`." if name == "array" else f"Write {words}."


def _enum(result: KeywordResult) -> _Wording:
    choices = ", ".join(map(_value_words, result.expectation))
    fact = f"{name_of(result.path)} is {_value_words(result.value)}, none of {choices}"
    return fact, f"Write one of {choices}."


def _const(result: KeywordResult) -> _Wording:
    return _bound("not")(result)[0], f"Write {_value_words(result.expectation)}."


def _bound(limit: str) -> Callable[[KeywordResult], _Wording]:
    """The wording of a value that has not, or exceeds, the one in the schema."""
    return lambda result: (
        f"{name_of(result.path)} is {_value_words(result.value)}, {limit}"
        f" {in_backquotes(str(result.expectation))}",
        "",
    )


def _size(limit: str, unit: str) -> Callable[[KeywordResult], _Wording]:
    """The wording of a value that is too long or too short."""

    def wording(result: KeywordResult) -> _Wording:
        name, size = name_of(result.path), len(result.value)
        if not size:
            return f"{name} is empty", "Write a value." if unit == "characters" else ""
        return f"{name} has {size} {unit}, the {limit} is {result.expectation}", ""

    return wording


def _alternatives(result: KeywordResult) -> _Wording:
    name, keys = name_of(result.path), result.detail.split()
    choices = [branch["required"][0] for branch in result.expectation if "required" in branch]
    if len(choices) < len(result.expectation):
        return f"{name} has {'more than one' if keys else 'none'} of the forms it may have", ""
    if keys:
        return f"{name} has {_together(keys)}", f"Keep one of {listed(choices)}."
    return f"{name} has none of {listed(choices)}", f"Write one of {listed(choices)}."


def _not(result: KeywordResult) -> _Wording:
    if keys := result.expectation.get("required", []):
        return f"{name_of(result.path)} has {_together(keys)}", "Remove one of them."
    return f"{name_of(result.path)} has a form it cannot have", ""


def _together(keys: list[str]) -> str:
    return " and ".join(map(in_backquotes, keys)) + " together"


_WORDINGS: Mapping[str, Callable[[KeywordResult], _Wording]] = {
    "required": _required,
    "type": _type,
    "enum": _enum,
    "const": _const,
    "pattern": _bound("not of the form"),
    "minLength": _size("least", "characters"),
    "maxLength": _size("most", "characters"),
    "minItems": _size("least", "entries"),
    "maxItems": _size("most", "entries"),
    "minProperties": _size("least", "fields"),
    "maxProperties": _size("most", "fields"),
    "minimum": _bound("less than"),
    "maximum": _bound("more than"),
    "anyOf": _alternatives,
    "oneOf": _alternatives,
    "not": _not,
    "propertyNames": _bound("not of the form"),
    "x-regexp": lambda result: (
        f"{name_of(result.path)} is no regular expression of Go: {result.detail}",
        "Write it in the syntax of RE2.",
    ),
    "x-unique": lambda result: (result.detail, "Remove or rename one of them."),
}
