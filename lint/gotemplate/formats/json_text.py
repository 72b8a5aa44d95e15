"""JSON as Go's encoding/json writes and reads it (Go 1.26)."""

from __future__ import annotations

import json
import math
from typing import NoReturn

from celvet.lint.go.floats import json_number, shortest, through_json
from celvet.lint.go.numbers import GoByte
from celvet.lint.go.quoting import json_string, to_bytes
from celvet.lint.gotemplate.template_limits import Meter
from celvet.lint.gotemplate.template_values import Value, is_nil
from celvet.regex import regex

_SURROGATES = regex("[\ud800-\udfff]")
_MOST_DIGITS = 20
"""The longest int64 has so many characters, with its sign."""


class JsonError(ValueError):
    """The value has no JSON, or the text is not JSON."""


class _Encoder:
    def __init__(self, meter: Meter, *, html: bool, pretty: bool) -> None:
        self._meter = meter
        self._html = html
        self._pretty = pretty

    def encode(self, value: Value, indent: str) -> str:
        self._meter.spend()
        if is_nil(value):
            return "null"
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, str):
            return self.string(value)
        if isinstance(value, int):
            return str(int(value))
        if isinstance(value, float):
            self._meter.number()
            return json_float(value)
        if isinstance(value, complex):
            raise JsonError("json: unsupported type: complex128")
        return self._container(value, indent)

    def string(self, text: str) -> str:
        self._meter.text(len(text))
        self._meter.characters(len(text))
        return json_string(text, html=self._html)

    def _container(self, value: Value, indent: str) -> str:
        inner = indent + "  "
        if isinstance(value, dict):
            brackets, colon = "{}", ": " if self._pretty else ":"
            keys = sorted(value, key=to_bytes)
            parts = [self.string(key) + colon + self.encode(value[key], inner) for key in keys]
        else:
            brackets = "[]"
            parts = [self.encode(entry, inner) for entry in value]
        if self._pretty and parts:
            text = f"\n{inner}" + f",\n{inner}".join(parts) + f"\n{indent}"
        else:
            text = ",".join(parts)
        self._meter.text(len(text))
        return brackets[0] + text + brackets[1]


def json_float(value: float) -> str:
    """A float in JSON.

    Raises:
        JsonError: it is infinite or not a number.
    """
    if not math.isfinite(value):
        raise JsonError(f"json: unsupported value: {shortest(value)}")
    return json_number(value)


def encode(value: Value, meter: Meter, *, html: bool = True, pretty: bool = False) -> str:
    """The JSON of a value.

    Raises:
        JsonError: it has none.
    """
    if isinstance(value, GoByte):
        value = int(value)
    return _Encoder(meter, html=html, pretty=pretty).encode(value, "")


def _number(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise JsonError(f"json: cannot unmarshal number {text} into Go value of type float64")
    return value


def _refuse_constant(word: str) -> NoReturn:
    """Refuse `NaN` and the infinities, which are JSON for Python only."""
    raise JsonError(f"`{word}` is not JSON")


def _integer(text: str) -> float:
    """As `json.Unmarshal` of apimachinery: an int64 if it fits."""
    return through_json(int(text)) if len(text) <= _MOST_DIGITS else _number(text)


def decode(text: str, *, integers: bool = False) -> Value:
    """The value of a JSON text, in which all numbers are floats, unless `integers` are kept.

    Raises:
        JsonError: it is not JSON.
    """
    try:
        value = json.loads(
            text,
            parse_int=_integer if integers else _number,
            parse_float=_number,
            parse_constant=_refuse_constant,
        )
    except json.JSONDecodeError as error:
        raise JsonError(f"invalid JSON at character {error.pos + 1}") from None
    return _without_surrogates(value)


def _without_surrogates(value: Value) -> Value:
    if isinstance(value, str):
        return _SURROGATES.sub("\ufffd", value)
    if isinstance(value, list):
        return [_without_surrogates(entry) for entry in value]
    if isinstance(value, dict):
        return {
            _without_surrogates(key): _without_surrogates(entry) for key, entry in value.items()
        }
    return value
