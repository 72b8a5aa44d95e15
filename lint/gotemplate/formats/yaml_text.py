"""YAML as sigs.k8s.io/yaml v1.6.0 writes it: by way of JSON, with go.yaml.in/yaml/v2 v2.4.3."""

from __future__ import annotations

from functools import cmp_to_key
from typing import NamedTuple

from celvet.lint.go.floats import shortest
from celvet.lint.go.numbers import parse_signed, parse_unsigned
from celvet.lint.go.quoting import is_digit, is_letter
from celvet.lint.go.step_meter import UnsupportedError
from celvet.lint.gotemplate.formats.json_text import JsonError, json_float
from celvet.lint.gotemplate.formats.scalar_writer import Scalar, ScalarWriter, quotes_needed
from celvet.lint.gotemplate.template_limits import Meter
from celvet.lint.gotemplate.template_values import Value, is_nil
from celvet.regex import regex

_CONTROL = regex("[\x7f-\x84\x86-\x9f\ufffe\uffff]")
_SURROGATES = regex("[\ud800-\udfff]")


class YamlError(ValueError):
    """The value has no YAML; the text is Go's."""


def to_yaml(value: Value, meter: Meter) -> str:
    """The YAML of a value, in block style.

    Raises:
        YamlError: it has none.
    """
    return placed_yaml(value, meter)[0]


class YamlPlace(NamedTuple):
    """The position of a scalar in the YAML of its value.

    Attributes:
        path: the keys and indices that lead to it.
        is_key: whether it is the last key of the path, and not the value there.
        offsets: where in the YAML each of its characters begins, and where the last one ends.
    """

    path: tuple[str | int, ...]
    is_key: bool
    offsets: tuple[int, ...]


def placed_yaml(value: Value, meter: Meter) -> tuple[str, list[YamlPlace]]:
    """The YAML of a value, and where its scalars are, in the order of the text.

    Raises:
        YamlError: it has none.
    """
    emitter = _Emitter(meter)
    emitter.node(value, (), in_mapping=False)
    emitter.out.write_indent()
    return emitter.out.text(), emitter.places


class _Emitter:
    """Emits the nodes, as emitterc.go does."""

    def __init__(self, meter: Meter) -> None:
        self.out = ScalarWriter()
        self.places: list[YamlPlace] = []
        self._meter = meter

    def node(self, value: Value, path: tuple[str | int, ...], *, in_mapping: bool) -> None:
        self._meter.spend()
        if isinstance(value, dict) and not is_nil(value):
            self._mapping(value, path)
        elif isinstance(value, list) and not is_nil(value):
            self._sequence(value, path, in_mapping=in_mapping)
        else:
            marks = self.out.write_scalar(self._scalar(value), simple_key=False)
            self.places.append(YamlPlace(path, False, tuple(marks)))

    def _mapping(self, value: dict[str, Value], path: tuple[str | int, ...]) -> None:
        if not value:
            self._flow("{", "}")
            return
        out, outer = self.out, self.out.indent
        out.indent = 0 if outer < 0 else outer + 2
        self._meter.spend(len(value))
        for key in sorted(value, key=cmp_to_key(_compare)):
            out.write_indent()
            scalar = self._scalar(key)
            # The emitter writes a key of several lines, or of more than 128 bytes, with `?`
            # (`yaml_emitter_check_simple_key`).
            if scalar.multiline or len(scalar.text.encode()) > 128:
                out.write_indicator("?", space_before=True, indention=True)
                marks = out.write_scalar(scalar, simple_key=False)
                out.write_indent()
                out.write_indicator(":", space_before=True, indention=True)
            else:
                marks = out.write_scalar(scalar, simple_key=True)
                out.write_indicator(":")
            self.places.append(YamlPlace((*path, key), True, tuple(marks)))
            self.node(value[key], (*path, key), in_mapping=True)
        out.indent = outer

    def _sequence(
        self, value: list[Value], path: tuple[str | int, ...], *, in_mapping: bool
    ) -> None:
        if not value:
            self._flow("[", "]")
            return
        out, outer = self.out, self.out.indent
        if outer < 0:
            out.indent = 0
        elif not in_mapping or out.indention:
            out.indent = outer + 2
        for index, entry in enumerate(value):
            out.write_indent()
            out.write_indicator("-", space_before=True, indention=True)
            self.node(entry, (*path, index), in_mapping=False)
        out.indent = outer

    def _scalar(self, value: Value) -> Scalar:
        self._meter.number()
        if isinstance(value, str):
            self._meter.text(len(value))
            self._meter.characters(len(value))
        return _scalar(value)

    def _flow(self, left: str, right: str) -> None:
        self.out.write_indicator(left, space_before=True, space_after=True)
        self.out.write_indicator(right)


