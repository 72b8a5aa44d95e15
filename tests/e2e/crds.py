"""CustomResourceDefinitions: of the kinds that celvet knows, and of what the chart may render.

Ours take any content, as a cluster does whose own schemas have no rules on expressions:
what is refused is then refused by the webhook. Those of cert-manager and the Prometheus
operator name the fields that the chart may use, and no other passes strict validation.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from celvet import schemas
from celvet.schemas import Kind

_OTHERS = Path(__file__).parent / "crds.yaml"
_ANYTHING = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}


def definitions() -> Iterator[dict[str, Any]]:
    for kind in schemas.load().kinds:
        if kind.plural:
            yield _definition(kind)
    yield from yaml.safe_load_all(_OTHERS.read_text(encoding="utf-8"))


def _definition(kind: Kind) -> dict[str, Any]:
    versions = [_version(name, stored=name == kind.versions[0]) for name in kind.versions]
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{kind.plural}.{kind.group}"},
        "spec": {
            "group": kind.group,
            "scope": kind.scope,
            "names": {
                "kind": kind.kind,
                "listKind": f"{kind.kind}List",
                "plural": kind.plural,
                "singular": kind.kind.lower(),
            },
            "versions": versions,
        },
    }


def _version(name: str, *, stored: bool) -> dict[str, Any]:
    properties = {"spec": _ANYTHING, "status": _ANYTHING}
    return {
        "name": name,
        "served": True,
        "storage": stored,
        "subresources": {"status": {}},
        "schema": {"openAPIV3Schema": {"type": "object", "properties": properties}},
    }
