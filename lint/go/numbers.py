"""Numbers: Go's literals and `strconv` (text/template/parse/node.go, strconv, Go 1.26).

The Python type distinguishes Go's numeric types: `int` is int64, as JSON numbers without a fraction
are; `Int` is int, as literals and `len` are; `Byte` is uint8, what indexing a string gives; `float`
is float64.
"""

from __future__ import annotations

import math
import re

from celvet.regex import regex

MAX_INT64 = (1 << 63) - 1
MIN_INT64 = -(1 << 63)
MAX_UINT64 = (1 << 64) - 1

_INTEGER = regex(r"(?:0[xX](_?[0-9a-fA-F]+)+|0[bB](_?[01]+)+|0[oO](_?[0-7]+)+|0(_?[0-7]+)+)")
_DECIMAL = regex(r"[0-9]+(_[0-9]+)*", re.ASCII)
_RUN = r"[0-9]+(?:_[0-9]+)*"
_FLOAT = regex(rf"[+-]?({_RUN}(\.({_RUN})?)?|\.{_RUN})([eE][+-]?{_RUN})?", re.ASCII)
_HEX_FLOAT = regex(
    r"[+-]?0[xX](_?[0-9a-fA-F]+(_[0-9a-fA-F]+)*)?(\.[0-9a-fA-F]*(_[0-9a-fA-F]+)*)?[pP][+-]?[0-9]+"
)
_INFINITE = regex(r"([+-]?)inf(inity)?", re.IGNORECASE)
_COMPLEX = regex(r"(.*[^eEpP])([+-].*)i")
_BASES = {"x": 16, "b": 2, "o": 8}


class Int(int):
    """Go's `int`."""

    __slots__ = ()


class GoByte(int):
    """Go's `uint8`."""

    __slots__ = ()


def wrap(value: int) -> int:
    """`value` wrapped to a 64-bit signed integer."""
    return (value + (1 << 63)) % (1 << 64) - (1 << 63)


def parse_unsigned(text: str) -> int | None:
    """As `strconv.ParseUint(text, 0, 64)`; None if it fails."""
    if _INTEGER.fullmatch(text):
        digits = text.replace("_", "").lower()
        base = _BASES.get(digits[1], 8)
        value = int(digits[1:] if digits[1].isdigit() else digits[2:], base)
    elif _DECIMAL.fullmatch(text) and (len(text) == 1 or text[0] != "0"):
        if len(text) > 60:
            return None
        value = int(text)
    else:
        return None
    return value if value <= MAX_UINT64 else None


def parse_signed(text: str) -> int | None:
    """As `strconv.ParseInt(text, 0, 64)`; None if it fails."""
    value = parse_unsigned(text[1:] if text[:1] in ("+", "-") else text)
    if value is None:
        return None
    value = -value if text[0] == "-" else value
    return value if MIN_INT64 <= value <= MAX_INT64 else None


def parse_digits(text: str, base: int) -> int | None:
    """As `strconv.ParseInt(text, base, 64)` with a base of 2 to 10: no prefix, no underscore."""
    digits = text[1:] if text[:1] in ("+", "-") else text
    digits_of_base = "0123456789"[:base]
    significant = digits.lstrip("0") or "0"
    if (
        not digits
        or len(significant) > 64
        or any(digit not in digits_of_base for digit in significant)
    ):
        return None
    value = int(significant, base) * (-1 if text[0] == "-" else 1)
    return value if MIN_INT64 <= value <= MAX_INT64 else None


def parse_float(text: str) -> float | None:
    """As `strconv.ParseFloat(text, 64)`; None if it fails, as it does out of range."""
    if _FLOAT.fullmatch(text):
        value = float(text)
    elif _HEX_FLOAT.fullmatch(text):
        try:
            value = float.fromhex(text.replace("_", ""))
        except (OverflowError, ValueError):
            return None
    elif infinite := _INFINITE.fullmatch(text):
        return -math.inf if infinite[1] == "-" else math.inf
    else:
        return math.nan if text.lower() == "nan" else None
    return None if math.isinf(value) else value


class Number:
    """A number literal, with every type that it may take.

    Attributes:
        text: as written.
        signed, unsigned, real, imaginary: the value as an integer, an unsigned integer, a float
            and a complex number, each None if the literal cannot be one.
    """

    __slots__ = ("imaginary", "real", "signed", "text", "unsigned")

    def __init__(self, text: str) -> None:
        self.text = text
        self.signed: int | None = None
        self.unsigned: int | None = None
        self.real: float | None = None
        self.imaginary: complex | None = None

    def ideal(self) -> Int | float | complex | None:
        """The value without a wanted type; None for an integer above int64."""
        if self.imaginary is not None:
            return self.imaginary
        text = self.text
        hexadecimal = len(text) > 2 and text[:2] in ("0x", "0X") and not set("pP") & set(text)
        if text[0] != "'" and not hexadecimal and set(".eEpP") & set(text):
            return self.real
        return None if self.signed is None else Int(self.signed)


def character(text: str, value: str) -> Number:
    """The number of the character literal `text`, whose value is `value`."""
    number = Number(text)
    number.signed = number.unsigned = ord(value)
    number.real = float(ord(value))
    return number


def parse_number(text: str) -> Number:
    """The number of a literal.

    Raises:
        ValueError: it is not a number; the text is Go's.
    """
    number = Number(text)
    # Mirrors `newNumber`: a complex number without an imaginary part is a float as well, and one
    # without a fraction an integer.
    if text.endswith("i") and (imaginary := _imaginary(text)) is not None:
        number.imaginary = imaginary
        if imaginary.imag == 0:
            _set_float(number, imaginary.real)
        return number
    number.unsigned = parse_unsigned(text)
    number.signed = parse_signed(text)
    if number.signed == 0:
        number.unsigned = 0
    integer = number.signed if number.signed is not None else number.unsigned
    if integer is not None:
        number.real = float(integer)
        return number
    real = parse_float(text)
    if real is None:
        raise ValueError("illegal number syntax")
    # What looks like an integer and fits no 64 bits is an error, although a float could hold it.
    if not set(text) & set(".eEpP"):
        raise ValueError("integer overflow")
    _set_float(number, real)
    return number


def _imaginary(text: str) -> complex | None:
    match = _COMPLEX.fullmatch(text)
    real = parse_float(match[1]) if match else 0.0
    imaginary = parse_float(match[2] if match else text[:-1])
    return None if real is None or imaginary is None else complex(real, imaginary)


def _set_float(number: Number, real: float) -> None:
    number.real = real
    if math.isfinite(real) and real.is_integer():
        number.signed = int(real) if MIN_INT64 <= real < 2.0**63 else None
        number.unsigned = int(real) if 0 <= real < 2.0**64 else None
