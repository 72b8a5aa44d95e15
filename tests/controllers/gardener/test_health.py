from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from celvet.lint.controllers import gardener
from celvet.lint.controllers.gardener.checks import CheckResult, check_named
from celvet.lint.controllers.gardener.health import KINDS
from tests.controllers.table import cases, shown
from tests.controllers.values import objects

_RESOURCE = {
    "apiVersion": "resources.gardener.cloud/v1alpha1",
    "kind": "ManagedResource",
    "metadata": {"name": "mcm", "namespace": "shoot--a--b"},
}


@cases("gardener/health")
def test_verdict(case: dict[str, Any]) -> None:
    assert shown(gardener.check(case["object"])) == case["expect"]


@given(objects([*KINDS, ("v1", "ConfigMap")]))
def test_every_value_has_a_verdict(obj: Any) -> None:
    verdict = gardener.check(obj)
    assert verdict.status in {"True", "False", "Unknown"}
    assert bool(verdict.message) == (verdict.status == "False")
    assert bool(verdict.error) == (verdict.status == "Unknown")


@pytest.mark.parametrize(
    ("kind", "detail"),
    [
        ("Deployment", 'deployment "mcm" in namespace "shoot--a--b" not found'),
        ("StatefulSet", 'StatefulSet "mcm" in namespace "shoot--a--b" not found'),
        ("DaemonSet", 'DaemonSet "mcm" in namespace "shoot--a--b" not found'),
        ("ManagedResource", 'Managed Resource "mcm" in namespace "shoot--a--b" not found'),
    ],
)
def test_a_check_of_an_object_that_is_not_there_fails(kind: str, detail: str) -> None:
    result = check_named(kind, "shoot--a--b", "mcm", [])
    assert (result.status, result.detail, result.error) == ("False", detail, "")


def test_a_check_finds_its_object_by_kind_namespace_and_name() -> None:
    others = [{**_RESOURCE, "kind": "Deployment"}, {**_RESOURCE, "metadata": {"name": "mcm"}}]
    result = check_named("ManagedResource", "shoot--a--b", "mcm", [*others, _RESOURCE])
    assert result.detail == (
        'managed resource "mcm" in namespace "shoot--a--b" is unhealthy: condition '
        "ResourcesApplied for managed resource shoot--a--b/mcm has not been reported yet"
    )


def test_a_check_of_a_healthy_object_succeeds() -> None:
    conditions = [
        {"type": kind, "status": "True"} for kind in ("ResourcesApplied", "ResourcesHealthy")
    ]
    healthy = {**_RESOURCE, "status": {"conditions": conditions}}
    result = check_named("ManagedResource", "shoot--a--b", "mcm", [healthy])
    assert result == CheckResult(status="True")


def test_an_object_that_does_not_decode_is_an_error() -> None:
    broken = {**_RESOURCE, "status": {"conditions": "none"}}
    assert check_named("ManagedResource", "shoot--a--b", "mcm", [broken]).error
