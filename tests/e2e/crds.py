"""CustomResourceDefinitions: of the kinds that celvet knows, and of what the chart may render.

Ours take any content, as a cluster does whose own schemas have no rules on expressions:
what is refused is then refused by the webhook. Those of cert-manager and the Prometheus
operator name the fields that the chart may use, and no other passes strict validation.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import yaml

from celvet import schemas

_OTHERS = Path(__file__).parent / "crds.yaml"
_ANYTHING = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}


def definitions() -> Iterator[dict[str, Any]]:
    for kind in schemas.load().kinds:
        if kind.plural:
            yield _definition(kind.group, kind.kind, kind.plural, kind.scope, kind.versions)
    yield from yaml.safe_load_all(_OTHERS.read_text(encoding="utf-8"))


def anything(group: str, version: str, kind: str, scope: str = "Namespaced") -> dict[str, Any]:
    """That of a kind which takes any field."""
    return _definition(group, kind, f"{kind.lower()}s", scope, [version], **_ANYTHING)


def _definition(
    group: str, kind: str, plural: str, scope: str, versions: Sequence[str], **schema: Any
) -> dict[str, Any]:
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{plural}.{group}"},
        "spec": {
            "group": group,
            "scope": scope,
            "names": {
                "kind": kind,
                "listKind": f"{kind}List",
                "plural": plural,
                "singular": kind.lower(),
            },
            "versions": [_version(name, name == versions[0], schema) for name in versions],
        },
    }


def _version(name: str, stored: bool, schema: dict[str, Any]) -> dict[str, Any]:
    properties = {"spec": _ANYTHING, "status": _ANYTHING}
    return {
        "name": name,
        "served": True,
        "storage": stored,
        "subresources": {"status": {}},
        "schema": {"openAPIV3Schema": {"type": "object", "properties": properties, **schema}},
    }
