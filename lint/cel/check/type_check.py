"""Errors that cel-go's type checker reports and cel-cpp's does not.

They are found in the engine's checked tree: field selection on a value without fields
(`checker/checker.go`), literals of mixed types (`cel/validator.go`, `HomogeneousAggregateLiterals`)
and literal format strings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from celvet.lint.cel.engine.proto import Message, parts
from celvet.lint.cel.functions.formatting import Clause, pieces
from celvet.lint.cel.syntax.refusal import RefusalCause, RefusalStage
from celvet.lint.cel.syntax.vocabulary import TYPES
from celvet.schemas.cel_go import CelGoChange, changes
from celvet.schemas.dialect import Dialect

_PRIMITIVE = {1: "bool", 2: "int", 3: "uint", 4: "double", 5: "string", 6: "bytes"}
_WELL_KNOWN = {1: "any", 2: "timestamp", 3: "duration"}
_STRUCTS = {
    "google.protobuf.Struct": "map(string, dyn)",
    "google.protobuf.ListValue": "list(dyn)",
    "google.protobuf.Value": "dyn",
}
_FIELDLESS = frozenset(
    {"bool", "bytes", "double", "duration", "int", "list", "null", "string", "timestamp", "type"}
    | {"uint"}
)


class TypeIssue(NamedTuple):
    """An error at a place of the text; `offset` is in code points.

    `spans_expression` says that the whole expression there is wrong, not only its name or sign.
    """

    offset: int
    cause: RefusalCause
    reason: str
    spans_expression: bool = True
    stage: RefusalStage = "check"


def type_issues(checked_expr: Message, dialect: Dialect) -> Iterator[TypeIssue]:
    """The errors that only the cel-go of a dialect reports, outer expressions first."""
    of_one_type = "HomogeneousAggregateLiterals" in dialect.options
    review = _Review(checked_expr, changes(dialect.cel_go), of_one_type=of_one_type)
    return review.tree(checked_expr.expr)


def result_type(checked_expr: Message) -> str:
    """The type of the whole expression; only here a wrapper differs from what it wraps."""
    review = _Review(checked_expr)
    name = review.type_of(checked_expr.expr)
    return f"wrapper({name})" if review.is_wrapper(checked_expr.expr) else name


class _Review:
    def __init__(
        self,
        checked_expr: Message,
        changes: frozenset[CelGoChange] = frozenset(),
        *,
        of_one_type: bool = True,
    ) -> None:
        self._types = {entry.key: entry.value for entry in checked_expr.type_map}
        self._places = {entry.key: entry.value for entry in checked_expr.source_info.positions}
        self._changes = changes
        self._of_one_type = of_one_type

    def type_of(self, expr: Message) -> str:
        kind = self._types.get(expr.id)
        return "dyn" if kind is None else _type_name(kind)

    def is_wrapper(self, expr: Message) -> bool:
        """Whether this is a message such as `google.protobuf.BoolValue`."""
        while expr.call_expr.function == "_?_:_":
            expr = expr.call_expr.args[1]  # cel-go takes the type of the first branch
        kind = self._types.get(expr.id)
        return kind is not None and kind.HasField("wrapper")

    def tree(self, root: Message) -> Iterator[TypeIssue]:
        """Every node; within a call of `format`, literals may be of mixed types."""
        pending = [(root, not self._of_one_type)]
        while pending:
            expr, mixed = pending.pop()
            yield from self._node(expr, mixed=mixed)
            inner = mixed or expr.call_expr.function == "format"
            pending += [(part, inner) for part in reversed([*parts(expr)])]

    def _node(self, expr: Message, *, mixed: bool) -> Iterator[TypeIssue]:
        match expr.WhichOneof("kind"):
            case "select_expr":
                yield from self._selection(expr, expr.select_expr.operand)
            case "ident_expr":
                yield from self._variable(expr, expr.ident_expr.name)
            case "call_expr" if expr.call_expr.function == "_?._":
                yield from self._selection(expr, expr.call_expr.args[0])
            case "call_expr" if expr.call_expr.function == "format":
                yield from self._format(expr, expr.call_expr)
            case "call_expr" if expr.call_expr.function == "duration":
                if "text-duration" in self._changes:
                    yield from self._duration(expr, expr.call_expr)
            # The arguments of `format` are a list of any types.
            case "list_expr" if not mixed:
                optional = set(expr.list_expr.optional_indices)
                elements = expr.list_expr.elements
                yield from self._elements_of_one_type(
                    [(element, index in optional) for index, element in enumerate(elements)]
                )
            case "struct_expr" if not mixed and not expr.struct_expr.message_name:
                entries = expr.struct_expr.entries
                yield from self._elements_of_one_type([(entry.map_key, False) for entry in entries])
                yield from self._elements_of_one_type(
                    [(entry.value, entry.optional_entry) for entry in entries]
                )

    def _variable(self, expr: Message, name: str) -> Iterator[TypeIssue]:
        """cel-go plans a variable that holds a type as the name of a type, which does not exist."""
        is_type_name = name.removeprefix(".") in TYPES or "." in name
        if not is_type_name and self.type_of(expr).startswith("type("):
            reason = f"the controller takes `{name}`, which holds a type, for the name of a type"
            place = self._places.get(expr.id, 0)
            yield TypeIssue(place, "type-mismatch", reason, stage="program")

    def _selection(self, expr: Message, operand: Message) -> Iterator[TypeIssue]:
        """The engine loses the element type of `[]`, which the type of the whole shows."""
        kind = self.type_of(operand)
        kind = kind.removeprefix("optional_type(")[:-1] if "optional_type(" in kind[:14] else kind
        if _without_parameters(kind) in _FIELDLESS:
            reason = f"a value of type `{kind}` has no fields"
            yield self._finding(expr, "no-field", reason, spans_expression=False)

    def _elements_of_one_type(
        self, elements: Sequence[tuple[Message, bool]]
    ) -> Iterator[TypeIssue]:
        """Elements, each with whether it is written with `?`; the first gives the type."""
        expected_kind = ""
        for element, optional in elements:
            kind = self.type_of(element)
            if optional and kind == "dyn":
                reason = "the value of an entry with `?` must be known to be an optional"
                yield self._finding(element, "type-mismatch", reason)
                return
            kind = kind.removeprefix("optional_type(").removesuffix(")") if optional else kind
            if expected_kind and kind != expected_kind:
                kinds = f"`{expected_kind}` comes first, then `{kind}`"
                reason = f"a literal needs values of one type: {kinds}"
                yield self._finding(element, "mixed-literal", reason)
                return
            expected_kind = kind

    def _duration(self, expr: Message, call: Message) -> Iterator[TypeIssue]:
        """The engine also converts a number to a duration."""
        if [self.type_of(arg) for arg in call.args] == ["int"]:
            reason = "`duration` takes a string, not a value of type `int`"
            yield self._finding(expr, "no-overload", reason, spans_expression=False)

    def _format(self, expr: Message, call: Message) -> Iterator[TypeIssue]:
        # cel-go validates literal format strings only (`stringFormatValidator` of
        # ext/formatting.go).
        text, arguments = call.target.const_expr, call.args[0]
        if text.WhichOneof("kind") != "string_value" or not arguments.HasField("list_expr"):
            return
        values = arguments.list_expr.elements
        try:
            format_pieces = pieces(text.string_value, self._changes)
            clauses = [piece for piece in format_pieces if isinstance(piece, Clause)]
        except ValueError as error:
            yield self._finding(expr, "format-string", str(error), spans_expression=False)
            return
        if len(clauses) != len(values):
            reason = f"the format string takes {len(clauses)} arguments and is given {len(values)}"
            yield self._finding(expr, "format-string", reason, spans_expression=False)
        for clause, value in zip(clauses, values, strict=False):
            yield from self._printing(clause, value)

    def _printing(self, clause: Clause, value: Message) -> Iterator[TypeIssue]:
        for part in _printed_values(value) if clause.letter == "s" else [value]:
            kind = self.type_of(part)
            if not clause.takes(_without_parameters(kind)):
                reason = f"`{clause.text}` cannot print a value of type `{kind}`"
                yield self._finding(part, "format-string", reason)

    def _finding(
        self, expr: Message, cause: RefusalCause, reason: str, *, spans_expression: bool = True
    ) -> TypeIssue:
        return TypeIssue(self._places.get(expr.id, 0), cause, reason, spans_expression)


def _printed_values(value: Message) -> Iterator[Message]:
    """A value, and the values in a literal list or map."""
    yield value
    if value.WhichOneof("kind") in ("list_expr", "struct_expr"):
        for part in parts(value):
            yield from _printed_values(part)


def _type_name(kind: Message) -> str:
    """`int`, `list(string)`, `map(string, dyn)`, `type(int)`, `optional_type(dyn)`.

    A wrapper (`google.protobuf.Int32Value`) gets the name of the type that it wraps, since cel-go
    treats the two alike.
    """
    field = kind.WhichOneof("kind") or "dyn"
    name, inner = _BY_FIELD.get(field, lambda _: ("dyn", ()))(kind)
    return f"{name}({', '.join(map(_type_name, inner))})" if inner else name


_BY_FIELD: dict[str, Callable[[Message], tuple[str, Sequence[Message]]]] = {
    "primitive": lambda kind: (_PRIMITIVE[kind.primitive], ()),
    "wrapper": lambda kind: (_PRIMITIVE[kind.wrapper], ()),
    "well_known": lambda kind: (_WELL_KNOWN[kind.well_known], ()),
    "null": lambda _: ("null", ()),
    "list_type": lambda kind: ("list", (kind.list_type.elem_type,)),
    "map_type": lambda kind: ("map", (kind.map_type.key_type, kind.map_type.value_type)),
    "type": lambda kind: ("type", (kind.type,)),
    "abstract_type": lambda kind: (kind.abstract_type.name, kind.abstract_type.parameter_types),
    "message_type": lambda kind: (_STRUCTS.get(kind.message_type, kind.message_type), ()),
}
"""Field of a `Type` -> its name and its parameters."""


def _without_parameters(name: str) -> str:
    """The type without its parameters: `list` of `list(int)`."""
    return name.partition("(")[0]