def _scalar(value: Value) -> Scalar:
    if is_nil(value):
        return Scalar("null")
    if isinstance(value, bool):
        return Scalar("true" if value else "false")
    if isinstance(value, int):
        return Scalar(str(int(value)))
    if isinstance(value, float):
        return Scalar(_float(value))
    if isinstance(value, complex):
        raise YamlError("error marshaling into JSON: json: unsupported type: complex128")
    return _string(value)


def _string(text: str) -> Scalar:
    text = _SURROGATES.sub("\ufffd", text)
    if _CONTROL.search(text):
        raise YamlError("error converting JSON to YAML: yaml: control characters are not allowed")
    if "\x85" in text:
        raise UnsupportedError("U+0085 is a line break in YAML, and none in JSON")
    if "\n" in text:
        return Scalar(text, "|")
    return Scalar(text, '"' if quotes_needed(text) else "")


def _float(value: float) -> str:
    try:
        text = json_float(value)
    except JsonError as error:
        raise YamlError(f"error marshaling into JSON: {error}") from None
    integer = parse_signed(text)
    if integer is None:
        integer = parse_unsigned(text)
    return shortest(value) if integer is None else str(integer)


def _compare(first: str, second: str) -> int:
    """The order of keys (sorter.go): letters after others, numbers by their value."""
    for index, (first_char, second_char) in enumerate(zip(first, second, strict=False)):
        if first_char != second_char:
            return -1 if _less(first, second, index) else 1
    return len(first) - len(second)


def _less(first: str, second: str, index: int) -> bool:
    first_char, second_char = first[index], second[index]
    # go-yaml sorts keys as people do (`keyList.Less`): letters after other characters, and runs of
    # digits by their number, so `a2` precedes `a10`.
    if is_letter(first_char) and is_letter(second_char):
        return first_char < second_char
    if is_letter(first_char) or is_letter(second_char):
        return is_letter(second_char)
    lead = "0" in (first_char, second_char) and _inside_number(first, index)
    first_digits, second_digits = _digits(first, index), _digits(second, index)
    first_number, second_number = (
        _number(digits, lead=lead) for digits in (first_digits, second_digits)
    )
    # Equal numbers with unequal digits differ in leading zeros; the shorter text comes first.
    if first_number != second_number:
        return first_number < second_number
    if len(first_digits) != len(second_digits):
        return len(first_digits) < len(second_digits)
    return first_char < second_char


def _inside_number(text: str, index: int) -> bool:
    """Whether the digits before `index` begin a number that the zero at `index` goes on."""
    index -= 1
    while index >= 0 and is_digit(text[index]):
        if text[index] != "0":
            return True
        index -= 1
    return False


def _digits(text: str, index: int) -> str:
    end = index
    while end < len(text) and is_digit(text[end]):
        end += 1
    return text[index:end]


def _number(digits: str, *, lead: bool) -> int:
    number = 1 if lead else 0
    for digit in digits:
        number = (number * 10 + ord(digit) - ord("0")) % (1 << 64)
    return number - (1 << 64) if number >= 1 << 63 else number
