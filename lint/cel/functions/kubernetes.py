"""Kubernetes' libraries for quantities and versions.

Mirrors `k8s.io/apiserver/pkg/cel/library` (v0.35.4). A value of a type of its own is a map with one
key, the name of the type; equal values have equal maps.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from celvet.lint.cel.functions.arguments import refuse, require
from celvet.regex import regex

_QUANTITY = regex(r"([+-]?)(\d+\.?\d*|\.\d+)([numkMGTPE]|[KMGTPE]i|[eE][+-]?\d+)?", re.ASCII)
_SUFFIXES = ("n", "u", "m", "", "k", "M", "G", "T", "P", "E")
_EXPONENTS = {suffix: 3 * (place - 3) for place, suffix in enumerate(_SUFFIXES)}
_VERSION = regex(
    r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)"
    r"(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?",
    re.ASCII,
)


def tagged(kind: str, text: str) -> dict[str, str]:
    """A value of a type of its own."""
    return {f"@{kind}": text}


def content(value: Any, kind: str) -> str:
    """The text of such a value; raises `ValueError` for any other."""
    if not isinstance(value, dict) or list(value) != [f"@{kind}"]:
        refuse()
    return str(value[f"@{kind}"])


def holds(parse: Callable[[str], object]) -> Callable[[Any], bool]:
    """Whether a string can be parsed."""

    def test(value: Any) -> bool:
        try:
            parse(require(str, value))
        except ValueError:
            if not isinstance(value, str):
                raise
            return False
        return True

    return test


def _parse_quantity(value: str) -> Fraction:
    """The number of `resource.ParseQuantity`, rounded up to 10⁻⁹."""
    match = _QUANTITY.fullmatch(value)
    if match is None:
        raise ValueError(
            "quantities must match the regular expression"
            " '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
        )
    sign, digits, suffix = match[1], match[2], match[3] or ""
    # The suffixes of apimachinery (pkg/api/resource/suffix.go): binary, exponents, decimal.
    if suffix.endswith("i"):
        scale = Fraction(1024 ** (" KMGTPE".index(suffix[0])))
    elif suffix[:1] in ("e", "E") and len(suffix) > 1:
        power = int(suffix[1:])
        if abs(power) > 400:
            raise ValueError("unable to parse quantity's suffix")
        scale = Fraction(10) ** power
    else:
        scale = Fraction(10) ** _EXPONENTS[suffix]
    # A quantity has at most nano precision; the rest is rounded away from zero.
    number = Fraction(digits.rstrip(".") or "0") * scale
    number = Fraction(-((-number * 10**9).numerator // (number * 10**9).denominator), 10**9)
    return -number if sign == "-" else number


def _number(value: Any) -> Fraction:
    return Fraction(content(value, "quantity"))


def _as_integer(value: Any) -> int:
    number = _number(value)
    if number.denominator != 1 or not -(2**63) <= number < 2**63:
        raise ValueError("cannot convert value to integer")
    return int(number)


def _is_integer(value: Any) -> bool:
    number = _number(value)
    return number.denominator == 1 and -(2**63) <= number < 2**63


def _operand(value: Any) -> Fraction:
    is_int = isinstance(value, int) and not isinstance(value, bool)
    return Fraction(value) if is_int else _number(value)


def _parse_version(value: str) -> tuple[Any, ...]:
    """A version in its order, as `semver.Parse` of blang/semver v4 reads it."""
    match = _VERSION.fullmatch(value)
    if match is None:
        short = len(value.split(".")) < 3
        words = "No Major.Minor.Patch elements found" if short else "Invalid Semantic Version"
        raise ValueError(words)
    parts = match[4].split(".") if match[4] else []
    if any(part.isdecimal() and len(part) > 1 and part[0] == "0" for part in parts):
        raise ValueError("Numeric PreRelease version must not contain leading zeroes")
    keys = [(0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts]
    return (int(match[1]), int(match[2]), int(match[3]), not parts, keys)


def _semver(value: Any) -> dict[str, str]:
    _parse_version(require(str, value))
    return tagged("semver", value)


def _part(index: int) -> Callable[[Any], Any]:
    return lambda value: _parse_version(content(value, "semver"))[index]


def _compare(left: Any, right: Any) -> int:
    """The order of two quantities or two versions."""
    is_version = isinstance(left, dict) and "@semver" in left
    left_number, right_number = (
        _parse_version(content(value, "semver")) if is_version else (_number(value),)
        for value in (left, right)
    )
    return (left_number > right_number) - (left_number < right_number)


KUBERNETES_FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "quantity": lambda value: tagged("quantity", str(_parse_quantity(require(str, value)))),
    "isQuantity": holds(_parse_quantity),
    "sign": lambda value: (_number(value) > 0) - (_number(value) < 0),
    "asApproximateFloat": lambda value: float(_number(value)),
    "asInteger": _as_integer,
    "isInteger": _is_integer,
    "add": lambda left, right: tagged("quantity", str(_number(left) + _operand(right))),
    "sub": lambda left, right: tagged("quantity", str(_number(left) - _operand(right))),
    "isGreaterThan": lambda left, right: _compare(left, right) > 0,
    "isLessThan": lambda left, right: _compare(left, right) < 0,
    "compareTo": _compare,
    "semver": _semver,
    "isSemver": holds(_semver),
    "major": _part(0),
    "minor": _part(1),
    "patch": _part(2),
}
"""Every function, by name."""
