"""The value of a plain scalar in YAML, as go.yaml.in/yaml/v2 resolves it (resolve.go, v2.4.3).

The rules are those of YAML 1.1: `yes` and `on` are booleans, `0777` and `0o777` are octal,
sexagesimal numbers and timestamps stay strings.
"""

from __future__ import annotations

import math
import re
import string

from celvet.regex import regex

ScalarValue = str | bool | float | None

_WORDS: dict[str, ScalarValue] = {"": None, "~": None}
for _value, _forms in (
    (None, "null"),
    (True, "y yes true on"),
    (False, "n no false off"),
    (math.inf, ".inf +.inf"),
    (-math.inf, "-.inf"),
):
    for _form in _forms.split():
        _WORDS |= dict.fromkeys((_form, _form.capitalize(), _form.upper()), _value)
for _form in (".inf", "+.inf", "-.inf"):
    _WORDS[_form.replace("i", "I")] = _WORDS[_form]
_WORDS |= dict.fromkeys((".nan", ".NaN", ".NAN"), math.nan)

_FIRST = frozenset("+-.0123456789yYnNtTfFoO~")
SURELY_TEXT = frozenset(string.ascii_letters) - _FIRST
"""A plain scalar that begins like this is a string."""

_INTEGER = regex(r"([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[oO]?([0-7]+)|0[bB]([01]+)|(0|[1-9][0-9]*))")
_FLOAT = regex(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_DOT_FLOAT = regex(r"\.[0-9]+(?:_[0-9]+)*(?:[eE][-+]?[0-9]+(?:_[0-9]+)*)?")
_MAX_DIGITS = 400  # beyond the largest float in any notation that is read exactly
_WORD64 = range(-(2**63), 2**64)


def plain_value(text: str) -> ScalarValue:
    """The value of a plain scalar; infinities and NaN as floats."""
    if not text:
        return None
    if text[0] not in _FIRST:
        # only these two words start differently
        return None if text in ("null", "Null", "NULL") else text
    if text in _WORDS:
        return _WORDS[text]
    return text if text[0] in "yYnNtTfFoO~" else _number(text)


def _number(text: str) -> ScalarValue:
    if len(text) < 19 and text[0] in "123456789" and text.isdecimal() and text.isascii():
        return int(text)
    digits = text if text[0] == "." else text.replace("_", "")
    if len(digits) > _MAX_DIGITS:
        return text
    match = _INTEGER.fullmatch(digits)
    if match and (integer := _integer(match)) in _WORD64:
        return integer
    real = _DOT_FLOAT if text[0] == "." else _FLOAT
    # a number too large for a float is a string, since `ParseFloat` refuses it
    return value if real.fullmatch(digits) and math.isfinite(value := float(digits)) else text


def _integer(found: re.Match[str]) -> int:
    """An integer as `strconv.ParseInt(text, 0, 64)` has it."""
    sign, *forms = found.groups()
    base, digits = next(
        (base, form) for base, form in zip((16, 8, 2, 10), forms, strict=True) if form
    )
    value = int(digits, base)
    return -value if sign == "-" else value
