"""What editors take: JSON Schemas from those that celvet checks with, and where YAML has CEL.

They are of draft 7, the newest that all editors know: there nothing may stand beside a `$ref`, and
each annotation of celvet's own (`x-...`) becomes what a plain validator understands.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from celvet.lint.config import SCHEMA as CONFIGURATION
from celvet.lint.rules import rules
from celvet.schemas import BUILT_IN, load
from celvet.schemas.sites import subschemas
from celvet.version import REPOSITORY
from celvet.webhook.decide.policy_file import SCHEMA as POLICY

_DRAFT = "http://json-schema.org/draft-07/schema#"
_HEALTH_TEST = BUILT_IN / "celvet" / "HealthTest.json"


def own() -> dict[Path, str]:
    """The text of each schema that celvet itself checks with, with the rules that there are."""
    return {
        file: json.dumps(schema, indent=2) + "\n"
        for file, schema in ((CONFIGURATION, _configuration()), (POLICY, _policy()))
    }


def _configuration() -> dict[str, Any]:
    schema = _read(CONFIGURATION)
    schema["$defs"]["rules"]["properties"] = _by_rule("#/$defs/severity-or-off")
    return schema


def _policy() -> dict[str, Any]:
    schema = _read(POLICY)
    schema["$defs"]["rules"]["properties"] = _by_rule("#/$defs/mode")
    return schema


def _by_rule(reference: str) -> dict[str, Any]:
    return {rule.id: {"description": f"{rule.summary}.", "$ref": reference} for rule in rules()}


def _read(file: Path) -> dict[str, Any]:
    schema: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return schema


def published() -> dict[str, str]:
    """The text of each schema by the name of its file."""
    health_test = _read(_HEALTH_TEST)
    (kind,) = health_test["x-kubernetes-group-version-kind"]
    health_test["properties"] |= {
        "apiVersion": {"const": f"{kind['group']}/{kind['version']}"},
        "kind": {"const": kind["kind"]},
    }
    health_test["required"] = ["apiVersion", "kind", *health_test["required"]]
    schemas = {
        "celvet.schema.json": _configuration(),
        "policy.schema.json": _policy(),
        "health-test.schema.json": health_test,
    }
    return {name: _text(name, schema) for name, schema in schemas.items()}


def injection() -> str:
    """The TextMate grammar that colors CEL behind the keys that have it in most kinds.

    A key such as `name` has an expression in one kind only; there the server tells the words.
    """
    catalog = load()
    is_cel: dict[str, list[bool]] = {}
    for kind in catalog.kinds:
        for path, schema in subschemas(kind.schema):
            mark = schema.get("x-expression", {})
            dialect = catalog.dialects[mark["dialect"]].language if mark else ""
            is_cel.setdefault(path[-1] if path else "", []).append(dialect == "cel")
    keys = sorted(
        key for key, uses in is_cel.items() if 2 * sum(uses) > len(uses) and key.isidentifier()
    )
    key = f"({'|'.join(keys)})(:)"
    names = {"2": {"name": "entity.name.tag.yaml"}, "3": {"name": "punctuation.separator.yaml"}}
    cel = [{"include": "source.cel"}]
    block = {
        "contentName": "meta.embedded.cel",
        "beginCaptures": {**names, "4": {"name": "keyword.control.flow.block-scalar.yaml"}},
        "patterns": cel,
    }
    header = rf"{key}[ ]+([|>][-+1-9]*)(?=[ ]*(?:#|$))"
    # A block ends where a line is not indented more than its key.
    blocks = [
        {"begin": rf"^([ ]*){header}", "while": r"^(?:\1[ ]|[ ]*$)", **block},
        {"begin": rf"^([ ]*)-[ ]{header}", "while": r"^(?:\1[ ]{3}|[ ]*$)", **block},
    ]
    captures = {**names, "5": {"name": "meta.embedded.cel", "patterns": cel}}
    quote = {"name": "punctuation.definition.string.yaml"}
    values = (
        r"(\")((?:[^\"\\]|\\.)*)(\")",
        "(')((?:[^']|'')*)(')",
        r"()([^\s\"'|>&*!#{\[].*?)(?=[ ]+#|[ ]*$)",
    )
    lines = [
        {
            "match": rf"(^[ ]*(?:-[ ]+)*|[{{,][ ]*){key}[ ]+{value}",
            "captures": {**captures, "4": quote, "6": quote},
        }
        for value in values
    ]
    grammar = {
        "scopeName": "celvet.injection",
        "injectionSelector": "L:source.yaml - comment",
        "patterns": [*blocks, *lines],
    }
    return json.dumps(grammar, indent=2) + "\n"


def _text(name: str, schema: Mapping[str, Any]) -> str:
    plain = {**_plain(schema), "$schema": _DRAFT, "$id": f"{REPOSITORY}/raw/main/docs/{name}"}
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
