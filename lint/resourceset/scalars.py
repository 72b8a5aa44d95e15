"""The value of a scalar in YAML (resolve.go of go.yaml.in/yaml/v2 v2.4.3)."""

from __future__ import annotations

import base64
import binascii
import math
import re
from typing import Any

import yaml

from celvet.lint.gotemplate.go_numbers import (
    parse_digits,
    parse_float,
    parse_signed,
    parse_unsigned,
)
from celvet.lint.resourceset.errors import ReadError

_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_WORDS: dict[str, Any] = {
    **dict.fromkeys(
        ("y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"), True
    ),
    **dict.fromkeys(("n", "N", "no", "No", "NO", "false", "False", "FALSE"), False),
    **dict.fromkeys(("off", "Off", "OFF"), False),
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), math.nan),
    **dict.fromkeys((".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"), math.inf),
    **dict.fromkeys(("-.inf", "-.Inf", "-.INF"), -math.inf),
}
_TAGS = "tag:yaml.org,2002:"
PLAIN = "?"
"""The tag of a scalar that is written plainly, without a tag."""
_TYPES: dict[str, type | tuple[type, ...]] = {
    _TAGS + "bool": bool,
    _TAGS + "int": int,
    _TAGS + "float": (int, float),
    _TAGS + "null": type(None),
}


def resolve(node: yaml.ScalarNode) -> Any:
    """The value of a scalar: a text, unless it is written plainly and reads as something else.

    Raises:
        ReadError: it is not of the type that its tag asks for.
    """
    text, tag = str(node.value), str(node.tag)
    if tag == _TAGS + "binary":
        return _binary(text)
    if tag != PLAIN and tag not in _TYPES:
        return text
    value = _plain(text)
    if tag == PLAIN:
        return value
    if not isinstance(value, _TYPES[tag]):
        problem = f"cannot decode !!str `{text}` as a !!{tag.removeprefix(_TAGS)}"
        raise ReadError(f"error converting YAML to JSON: yaml: {problem}")
    return float(str(value)) if tag.endswith("float") else value


def _binary(text: str) -> str:
    try:
        return base64.b64decode(text, validate=False).decode("utf-8", "replace")
    except (binascii.Error, ValueError):
        problem = "!!binary value contains invalid base64 data"
        raise ReadError(f"error converting YAML to JSON: yaml: {problem}") from None


def _plain(text: str) -> Any:
    if text in _WORDS:
        return _WORDS[text]
    first = text[0]
    if first == ".":
        number = parse_float(text)
        return text if number is None else number
    return _number(text) if first in "+-0123456789" else text


def _number(text: str) -> Any:
    plain = text.replace("_", "")
    whole = parse_signed(plain)
    if whole is None:
        whole = parse_unsigned(plain)
    if whole is not None:
        return whole
    real = parse_float(plain) if _FLOAT.fullmatch(plain) else None
    if real is not None:
        return real
    if plain.startswith(("0b", "-0b")):
        digits = plain.replace("0b", "", 1)
        binary = parse_digits(digits, 2)
        return text if binary is None else binary
    return text
