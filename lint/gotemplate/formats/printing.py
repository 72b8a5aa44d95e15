"""Values as text: Go's `fmt` (fmt/print.go, fmt/format.go, Go 1.26) with the default verb `%v`.

`verbs` has the other verbs.
"""

from __future__ import annotations

import math
from decimal import Decimal

from celvet.lint.gotemplate.formats.quoting import to_bytes
from celvet.lint.gotemplate.limits import Meter
from celvet.lint.gotemplate.values import Value

_CONSTANTS: dict[int, str] = {True: "true", False: "false"}


def byte_length(text: str) -> int:
    """`len` of a Go string."""
    return len(text) if text.isascii() else len(to_bytes(text))


def shortest(value: float, exponent_from: int = 6, exponent_below: int = -4) -> str:
    """The fewest digits that give `value` again, as `strconv.FormatFloat` with precision -1.

    The exponent is written if it is `exponent_from` or more, or less than `exponent_below`.
    Infinity is `+Inf` or `-Inf`.
    """
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "+Inf" if value > 0 else "-Inf"
    sign, digit_tuple, exponent = Decimal(repr(value)).as_tuple()
    digits = "".join(map(str, digit_tuple)).lstrip("0")
    stripped = digits.rstrip("0")
    point = int(exponent) + len(digits)
    minus = "-" if sign else ""
    if not stripped:
        return minus + "0"
    if not exponent_below <= point - 1 < exponent_from:
        fraction = f".{stripped[1:]}" if len(stripped) > 1 else ""
        return f"{minus}{stripped[0]}{fraction}e{point - 1:+03d}"
    return minus + positional(stripped, point)


def positional(digits: str, point: int) -> str:
    """The decimal number 0.`digits` * 10**`point`, without an exponent."""
    if point <= 0:
        return "0." + "0" * -point + digits
    whole = digits[:point].ljust(point, "0")
    return whole + (f".{digits[point:]}" if len(digits) > point else "")


def go_complex(value: complex) -> str:
    """A complex number as `%v` prints it."""
    imaginary = shortest(value.imag)
    return f"({shortest(value.real)}{'' if imaginary[0] in '+-' else '+'}{imaginary}i)"


def show(value: Value, meter: Meter) -> str:
    """A value as `%v` prints it."""
    kind = type(value)
    if kind is str:
        return str(value)
    meter.spend()
    if isinstance(value, int):
        return _CONSTANTS[value] if kind is bool else str(int(value))
    if kind is float:
        return shortest(value)
    if kind is complex:
        return go_complex(value)
    return "<nil>" if value is None else _container(value, meter)


def _container(value: Value, meter: Meter) -> str:
    if isinstance(value, dict):
        text = " ".join(f"{key}:{show(value[key], meter)}" for key in sorted(value))
        text = f"map[{text}]"
    else:
        text = f"[{' '.join(show(item, meter) for item in value)}]"
    meter.text(len(text))
    return text


def sprint(values: list[Value], meter: Meter) -> str:
    """As `fmt.Sprint`: a space between two values neither of which is a string."""
    parts: list[str] = []
    before_string = True
    for value in values:
        is_string = type(value) is str
        if parts and not is_string and not before_string:
            parts.append(" ")
        parts.append(show(value, meter))
        before_string = is_string
    meter.text(sum(map(len, parts)))
    return "".join(parts)


def sprintln(values: list[Value], meter: Meter) -> str:
    """As `fmt.Sprintln`."""
    text = " ".join(show(value, meter) for value in values) + "\n"
    meter.text(len(text))
    return text
