"""The schemas for editors: what SchemaStore takes, and as strict as celvet itself."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator

from celvet.version import REPOSITORY
from docs.generate import ROOT
from tests import libyaml
from tests.validation.test_cases import CASES

_IN_REPOSITORIES = ("celvet.schema.json", "health-test.schema.json")
_NAMES = (*_IN_REPOSITORIES, "policy.schema.json")
_TESTS = sorted((ROOT / "examples" / "health-tests").rglob("*.yaml"))
_TEST = """
apiVersion: celvet.dev/v1alpha1
kind: HealthTest
metadata: {name: things}
target: {file: apps.yaml, kind: Kustomization}
cases:
  - {name: one, object: ready.yaml, expect: Current}
"""


def _schema(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((ROOT / "docs" / name).read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize("name", _NAMES)
def test_it_is_of_the_draft_that_all_editors_know(name: str) -> None:
    schema = _schema(name)
    Draft7Validator.check_schema(schema)
    assert schema["$schema"] == "http://json-schema.org/draft-07/schema#"
    assert schema["$id"] == f"{REPOSITORY}/raw/main/docs/{name}"
    assert not [each for each in _mappings(schema) if "$ref" in each and len(each) > 1]
    assert '"x-' not in json.dumps(schema)


def _mappings(value: Any) -> list[dict[str, Any]]:
    below = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    own = [value] if isinstance(value, dict) else []
    return [*own, *(found for each in below for found in _mappings(each))]


@pytest.mark.parametrize("path", _TESTS, ids=lambda path: path.name)
def test_the_health_tests_of_the_examples_are_valid(path: Path) -> None:
    validator = Draft7Validator(_schema("health-test.schema.json"))
    for document in libyaml.load_all(path.read_text(encoding="utf-8")):
        if isinstance(document, dict) and document.get("kind") == "HealthTest":
            assert [error.message for error in validator.iter_errors(document)] == []


@pytest.mark.parametrize("case", libyaml.load((CASES / "celvet.yaml").read_text()))
def test_it_refuses_what_celvet_refuses(case: dict[str, Any]) -> None:
    validator = Draft7Validator(_schema("health-test.schema.json"))
    refused = "violations" in case or "unknown" in case
    assert validator.is_valid(case["object"]) == (not refused)


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ("cases:", "'casez' was unexpected"),
        ("name: one", "'nam' was unexpected"),
        ("expect:", "'expects' was unexpected"),
    ],
)
def test_a_misspelt_key_is_reported(wrong: str, named: str) -> None:
    key = re.escape(wrong.partition(":")[0])
    misspelt = re.search("'(.+?)'", named)
    assert misspelt
    text = _TEST.replace(wrong, re.sub(key, misspelt[1], wrong))
    validator = Draft7Validator(_schema("health-test.schema.json"))
    messages = [error.message for error in validator.iter_errors(libyaml.load(text))]
    assert any(named in message for message in messages), messages


def test_the_entry_for_schemastore_names_them() -> None:
    guide = (ROOT / "docs" / "editors.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```json\n(\[\n.*?\n\])\n```", guide, re.DOTALL)
    entries = {Path(each["url"]).name: each for each in json.loads(block)}
    assert tuple(entries) == _IN_REPOSITORIES
    assert entries["celvet.schema.json"]["fileMatch"] == [".celvet.yaml"]
    for entry in entries.values():
        assert entry.keys() == {"name", "description", "fileMatch", "url"}
