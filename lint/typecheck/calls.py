"""Types of calls: what functions take and give, and what operators do with unfitting types.

Arithmetic is that of `common/stdlib` of cel-go 0.26.1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from celvet.lint.cel.syntax.tree import Call, Literal, Node
from celvet.lint.similar import similar
from celvet.lint.typecheck.mismatch import (
    TypeMismatch,
    never_equal,
    no_operand,
    not_among,
    type_name,
    wrong_use,
)
from celvet.lint.typecheck.types import (
    ANY,
    BOOL,
    NUMBER,
    STRING,
    Category,
    Type,
    common_type,
    optional_of,
)

_ALWAYS = {"_==_": "this is always false", "_!=_": "this is always true"}
_NEVER_IN = "this is always false"
_TIMES: frozenset[Category] = frozenset({"duration", "timestamp"})
_ALIKE: Mapping[str, frozenset[Category]] = {
    "+": frozenset({"bytes", "duration", "list", "number", "string"}),
    "-": frozenset({"duration", "number", "timestamp"}),
}
"""The types that an operator takes twice; any other operator takes only numbers."""


def _table(kind: Type, names: str) -> dict[str, Type]:
    return dict.fromkeys(names.split(), kind)


_RESULTS: Mapping[str, Type] = {
    **_table(BOOL, "bool contains endsWith hasValue matches startsWith"),
    **_table(BOOL, "sets.contains sets.equivalent sets.intersects"),
    **_table(NUMBER, "double indexOf int lastIndexOf size uint"),
    **_table(NUMBER, "getDate getDayOfMonth getDayOfWeek getDayOfYear getFullYear getHours"),
    **_table(NUMBER, "getMilliseconds getMinutes getMonth getSeconds"),
    **_table(STRING, "base64.encode charAt format join lowerAscii replace string"),
    **_table(STRING, "strings.quote substring trim upperAscii"),
    "duration": Type("duration"),
    "split": Type("list", inner=STRING),
    "timestamp": Type("timestamp"),
    "type": Type("type"),
}

_FORWARD: Mapping[str, Callable[[Sequence[Type]], Type]] = {
    "first": lambda args: optional_of(args[0].element),
    "last": lambda args: optional_of(args[0].element),
    "optional.of": lambda args: optional_of(args[0]),
    "optional.ofNonZeroValue": lambda args: optional_of(args[0]),
    "or": lambda args: common_type(args[0], args[-1]),
    "orValue": lambda args: (
        common_type(args[0].element, args[-1]) if _is_optional(args[0]) else ANY
    ),
    "value": lambda args: args[0].element if _is_optional(args[0]) else ANY,
}
"""Functions whose result depends on their arguments; they have at least one."""

_OF_TEXT = frozenset(
    {"charAt", "contains", "endsWith", "indexOf", "lastIndexOf", "lowerAscii", "matches"}
    | {"replace", "split", "startsWith", "substring", "trim", "upperAscii"}
)
_TAKES: Mapping[str, tuple[Category, ...]] = {
    **dict.fromkeys(_OF_TEXT, ("string",)),
    "size": ("bytes", "list", "map", "string"),
}
"""Function -> the types allowed for the first argument, or the target."""


def _is_optional(kind: Type) -> bool:
    return kind.category == "optional"


def result(name: str, args: Sequence[Type]) -> Type:
    """The type of a call; the target is one of the arguments."""
    if args and (forward := _FORWARD.get(name)):
        return forward(args)
    return _RESULTS.get(name, ANY)


def takes(name: str) -> tuple[Category, ...]:
    """The categories allowed for the first argument; empty if any is."""
    return _TAKES.get(name, ())


def check_comparison(node: Call, left: Type, right: Type) -> Iterator[TypeMismatch]:
    """The mismatch of `==`, `!=` or an order between two types."""
    field, operand, literal = left, right, node.args[1]
    if not field.path:
        field, operand, literal = right, left, node.args[0]
    if not (field.path and field.category and operand.category):
        return
    if "null" in (field.category, operand.category):
        return  # some APIs use null for an absent value, whatever their schema says
    if field.category != operand.category:
        if node.function in _ALWAYS:
            yield never_equal(field, operand, _ALWAYS[node.function], node.span)
        else:
            use = f"cannot be ordered with {type_name(operand)}"
            yield wrong_use(field, use, f"Compare it with {type_name(field)}.", node.span)
    elif node.function in _ALWAYS and (text := _text_outside(field, literal)):
        yield not_among(field, text, _ALWAYS[node.function], literal.span)


def check_membership(
    node: Call, item: Type, elements: Sequence[tuple[Node, Type]]
) -> Iterator[TypeMismatch]:
    """The mismatches of `in`, for an item and the known elements of the list.

    A literal outside the values of the item is reported if no element of the list fits,
    or if it resembles a value that the list lacks: spelling variants beside the right
    one do no harm.
    """
    kinds = [kind for _, kind in elements if kind.category not in ("", "null")]
    if not kinds or len(kinds) < len(elements) or item.category in ("", "null"):
        return
    if all(kind.category != item.category for kind in kinds):
        field, operand = (item, kinds[0]) if item.path else (kinds[0], item)
        if field.path:
            yield never_equal(field, operand, _NEVER_IN, node.span)
        return
    if text := _text_in_none(node.args[0], [kind for _, kind in elements]):
        yield not_among(elements[0][1], text, _NEVER_IN, node.args[0].span)
        return
    nodes = [element for element, _ in elements]
    values = [node.value for node in nodes if isinstance(node, Literal)]
    fits = any(value in (item.values or ()) for value in values)
    for literal in nodes:
        text = _text_outside(item, literal)
        near = similar(text, item.values or ()) if text else ""
        if text and (not fits or (near and near not in values)):
            then = "the field never has this value" if fits else _NEVER_IN
            yield not_among(item, text, then, literal.span)


def _text_in_none(literal: Node, kinds: Sequence[Type]) -> str:
    """The text of a literal that none of the list's elements is."""
    texts = {_text_outside(kind, literal) for kind in kinds}
    return texts.pop() if len(texts) == 1 else ""


def _text_outside(field: Type, literal: Node) -> str:
    """The text of a literal that is none of the values; an empty one stands for "not set"."""
    if field.path and field.values and isinstance(literal, Literal):
        text = literal.value
        if isinstance(text, str) and text not in field.values:
            return text
    return ""


def check_arithmetic(node: Call, args: Sequence[Type]) -> Iterator[TypeMismatch]:
    """The mismatch of an arithmetic operator between two types; one is the object's."""
    categories = {kind.category for kind in args}
    field = next((kind for kind in args if kind.path), None)
    if not field or categories & {"", "null"}:
        return  # no schema distinguishes a null from other values
    sign = node.function.strip("_")
    if len(categories) == 1 and field.category in _ALIKE.get(sign, {"number"}):
        return
    if categories == _TIMES and sign in _ALIKE:
        return
    operand = next((kind for kind in args if kind.category != field.category), field)
    yield no_operand(field, operand, sign, node.at)
