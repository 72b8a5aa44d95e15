"""From the text of a scalar to its value, as Kubernetes reads YAML.

The rules are those of YAML 1.1 as `go.yaml.in/yaml/v2` resolves them (file
`resolve.go`), followed by the way through JSON that `sigs.k8s.io/yaml` takes:
`yes` and `on` are booleans, `0777` and `0o777` are octal, sexagesimal numbers
and timestamps stay strings, a number that is integral and fits 64 bits is an
integer however it is written, any other is a float.
"""

from __future__ import annotations

import math
import re

from celvet.lint.manifest.yaml.node import YamlNode
from celvet.lint.model import Value
from celvet.lint.safe_text import one_line

TAG_PREFIX = "tag:yaml.org,2002:"

_WORDS: dict[str, Value] = {"": None, "~": None}
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
_INTEGER = re.compile(r"([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[oO]?([0-7]+)|0[bB]([01]+)|(0|[1-9][0-9]*))")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_DOT_FLOAT = re.compile(r"\.[0-9]+(?:_[0-9]+)*(?:[eE][-+]?[0-9]+(?:_[0-9]+)*)?")
_MAX_DIGITS = 400  # beyond the largest float in any notation that is read exactly
_INT64 = range(-(2**63), 2**63)
_WORD64 = range(-(2**63), 2**64)


class BadValueError(ValueError):
    """A scalar that Kubernetes' decoder refuses; the text says why."""


def scalar_value(text: str, style: str, tag: str) -> Value:
    """The value of a scalar; `tag` is its explicit tag or empty.

    Tags that YAML does not define (`!Ref`) leave the text a string, as does
    `!!binary`: its text is not decoded.

    Raises:
        BadValueError: for what has no JSON form (`.inf`, `.nan`) and for a
            standard tag that the text does not fit (`!!int x`).

    """
    if not tag:
        return text if style != "plain" else _checked(plain_value(text), text)
    wanted = _TAGGED.get(tag.removeprefix(TAG_PREFIX))
    if wanted is None or not tag.startswith(TAG_PREFIX):
        return text
    value = _checked(plain_value(text), text)
    if not isinstance(value, wanted):
        short = tag.removeprefix(TAG_PREFIX)
        raise BadValueError(f"`{one_line(text)}` is not a `!!{short}`, so the document is refused")
    return value


_TAGGED: dict[str, type | tuple[type, ...]] = {
    "null": type(None),
    "bool": bool,
    "int": int,
    "float": (int, float),
}


_STANDARD = "binary bool float int merge null str timestamp"
KNOWN_TAGS = frozenset(f"{TAG_PREFIX}{name}" for name in _STANDARD.split())
"""The tags of a scalar that YAML defines."""


def plain_value(text: str) -> Value:
    """The value of a plain scalar; infinities and NaN as floats."""
    if not text:
        return None
    if text[0] not in _FIRST:
        # Only these two words start otherwise.
        return None if text in ("null", "Null", "NULL") else text
    if text in _WORDS:
        return _WORDS[text]
    return text if text[0] in "yYnNtTfFoO~" else _number(text)


def _number(text: str) -> Value:
    if len(text) < 19 and text[0] in "123456789" and text.isdecimal() and text.isascii():
        return int(text)
    digits = text if text[0] == "." else text.replace("_", "")
    if len(digits) > _MAX_DIGITS:
        return text
    if text[0] == ".":
        return _normal(float(text), text) if _DOT_FLOAT.fullmatch(text) else text
    found = _INTEGER.fullmatch(digits)
    if found and (whole := _integer(found)) in _WORD64:
        return _normal(whole, text)
    return _normal(float(digits), text) if _FLOAT.fullmatch(digits) else text


def _integer(found: re.Match[str]) -> int:
    """An integer as `strconv.ParseInt(text, 0, 64)` has it."""
    sign, *forms = found.groups()
    base, digits = next(
        (base, form) for base, form in zip((16, 8, 2, 10), forms, strict=True) if form
    )
    value = int(digits, base)
    return -value if sign == "-" else value


def _normal(number: float, text: str) -> Value:
    """A number as it comes out of JSON: int where it is integral and fits 64 bits.

    One too large for a float is a string, since `ParseFloat` refuses it.
    """
    if isinstance(number, float) and (math.isinf(number) or not number.is_integer()):
        return text if math.isinf(number) else number
    whole = int(number)
    return whole if whole in _INT64 else float(whole)


def _checked(value: Value, text: str) -> Value:
    if isinstance(value, float) and not math.isfinite(value):
        raise BadValueError(f"`{one_line(text)}` has no JSON form, so the document is refused")
    return value


def key_value(key: YamlNode) -> Value:
    """The value of a mapping key, before it becomes a name; None for a collection."""
    if key.kind != "scalar":
        return None
    if key.style != "plain" and not key.tag:
        return key.text
    try:
        return scalar_value(key.text, key.style, key.tag)
    except BadValueError:
        return key.text


def key_name(value: bool | float) -> str:
    """The name that `sigs.k8s.io/yaml` makes of a key that is not a string."""
    return str(value).lower() if isinstance(value, bool) else repr(value)
