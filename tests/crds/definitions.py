"""Makes CustomResourceDefinitions for the tests."""

from __future__ import annotations

from typing import Any

Schema = dict[str, Any]


def fields(**properties: Schema) -> Schema:
    """An object with these properties."""
    return {"type": "object", "properties": properties}


def definition(
    schema: Schema | None = None, group: str = "example.com", kind: str = "Database"
) -> dict[str, Any]:
    """A CRD of one version, whose status has a phase unless a schema says otherwise."""
    root = schema or fields(status=fields(phase={"type": "string"}))
    version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": root}}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{kind.lower()}s.{group}"},
        "spec": {"group": group, "names": {"kind": kind}, "versions": [version]},
    }
