"""How Go prints numbers where cel-cpp prints them otherwise (`ext/formatting_v2.go`)."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal


def whole(kind: str) -> Callable[[str, int, int], str]:
    """A printer of integers that Go calls `kind`: clause letter, precision, number.

    cel-go hands an integer to Go's `fmt` for `%f` and `%e`, which prints what it
    prints for a mistake: `%!f(int64=07)`.
    """

    def printer(letter: str, precision: int, number: int) -> str:
        if letter in "ds":
            return str(number)
        digits = str(abs(number)).zfill(precision) if number or precision else ""
        return f"%!{letter}({kind}={'-' if number < 0 else ''}{digits})"

    return printer


def double(_letter: str, _precision: int, number: float) -> str:
    """A double for `%d` and `%s`: the fewest digits, and no exponent."""
    if math.isnan(number):
        return "NaN"
    if math.isinf(number):
        return "Infinity" if number > 0 else "-Infinity"
    text = format(Decimal(repr(number)), "f")
    return text.rstrip("0").rstrip(".") if "." in text else text
