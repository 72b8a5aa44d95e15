"""The values that the expressions of a graph see, and those that they give.

Mirrors `UnstructuredToVal` and `GoNativeType` of kro (0302e659, `pkg/cel`).
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from celvet.lint.go.durations import parse_duration
from celvet.lint.model import Value
from celvet.lint.values import mapping_at
from celvet.lint.verdicts.unstructured import timestamp


def typed(value: Value, schema: Value) -> Any:
    """A value whose texts with a format are times, durations and bytes."""
    if not isinstance(schema, Mapping):
        return value
    if isinstance(value, Mapping):
        fields, others = mapping_at(schema, ("properties",)), schema.get("additionalProperties")
        return {key: typed(item, fields.get(key, others)) for key, item in value.items()}
    if isinstance(value, list):
        return [typed(item, schema.get("items")) for item in value]
    if isinstance(value, str) and schema.get("type") == "string":
        return _formatted(value, str(schema.get("format")))
    if schema.get("type") == "number" and type(value) is int:
        return float(value)
    return value


def _formatted(text: str, form: str) -> Any:
    try:
        if form == "byte":
            return base64.b64decode(text, validate=True)
        if form == "date-time":
            return timestamp(text) or text
        if form == "duration":
            return parse_duration(text)
    except (binascii.Error, ValueError):
        return text
    return text


def plain(value: Any) -> Value:
    """A result as kro puts it into an object."""
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, datetime):
        return value.strftime("%Y-%m-%dT%H:%M:%SZ")
    return str(value) if isinstance(value, timedelta) else value
