"""What registries are sent follows the JSON Schemas of their repositories (`make tools`)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml
from jsonschema.validators import validator_for
from referencing import Registry, Resource

from tests.conformance.waiters import TOOLS
from tests.package.test_manifests import archives, manifests

__all__ = ["archives", "manifests"]  # fixtures

_SCHEMAS = {
    "flux/celvet.yaml": "plugins/schemas/plugin-cli-v1beta1.json",
    "aqua/registry.yaml": "aqua/json-schema/registry.json",
    "mason/package.yaml": "registry-schema/schemas/package.schema.json",
    "megalinter/celvet.megalinter-descriptor.yml":
        "megalinter/megalinter/descriptors/schemas/megalinter-descriptor.jsonschema.json",
}  # fmt: skip
"""What is sent -> the schema, below the directory of registries in that of the tools."""


@pytest.mark.parametrize("name", _SCHEMAS)
def test_the_registry_accepts(manifests: Path, name: str) -> None:
    schema = TOOLS / "registries" / _SCHEMAS[name]
    if not schema.is_file():
        pytest.skip(f"{schema} is not here (`make tools`)")
    # Mason's schema names others of the same directory by their `$id`.
    schemas = [json.loads(file.read_text("utf-8")) for file in schema.parent.rglob("*.json")]
    named = [Resource.from_contents(content) for content in schemas if "$id" in content]
    registry = named @ Registry()
    content = json.loads(schema.read_text("utf-8"))
    validator = validator_for(content)(content, registry=registry)
    errors = validator.iter_errors(yaml.safe_load((manifests / name).read_text("utf-8")))
    assert [f"{error.json_path}: {error.message}" for error in errors] == []
