"""Mismatches between an expression and a schema, and their messages."""

from __future__ import annotations

from collections.abc import Iterable

from celvet.lint.model import Span
from celvet.lint.rule_ids import CRD_ENUM, CRD_FIELD, CRD_TYPE
from celvet.lint.similar import similar
from celvet.lint.typecheck.types import Type
from celvet.record import record

ABSENT = "it is never there"
FAILS = "evaluation fails"

_WORDS = {
    "bool": "a boolean",
    "bytes": "bytes",
    "duration": "a duration",
    "list": "a list",
    "map": "an object",
    "number": "a number",
    "optional": "an optional value",
    "string": "a string",
    "timestamp": "a timestamp",
    "type": "a type",
}


@record
class TypeMismatch:
    """A finding of the rule of this id, at a span of the text.

    `instead` is what was probably meant there, or empty; the replacement is `safe`
    if the present text cannot have worked.
    """

    rule: str
    span: Span
    message: str
    help: str
    instead: str = ""
    safe: bool = False


def called(kind: Type) -> str:
    """A type in words: `a boolean`."""
    return _WORDS[kind.category]


def no_field(kind: str, path: str, near: str, span: Span, tested: bool) -> TypeMismatch:
    """A field that no object has; `tested` if the expression asks whether it is there."""
    then = ABSENT if tested else "where it is read, evaluation fails"
    return TypeMismatch(
        CRD_FIELD,
        span,
        f"`{path}` is not a field of `{kind}`: {then}",
        f"Write `{near}`." if near else f"Read a field that the CRD of `{kind}` has.",
        near,
        safe=not tested,
    )


def wrong_use(what: Type, use: str, help_: str, span: Span, then: str = FAILS) -> TypeMismatch:
    """A use that the type of the value does not allow; `then` is the consequence."""
    message = f"`{what.path}` is {called(what)}, which {use}: {then}"
    return TypeMismatch(CRD_TYPE, span, message, help_)


def never_equal(what: Type, other: Type, then: str, span: Span) -> TypeMismatch:
    """A comparison between types without a common value; `then` is the consequence."""
    with_ = f"`{other.path}`, {called(other)}" if other.path else called(other)
    message = f"`{what.path}` is {called(what)} and never equals {with_}: {then}"
    return TypeMismatch(CRD_TYPE, span, message, _remedy(what, other))


def _remedy(what: Type, other: Type) -> str:
    if what.category == "optional":
        return "Take its value with `.orValue(...)`."
    if what.category == "string" and what.values and other.category == "bool":
        return f"Compare it with {listed(what.values)}."
    if other.values and what.category in ("bool", "number"):
        return "Write the value without quotes."
    return f"Compare it with {called(what)}."


def not_among(what: Type, text: str, then: str, span: Span) -> TypeMismatch:
    """A literal that the field never is."""
    values = what.values or ()
    near = similar(text, values)
    name = f"`{what.path}` or its alternative" if what.chosen else f"`{what.path}`"
    return TypeMismatch(
        CRD_ENUM,
        span,
        f"{name} is never `{text}`, only one of {listed(values)}: {then}",
        f"Write `{near}`." if near else "Compare it with one of these values.",
        near and f"'{near}'",
    )


def none_left(what: Type, span: Span) -> TypeMismatch:
    """A conjunction that excludes every text that the field may be."""
    message = f"`{what.path}` is always one of {listed(what.values or ())}: this is never true"
    return TypeMismatch(CRD_ENUM, span, message, "Leave one of the values.")


def no_operand(what: Type, other: Type, sign: str, span: Span) -> TypeMismatch:
    """An operand of a type for which arithmetic has no such operator, or not with the other."""
    if other.category == what.category:
        return wrong_use(what, f"`{sign}` does not take", "Compute with numbers.", span)
    use = f"`{sign}` does not take with {called(other)}"
    return wrong_use(what, use, "Convert one of them to the type of the other.", span)


def listed(values: Iterable[str]) -> str:
    """The first few values, quoted."""
    quotations = [f"`{value}`" for value in values if value]
    return ", ".join(quotations[:_SHOWN]) + (", ..." if len(quotations) > _SHOWN else "")


_SHOWN = 8
