"""Kustomizations of Flux for tests, as mappings and as texts."""

from __future__ import annotations

from typing import Any

from tests import libyaml


def kustomization(name: str, **spec: Any) -> dict[str, Any]:
    """A Kustomization with these fields in its `spec`."""
    return {
        "apiVersion": "kustomize.toolkit.fluxcd.io/v1",
        "kind": "Kustomization",
        "metadata": {"name": name},
        "spec": spec,
    }


def with_entry(name: str = "x", *, wait: bool = True, **entry: str) -> str:
    """The text of one with an entry for health checks; by default, that is about a `Thing`."""
    fields = {"apiVersion": "example.com/v1", "kind": "Thing", **entry}
    document = kustomization(name, wait=wait, healthCheckExprs=[fields])
    return str(libyaml.dump(document, sort_keys=False, width=10_000))
