"""Guards: cel-go's answer for a value without fields, elements or a method.

cel-cpp ends in an error in each of these cases; cel-go gives a value, or an
error in the words that users know from their controller's status. Read in
cel-go 0.26.1: `refQualify` and `applyQualifiers` in `interpreter/attributes.go`,
`evalFold` in `interpreter/interpretable.go`, `decorateOptionalOr` in
`cel/library.go`, `interpreter/optimizations.go`.
"""

from __future__ import annotations

from collections.abc import Callable

from celvet.lint.cel.compat.builder import TreeBuilder
from celvet.lint.cel.compat.type_tests import (
    SAMPLES,
    MakeValue,
    by_type,
    fail,
    is_a,
    type_of_sample,
)
from celvet.lint.cel.engine.proto import Message
from celvet.lint.cel.functions.go_functions import FAIL

_KEYS = ("string", "int", "bool", "uint", "double")
_GO_TYPES = {
    "bool": "types.Bool",
    "bytes": "types.Bytes",
    "double": "types.Double",
    "google.protobuf.Duration": "types.Duration",
    "google.protobuf.Timestamp": "types.Timestamp",
    "int": "types.Int",
    "null_type": "types.Null",
    "optional_type": "*types.Optional",
    "string": "types.String",
    "type": "*types.Type",
    "uint": "types.Uint",
}
"""Type -> its name in cel-go's messages."""

_NO_KEYS = {
    **{kind: name for kind, name in _GO_TYPES.items() if kind not in _KEYS},
    "list": "[]interface {}",
    "map": "map[string]interface {}",
    "null_type": "<nil>",
}
"""Type that cannot be an index -> its name in cel-go's messages."""


