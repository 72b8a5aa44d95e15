"""Example objects for Gardener's checks: a Deployment, a ManagedResource, a check result."""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.model import Value
from celvet.lint.verdicts.examples import FRESH, Example, example, with_conditions
from celvet.lint.verdicts.unstructured import text_or

_TYPE = "ControlPlaneHealthy"
_OWN = "own check"
_APPLIED = {"ResourcesApplied": "True", "ResourcesHealthy": "True", "ResourcesProgressing": "False"}


def of_extension(declaration: Value) -> Iterator[Example]:
    """A registered check of a Deployment, and a check that is progressing or fails itself."""
    ready_made = {"registrations": {"Deployment/example": _TYPE}}
    for deployment in _deployments(declaration):
        yield Example(deployment.name, deployment.objects, ready_made)
    fresh = (_deployment(declaration),)
    results = {
        "a check is progressing": {
            "status": "Progressing",
            "detail": "1 of 3 is ready",
            "threshold": "5m",
        },
        "a check cannot be made": {"error": "connection refused"},
    }
    for name, result in results.items():
        settings = {"registrations": {_OWN: _TYPE}, "results": {_OWN: result}}
        yield Example(name, fresh, settings)


def of_resources(declaration: Value) -> Iterator[Example]:
    """An object that the ManagedResource applies."""
    yield from _deployments(declaration)


def of_shoot(declaration: Value) -> Iterator[Example]:
    """The ManagedResource itself, with the conditions that the check reads."""
    version, kind = (text_or("", declaration, key) for key in ("apiVersion", "kind"))
    fresh = example(version, kind, *_key(declaration))
    yield Example(f"a ManagedResource {FRESH}", (fresh,))
    yield Example("a ManagedResource that is healthy", (with_conditions(fresh, _APPLIED),))


def _deployments(declaration: Value) -> Iterator[Example]:
    deployment = _deployment(declaration)
    for status, word in (("True", "available"), ("False", "not available")):
        obj = with_conditions(deployment, {"Available": status})
        yield Example(f"a Deployment that is {word}", (obj,))


def _deployment(declaration: Value) -> dict[str, Value]:
    return example("apps/v1", "Deployment", "example", _key(declaration)[1])


def _key(declaration: Value) -> tuple[str, str]:
    """The name and the namespace of an object."""
    name, namespace = (text_or("", declaration, "metadata", key) for key in ("name", "namespace"))
    return name, namespace
