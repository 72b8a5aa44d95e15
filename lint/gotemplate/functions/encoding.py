"""Encodings: slim-sprig's JSON, base64 and base32 (v3.0.0), and the YAML that the operator adds.

base64 and base32 (strings.go) have the errors of Go's decoders; JSON is of defaults.go.
"""

from __future__ import annotations

import base64

from celvet.lint.go.quoting import from_bytes, to_bytes
from celvet.lint.gotemplate.errors import CallError
from celvet.lint.gotemplate.formats.json_text import JsonError, decode, encode
from celvet.lint.gotemplate.formats.yaml_text import YamlError, to_yaml
from celvet.lint.gotemplate.functions.signature import SLOW, Function, function
from celvet.lint.gotemplate.template_limits import Meter
from celvet.lint.gotemplate.template_values import Value

_ALPHABET64 = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_ALPHABET32 = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"


def _bad64(data: bytes) -> int | None:
    """The offset that Go's base64 decoder complains about."""
    significant = [(offset, octet) for offset, octet in enumerate(data) if octet not in b"\r\n"]
    padding = len(significant)
    for index, (offset, octet) in enumerate(significant):
        if octet in _ALPHABET64:
            continue
        # Padding is legal only in the third and fourth place of a group of four (`decodeQuantum`).
        if octet != ord("=") or index % 4 < 2:
            return offset
        padding = index
        break
    else:
        return len(data) - padding % 4 if padding % 4 else None
    # After the first `=` the group must be filled up with padding, and nothing may follow it; Go
    # names the offset of what it met instead.
    pad_size = 4 - padding % 4
    if pad_size == 2:
        if len(significant) == padding + 1:
            return len(data)
        if significant[padding + 1][1] != ord("="):
            return significant[padding + 1][0] - 1
    remainder = significant[padding + pad_size :]
    return remainder[0][0] if remainder else None


def _bad32(data: bytes) -> int | None:
    """The offset that Go's base32 decoder complains about, in `data` without line breaks."""
    for begin in range(0, len(data), 8):
        quantum = data[begin : begin + 8]
        for index, octet in enumerate(quantum):
            bytes_left = len(data) - (begin + index + 1)
            if octet == ord("=") and index >= 2 and bytes_left < 8:
                return _bad_padding(data, begin, index)
            if octet not in _ALPHABET32:
                return begin + index
        if len(quantum) < 8:
            return begin
    return None


def _bad_padding(data: bytes, begin: int, index: int) -> int | None:
    following = data[begin + index + 1 :]
    if len(following) + index < 7:
        return len(data)
    for number in range(7 - index):
        if following[number : number + 1] not in (b"=", b""):
            return len(data) - len(following) + number - 1
    return begin + index if index in (3, 6) else None


def _b64dec(text: str) -> str:
    data = to_bytes(text)
    bad = _bad64(data)
    if bad is not None:
        return f"illegal base64 data at input byte {bad}"
    return from_bytes(base64.b64decode(data))


def _b32dec(text: str) -> str:
    data = to_bytes(text).replace(b"\r", b"").replace(b"\n", b"")
    bad = _bad32(data)
    if bad is not None:
        return f"illegal base32 data at input byte {bad}"
    end = data.find(b"=")
    if end >= 0:
        data = data[:end] + b"=" * (-end % 8)
    return from_bytes(base64.b32decode(data))


ENCODING: dict[str, Function] = {
    "b64enc": function("string -> string", lambda text: base64.b64encode(to_bytes(text)).decode()),
    "b64dec": function("string -> string", _b64dec, pace=SLOW),
    "b32enc": function("string -> string", lambda text: base64.b32encode(to_bytes(text)).decode()),
    "b32dec": function("string -> string", _b32dec, pace=SLOW),
}


def _encode(meter: Meter, value: Value, *, html: bool, pretty: bool, strict: bool) -> str:
    try:
        return encode(value, meter, html=html, pretty=pretty)
    except JsonError as error:
        if strict:
            raise CallError(str(error)) from None
        return ""


def _writer(*, html: bool = True, pretty: bool = False, strict: bool = False) -> Function:
    return function(
        "any -> string",
        lambda meter, value: _encode(meter, value, html=html, pretty=pretty, strict=strict),
        metered=True,
        pace=SLOW,
    )


def _must_from_json(meter: Meter, text: str) -> Value:
    meter.characters(len(text))
    try:
        return decode(text)
    except JsonError as error:
        raise CallError(str(error)) from None


def _from_json(meter: Meter, text: str) -> Value:
    try:
        return _must_from_json(meter, text)
    except CallError:
        return None


def _must_to_yaml(meter: Meter, value: Value) -> str:
    try:
        return to_yaml(value, meter)
    except YamlError as error:
        raise CallError(str(error)) from None


def _to_yaml(meter: Meter, value: Value) -> str:
    try:
        return to_yaml(value, meter)
    except YamlError:
        return ""


DOCUMENTS: dict[str, Function] = {
    "fromJson": function("string -> any", _from_json, metered=True, pace=SLOW),
    "mustFromJson": function("string -> any", _must_from_json, metered=True, pace=SLOW),
    "toJson": _writer(),
    "mustToJson": _writer(strict=True),
    "toPrettyJson": _writer(pretty=True),
    "mustToPrettyJson": _writer(pretty=True, strict=True),
    "toRawJson": _writer(html=False, strict=True),
    "mustToRawJson": _writer(html=False, strict=True),
    "toYaml": function("any -> string", _to_yaml, metered=True, pace=SLOW),
    "mustToYaml": function("any -> string", _must_to_yaml, metered=True, pace=SLOW),
}
