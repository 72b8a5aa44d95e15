"""Floats as text, with the fewest digits (strconv/ftoa.go, Go 1.26), and through JSON."""

from __future__ import annotations

import math
import re

_ALWAYS = 400
"""Beyond every exponent of a float."""
_INT64 = range(-(2**63), 2**63)


def shortest(value: float, exponent_from: int = 6, exponent_below: int = -4) -> str:
    """The fewest digits that read as `value` again, by default as `%v` prints them.

    The exponent is written if it is `exponent_from` or more, or less than `exponent_below`.
    Infinity is `+Inf` or `-Inf`.
    """
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "+Inf" if value > 0 else "-Inf"
    from decimal import Decimal  # few runs print one

    sign, digit_tuple, exponent = Decimal(repr(value)).as_tuple()
    digits = "".join(map(str, digit_tuple)).lstrip("0")
    significant = digits.rstrip("0")
    point = int(exponent) + len(digits)
    minus = "-" if sign else ""
    if not significant:
        return minus + "0"
    if not exponent_below <= point - 1 < exponent_from:
        fraction = f".{significant[1:]}" if len(significant) > 1 else ""
        return f"{minus}{significant[0]}{fraction}e{point - 1:+03d}"
    return minus + _positional(significant, point)


def _positional(digits: str, point: int) -> str:
    """The decimal number 0.`digits` * 10**`point`, without an exponent."""
    if point <= 0:
        return "0." + "0" * -point + digits
    integer = digits[:point].ljust(point, "0")
    return integer + (f".{digits[point:]}" if len(digits) > point else "")


def without_exponent(value: float) -> str:
    """The fewest digits that read as `value` again, as the format `f` prints them."""
    return shortest(value, _ALWAYS, -_ALWAYS)


def json_number(value: float) -> str:
    """A finite float as encoding/json writes it."""
    return re.sub(r"e-0(\d)$", r"e-\1", shortest(value, 21, -6))


def through_json(value: float) -> float:
    """A number of go-yaml as apimachinery reads it from the JSON that `sigs.k8s.io/yaml` makes.

    It is an int if its digits are one that fits 64 bits: those of `1234567890123456789.0` are
    1234567890123456800, not the value of the float.
    """
    if isinstance(value, int):
        return value if value in _INT64 else float(value)
    if not value.is_integer():
        return value
    digits = json_number(value)
    return integer if "e" not in digits and (integer := int(digits)) in _INT64 else value
