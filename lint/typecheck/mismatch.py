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


def type_name(kind: Type) -> str:
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


def wrong_use(operand: Type, use: str, advice: str, span: Span, then: str = FAILS) -> TypeMismatch:
    """A use that the type of the value does not allow; `then` is the consequence."""
    message = f"`{operand.path}` is {type_name(operand)}, which {use}: {then}"
    return TypeMismatch(CRD_TYPE, span, message, advice)


def never_equal(field: Type, operand: Type, then: str, span: Span) -> TypeMismatch:
    """A comparison between types without a common value; `then` is the consequence."""
    operand_text = f"`{operand.path}`, {type_name(operand)}" if operand.path else type_name(operand)
    message = f"`{field.path}` is {type_name(field)} and never equals {operand_text}: {then}"
    return TypeMismatch(CRD_TYPE, span, message, _remedy(field, operand))


def _remedy(field: Type, operand: Type) -> str:
    if field.category == "optional":
        return "Take its value with `.orValue(...)`."
    if field.category == "string" and field.values and operand.category == "bool":
        return f"Compare it with {value_list(field.values)}."
    if operand.values and field.category in ("bool", "number"):
        return "Write the value without quotes."
    return f"Compare it with {type_name(field)}."


def not_among(field: Type, text: str, then: str, span: Span) -> TypeMismatch:
    """A literal that the field never is."""
    values = field.values or ()
    near = similar(text, values)
    name = f"`{field.path}` or its alternative" if field.is_choice else f"`{field.path}`"
    return TypeMismatch(
        CRD_ENUM,
        span,
        f"{name} is never `{text}`, only one of {value_list(values)}: {then}",
        f"Write `{near}`." if near else "Compare it with one of these values.",
        near and f"'{near}'",
    )


def none_left(field: Type, span: Span) -> TypeMismatch:
    """A conjunction that excludes every text that the field may be."""
    message = (
        f"`{field.path}` is always one of {value_list(field.values or ())}: this is never true"
    )
    return TypeMismatch(CRD_ENUM, span, message, "Leave one of the values.")


def no_operand(field: Type, operand: Type, sign: str, span: Span) -> TypeMismatch:
    """An operand of a type for which arithmetic has no such operator, or not with the operand."""
    if operand.category == field.category:
        return wrong_use(field, f"`{sign}` does not take", "Compute with numbers.", span)
    use = f"`{sign}` does not take with {type_name(operand)}"
    return wrong_use(field, use, "Convert one of them to the type of the operand.", span)


def value_list(values: Iterable[str]) -> str:
    """The first few values, quoted."""
    quotations = [f"`{value}`" for value in values if value]
    return ", ".join(quotations[:_SHOWN]) + (", ..." if len(quotations) > _SHOWN else "")


_SHOWN = 8
