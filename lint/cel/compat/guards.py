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
"""The same for types that cannot be an index."""


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
            found = b.select(value(), field, test=True)
            return self._field(value, found, b.truth(value=False))

        return b.let(operand, lambda v: self._unwrapped(v, test, test(v), b.truth(value=False)))

    def select(self, operand: Message, field: str, *, optional: bool) -> Message:
        """`operand.field` or `operand.?field`; the latter is none on what has no fields."""
        b = self._build

        def softly(value: MakeValue) -> Message:
            found = b.call("_?._", value(), b.text(field))
            return self._field(value, found, b.call("optional.none"))

        def plainly(value: MakeValue) -> Message:
            return self._field(value, b.select(value(), field), fail(b, f"no such key: {field}"))

        read = softly if optional else plainly
        return b.let(operand, lambda v: self._unwrapped(v, softly, read(v), v()))

    def index(self, operand: Message, index: Message, *, optional: bool) -> Message:
        """`operand[index]` or `operand[?index]`; the latter is none on what has no elements."""
        b = self._build

        def read(value: MakeValue, key: MakeValue, operator: str, lacking: Message) -> Message:
            found = {
                "map": b.call(operator, value(), key()),
                "list": self._element(value, key, operator),
            }
            return by_type(b, value, found, lacking)

        def softly(value: MakeValue, key: MakeValue) -> Message:
            return read(value, key, "_[?_]", b.call("optional.none"))

        def plainly(value: MakeValue, key: MakeValue) -> Message:
            return read(value, key, "_[_]", self._fail("no such key: ", key))

        def keyed(value: MakeValue, step: Callable[[MakeValue, MakeValue], Message]) -> Message:
            def test(key: MakeValue) -> Message:
                odd = {
                    kind: fail(b, f"invalid qualifier type: {name}")
                    for kind, name in _NO_KEYS.items()
                    if self._optionals or kind != "optional_type"
                }
                return by_type(b, key, odd, step(value, key))

            return b.let(index, test)

        def step(value: MakeValue) -> Message:
            plain = keyed(value, softly if optional else plainly)
            return self._unwrapped(value, lambda v: keyed(v, softly), plain, value())

        return b.let(operand, step)

    def _element(self, value: MakeValue, key: MakeValue, operator: str) -> Message:
        """An element of a list, also by a whole number that is not an int."""
        b = self._build

        def whole(place: MakeValue) -> Message:
            wrong = self._fail("unsupported index value ", key, " in list")
            found = b.call(operator, value(), place())
            return b.when(b.call("_==_", place(), key()), found, wrong)

        number = b.let(b.call("int", key()), whole)
        wrong = {
            kind: fail(b, f"unsupported index type '{kind}' in list") for kind in ("string", "bool")
        }
        answers = {"uint": number, "double": number, **wrong}
        return by_type(b, key, answers, b.call(operator, value(), key()))

    def _fail(self, before: str, key: MakeValue, after: str = "") -> Message:
        """An error with the key in its text."""
        b = self._build
        shown = b.call("_+_", b.text(before), b.call("string", key()))
        return b.call(FAIL, b.call("_+_", shown, b.text(after)))

    def alternative(
        self, method: str, operand: Message, other: Message, *, strict: bool
    ) -> Message:
        """`operand.or(other)`, `.orValue(other)`.

        A value that is not optional is the answer itself, or with `strict` an error.
        """
        b = self._build

        def choose(value: MakeValue) -> Message:
            held = value() if method == "or" else b.call("value", target=value())
            chosen = b.when(b.call("hasValue", target=value()), held, other)
            rest = fail(b, "no such overload") if strict else value()
            return b.when(is_a(b, value, "optional_type"), chosen, rest)

        return b.let(operand, choose)

    def member(self, element: Message, container: Message) -> Message:
        """`element in container`: false for a map if the element cannot be a key."""
        b = self._build

        def test(key: MakeValue, value: MakeValue) -> Message:
            found = b.call("@in", key(), value())
            keyless = b.when(is_a(b, value, "map"), b.truth(value=False), found)
            return b.when(is_a(b, key, *_KEYS), found, keyless)

        return b.let(element, lambda key: b.let(container, lambda value: test(key, value)))

    def matches(self, operand: Message, pattern: Message) -> Message:
        """`operand.matches(constant)`: reads a type as its name and an optional as its value."""
        b = self._build

        def match(value: MakeValue) -> Message:
            name = b.text("")
            for kind in SAMPLES:
                same = b.call("_==_", value(), type_of_sample(kind))
                name = b.when(same, b.text(kind), name)
            read = {"type": name, "optional_type": b.call("value", target=value())}
            answers = {kind: b.call("matches", text, pattern) for kind, text in read.items()}
            return by_type(b, value, answers, b.call("matches", value(), pattern))

        return b.let(operand, match)

    def iterable(self, target: Message) -> Message:
        """The range of a macro: a list or a map."""
        b = self._build
        wrong = {
            kind: fail(b, f"got '{name}', expected iterable type")
            for kind, name in _GO_TYPES.items()
            if self._optionals or kind != "optional_type"
        }
        return b.let(target, lambda value: by_type(b, value, wrong, value()))

    def _field(self, value: MakeValue, found: Message, lacking: Message) -> Message:
        """`found` of a map, an error of a list, `lacking` of anything else."""
        b = self._build
        lists = fail(b, "unsupported index type 'string' in list")
        return by_type(b, value, {"list": lists, "map": found}, lacking)

    def _unwrapped(
        self,
        value: MakeValue,
        soft: Callable[[MakeValue], Message],
        plain: Message,
        nothing: Message,
    ) -> Message:
        """`plain`; for an optional, `soft` of its value, or `nothing` if it is empty."""
        if not self._optionals:
            return plain
        b = self._build
        inner = b.let(b.call("value", target=value()), soft)
        held = b.when(b.call("hasValue", target=value()), inner, nothing)
        return b.when(is_a(b, value, "optional_type"), held, plain)
