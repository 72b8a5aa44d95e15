"""Turns the text of a scalar into its value, as Kubernetes reads YAML.

A plain scalar is resolved as in go-yaml, and then converted to JSON as in `sigs.k8s.io/yaml`: a
number that is integral and fits 64 bits is an integer in any notation, any other is a float.
"""

from __future__ import annotations

import base64
import math

from celvet.lint.go import plain_scalars
from celvet.lint.go.floats import through_json
from celvet.lint.manifest.yaml.node import YamlNode
from celvet.lint.model import Value
from celvet.lint.safe_text import one_line

TAG_PREFIX = "tag:yaml.org,2002:"


class BadValueError(ValueError):
    """Kubernetes' decoder refuses the scalar; the message says why."""


def scalar_value(text: str, style: str, tag: str) -> Value:
    """The value of a scalar; `tag` is its explicit tag or empty.

    Tags that YAML does not define (`!Ref`) leave the text a string, as does
    `!!binary`: its text is not decoded.

    Raises:
        BadValueError: for a value without a JSON form (`.inf`, `.nan`), and for a text that does
        not fit its standard tag (`!!int x`).

    """
    if not tag:
        return text if style != "plain" else _require_json(_plain_value(text), text)
    if tag == f"{TAG_PREFIX}binary" and not _is_base64(text):
        raise BadValueError(f"`{one_line(text)}` is not base64, so the document is refused")
    types = _TAGGED.get(tag.removeprefix(TAG_PREFIX))
    if types is None or not tag.startswith(TAG_PREFIX):
        return text
    value = _require_json(_plain_value(text), text)
    # Not of `value`: go-yaml takes `1e3` for a float.
    if type(plain_scalars.plain_value(text)) not in types:
        short = tag.removeprefix(TAG_PREFIX)
        raise BadValueError(f"`{one_line(text)}` is not a `!!{short}`, so the document is refused")
    return value


_TAGGED: dict[str, tuple[type, ...]] = {
    "null": (type(None),),
    "bool": (bool,),
    "int": (int,),
    "float": (int, float),
}
"""Tag -> what a plain scalar with this text would be."""


def _is_base64(text: str) -> bool:
    """Like Go's `base64.StdEncoding`, which skips line breaks."""
    try:
        return bool(base64.b64decode("".join(text.splitlines()), validate=True)) or not text
    except ValueError:
        return False


_STANDARD = "binary bool float int merge null str timestamp"
KNOWN_TAGS = frozenset(f"{TAG_PREFIX}{name}" for name in _STANDARD.split())
"""The tags of a scalar that YAML defines."""


def _plain_value(text: str) -> Value:
    """The value of a plain scalar after the conversion to JSON; infinities and NaN as floats.

    A number is an int where its digits in JSON are one that fits 64 bits.
    """
    value = plain_scalars.plain_value(text)
    return value if isinstance(value, str | bool | None) else through_json(value)


def _require_json(value: Value, text: str) -> Value:
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
