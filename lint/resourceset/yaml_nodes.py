"""The value of a scalar in YAML (resolve.go of go.yaml.in/yaml/v2 v2.4.3)."""

from __future__ import annotations

import base64
import binascii
from typing import Any

import yaml

from celvet.lint.go.plain_scalars import plain_value
from celvet.lint.resourceset.errors import ReadError

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
    """The value of a scalar: a string, unless it is plain and reads as something else.

    Raises:
        ReadError: it does not have the type of its tag.
    """
    text, tag = str(node.value), str(node.tag)
    if tag == _TAGS + "binary":
        return _binary(text)
    if tag != PLAIN and tag not in _TYPES:
        return text
    value = plain_value(text)
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