class Guards:
    """Wraps values in type tests.

    Without `optionals`, no value can be an optional, and the trees are half as large.
    """

    def __init__(self, build: TreeBuilder, *, optionals: bool) -> None:
        self._build = build
        self._optionals = optionals

    def has(self, operand: Message, field: str) -> Message:
        """`has(operand.field)`: false on what has no fields."""
        b = self._build

        def test(value: MakeValue) -> Message:
            field_test = b.select(value(), field, test=True)
            return self._field(value, field_test, b.truth(value=False))

        return b.let(
            operand, lambda v: self._unwrap_optional(v, test, test(v), b.truth(value=False))
        )

    def select(self, operand: Message, field: str, *, optional: bool) -> Message:
        """`operand.field` or `operand.?field`; the latter is none on what has no fields."""
        b = self._build

        def select_optional(value: MakeValue) -> Message:
            selection = b.call("_?._", value(), b.text(field))
            return self._field(value, selection, b.call("optional.none"))

        def select_plain(value: MakeValue) -> Message:
            return self._field(value, b.select(value(), field), fail(b, f"no such key: {field}"))

        select_field = select_optional if optional else select_plain
        return b.let(
            operand, lambda v: self._unwrap_optional(v, select_optional, select_field(v), v())
        )

    def index(self, operand: Message, index: Message, *, optional: bool) -> Message:
        """`operand[index]` or `operand[?index]`; the latter is none on what has no elements."""
        b = self._build

        def read_element(
            value: MakeValue, key: MakeValue, operator: str, absent: Message
        ) -> Message:
            elements = {
                "map": b.call(operator, value(), key()),
                "list": self._element(value, key, operator),
            }
            return by_type(b, value, elements, absent)

        def index_optional(value: MakeValue, key: MakeValue) -> Message:
            return read_element(value, key, "_[?_]", b.call("optional.none"))

        def index_plain(value: MakeValue, key: MakeValue) -> Message:
            return read_element(value, key, "_[_]", self._fail("no such key: ", key))

        def check_key(value: MakeValue, step: Callable[[MakeValue, MakeValue], Message]) -> Message:
            def test(key: MakeValue) -> Message:
                invalid_keys = {
                    kind: fail(b, f"invalid qualifier type: {name}")
                    for kind, name in _NO_KEYS.items()
                    if self._optionals or kind != "optional_type"
                }
                return by_type(b, key, invalid_keys, step(value, key))

            return b.let(index, test)

        # Of an optional, an element that is missing is none instead of an error.
        def index_value(value: MakeValue) -> Message:
            plain = check_key(value, index_optional if optional else index_plain)
            return self._unwrap_optional(
                value, lambda v: check_key(v, index_optional), plain, value()
            )

        return b.let(operand, index_value)

    def _element(self, value: MakeValue, key: MakeValue, operator: str) -> Message:
        """An element of a list, also by a whole number that is not an int."""
        b = self._build

        def by_number(place: MakeValue) -> Message:
            failure = self._fail("unsupported index value ", key, " in list")
            element = b.call(operator, value(), place())
            return b.when(b.call("_==_", place(), key()), element, failure)

        number = b.let(b.call("int", key()), by_number)
        failures = {
            kind: fail(b, f"unsupported index type '{kind}' in list") for kind in ("string", "bool")
        }
        answers = {"uint": number, "double": number, **failures}
        return by_type(b, key, answers, b.call(operator, value(), key()))

    def _fail(self, prefix: str, key: MakeValue, suffix: str = "") -> Message:
        """An error with the key in its text."""
        b = self._build
        message = b.call("_+_", b.text(prefix), b.call("string", key()))
        return b.call(FAIL, b.call("_+_", message, b.text(suffix)))

    def alternative(
        self, method: str, operand: Message, other: Message, *, strict: bool
    ) -> Message:
        """`operand.or(other)`, `.orValue(other)`.

        A value that is not optional is the answer itself, or with `strict` an error.
        """
        b = self._build

        def choose(value: MakeValue) -> Message:
            content = value() if method == "or" else b.call("value", target=value())
            alternative = b.when(b.call("hasValue", target=value()), content, other)
            plain_value = fail(b, "no such overload") if strict else value()
            return b.when(is_a(b, value, "optional_type"), alternative, plain_value)

        return b.let(operand, choose)

    def member(self, element: Message, container: Message) -> Message:
        """`element in container`: false for a map if the element cannot be a key."""
        b = self._build

        def test(key: MakeValue, value: MakeValue) -> Message:
            membership = b.call("@in", key(), value())
            no_key = b.when(is_a(b, value, "map"), b.truth(value=False), membership)
            return b.when(is_a(b, key, *_KEYS), membership, no_key)

        return b.let(element, lambda key: b.let(container, lambda value: test(key, value)))

    def matches(self, operand: Message, pattern: Message) -> Message:
        """`operand.matches(constant)`: reads a type as its name and an optional as its value."""
        b = self._build

        def match(value: MakeValue) -> Message:
            name = b.text("")
            for kind in SAMPLES:
                is_kind = b.call("_==_", value(), type_of_sample(kind))
                name = b.when(is_kind, b.text(kind), name)
            texts = {"type": name, "optional_type": b.call("value", target=value())}
            answers = {kind: b.call("matches", text, pattern) for kind, text in texts.items()}
            return by_type(b, value, answers, b.call("matches", value(), pattern))

        return b.let(operand, match)

    def iterable(self, target: Message) -> Message:
        """The range of a macro: a list or a map."""
        b = self._build
        failures = {
            kind: fail(b, f"got '{name}', expected iterable type")
            for kind, name in _GO_TYPES.items()
            if self._optionals or kind != "optional_type"
        }
        return b.let(target, lambda value: by_type(b, value, failures, value()))

    def _field(self, value: MakeValue, selection: Message, absent: Message) -> Message:
        """`found` of a map, an error of a list, `lacking` of anything else."""
        b = self._build
        list_error = fail(b, "unsupported index type 'string' in list")
        return by_type(b, value, {"list": list_error, "map": selection}, absent)

    def _unwrap_optional(
        self,
        value: MakeValue,
        read_content: Callable[[MakeValue], Message],
        plain: Message,
        empty: Message,
    ) -> Message:
        """`plain`; for an optional, `soft` of its value, or `nothing` if it is empty."""
        if not self._optionals:
            return plain
        b = self._build
        inner = b.let(b.call("value", target=value()), read_content)
        optional = b.when(b.call("hasValue", target=value()), inner, empty)
        return b.when(is_a(b, value, "optional_type"), optional, plain)
