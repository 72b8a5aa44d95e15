"""What Gardener's checks look at: a Deployment, a ManagedResource, the result of a check."""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.controllers.gardener.extension_judge import ExtensionJudge
from celvet.lint.controllers.gardener.managed_resource import ResourcesHealthy
from celvet.lint.controllers.gardener.shoot_condition import ShootCondition
from celvet.lint.controllers.unstructured import text_or
from celvet.lint.healthtest.scaffold.made_up.situation import (
    FRESH,
    MadeUp,
    example,
    with_conditions,
)
from celvet.lint.model import Value

_TYPE = "ControlPlaneHealthy"
_OWN = "own check"
_APPLIED = {"ResourcesApplied": "True", "ResourcesHealthy": "True", "ResourcesProgressing": "False"}


def of_extension(_: ExtensionJudge, declaration: Value) -> Iterator[MadeUp]:
    """A registered check of a Deployment, and a check that is progressing or fails itself."""
    ready_made = {"registrations": {"Deployment/example": _TYPE}}
    for made in _deployments(declaration):
        yield MadeUp(made.name, made.objects, ready_made)
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
        registered = {"registrations": {_OWN: _TYPE}, "results": {_OWN: result}}
        yield MadeUp(name, fresh, registered)


def of_resources(_: ResourcesHealthy, declaration: Value) -> Iterator[MadeUp]:
    """An object that the ManagedResource applies."""
    yield from _deployments(declaration)


def of_shoot(_: ShootCondition, declaration: Value) -> Iterator[MadeUp]:
    """The ManagedResource itself, with the conditions that are asked."""
    version, kind = (text_or("", declaration, key) for key in ("apiVersion", "kind"))
    fresh = example(version, kind, *_key(declaration))
    yield MadeUp(f"a ManagedResource {FRESH}", (fresh,))
    yield MadeUp("a ManagedResource that is healthy", (with_conditions(fresh, _APPLIED),))


def _deployments(declaration: Value) -> Iterator[MadeUp]:
    deployment = _deployment(declaration)
    for status, word in (("True", "available"), ("False", "not available")):
        obj = with_conditions(deployment, {"Available": status})
        yield MadeUp(f"a Deployment that is {word}", (obj,))


def _deployment(declaration: Value) -> dict[str, Value]:
    return example("apps/v1", "Deployment", "example", _key(declaration)[1])


def _key(declaration: Value) -> tuple[str, str]:
    """Name and namespace."""
    name, namespace = (text_or("", declaration, "metadata", key) for key in ("name", "namespace"))
    return name, namespace
