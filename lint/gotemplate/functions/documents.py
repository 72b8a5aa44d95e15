"""JSON of slim-sprig (defaults.go, v3.0.0), and the YAML that the operator adds."""

from __future__ import annotations

from celvet.lint.gotemplate.errors import CallError
from celvet.lint.gotemplate.formats.json_syntax import JsonError
from celvet.lint.gotemplate.formats.json_text import decode, encode
from celvet.lint.gotemplate.formats.yaml_text import YamlError, to_yaml
from celvet.lint.gotemplate.functions.signature import SLOW, Function, function
from celvet.lint.gotemplate.limits import Meter
from celvet.lint.gotemplate.values import Value


def _encoded(meter: Meter, value: Value, *, html: bool, pretty: bool, strict: bool) -> str:
    try:
        return encode(value, meter, html=html, pretty=pretty)
    except JsonError as error:
        if strict:
            raise CallError(str(error)) from None
        return ""


def _writer(*, html: bool = True, pretty: bool = False, strict: bool = False) -> Function:
    return function(
        "any -> string",
        lambda meter, value: _encoded(meter, value, html=html, pretty=pretty, strict=strict),
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
