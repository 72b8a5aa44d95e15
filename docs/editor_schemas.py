"""The JSON Schemas that editors and SchemaStore take, from those that celvet itself checks with.

They are of draft 7, the newest that all editors know: there nothing may stand beside a `$ref`, and
each annotation of celvet's own (`x-...`) becomes what a plain validator understands.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from celvet.lint.config import SCHEMA
from celvet.lint.rules import rules
from celvet.schemas import BUILT_IN

_DRAFT = "http://json-schema.org/draft-07/schema#"
_SITE = "https://celvet.dev"
_HEALTH_TEST = BUILT_IN / "celvet" / "HealthTest.json"


def configuration() -> dict[str, Any]:
    """The schema of the configuration, with the rules that there are."""
    schema: dict[str, Any] = json.loads(SCHEMA.read_text(encoding="utf-8"))
    schema["properties"]["rules"]["properties"] = {
        rule.id: {"description": f"{rule.summary}.", "$ref": "#/$defs/severity-or-off"}
        for rule in rules()
    }
    return schema


def published() -> dict[str, str]:
    """The text of each schema by the name of its file."""
    health_test = json.loads(_HEALTH_TEST.read_text(encoding="utf-8"))
    (kind,) = health_test["x-kubernetes-group-version-kind"]
    health_test["properties"] |= {
        "apiVersion": {"const": f"{kind['group']}/{kind['version']}"},
        "kind": {"const": kind["kind"]},
    }
    health_test["required"] = ["apiVersion", "kind", *health_test["required"]]
    schemas = {"celvet.schema.json": configuration(), "health-test.schema.json": health_test}
    return {name: _text(name, schema) for name, schema in schemas.items()}


def _text(name: str, schema: Mapping[str, Any]) -> str:
    plain = {**_plain(schema), "$schema": _DRAFT, "$id": f"{_SITE}/{name}"}
    head = ("$schema", "$id", "title", "description")
    order = {key: plain[key] for key in head if key in plain} | plain
    return json.dumps(order, indent=2) + "\n"


def _plain(schema: Any) -> Any:
    """A schema, or a part of one, without annotations."""
    if isinstance(schema, list):
        return [_plain(each) for each in schema]
    if not isinstance(schema, Mapping):
        return schema
    plain = {key: _plain(value) for key, value in schema.items() if not key.startswith("x-")}
    if schema.get("x-fields") == "all":
        plain["additionalProperties"] = False
    if len(plain) > 1 and isinstance(reference := plain.get("$ref"), str):
        del plain["$ref"]
        plain["allOf"] = [{"$ref": reference}]
    return plain
