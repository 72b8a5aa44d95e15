from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from celvet.lint.controllers.gardener.aggregation import aggregate, documented_success
from celvet.lint.controllers.gardener.checks import CheckResult
from celvet.lint.controllers.gardener.extension import examine
from celvet.lint.controllers.gardener.shoot_condition import counted_conditions
from celvet.lint.verdicts.evaluator import ClusterState
from tests.controllers.table import cases, shown
from tests.controllers.values import ANYTHING, CONDITION, one_of, some

_NOW = datetime(2026, 1, 2, 3, 10, tzinfo=UTC)
_TRUE = CheckResult(status="True")
_CLUSTER = ClusterState(objects=(), now=_NOW)


def _with_shoot(shoot: Any) -> ClusterState:
    return ClusterState(objects=(), now=_NOW, settings={"shoot": shoot})


def _result(check: dict[str, Any]) -> CheckResult:
    seconds = check.pop("threshold", None)
    return CheckResult(**check, threshold=seconds and timedelta(seconds=seconds))


@cases("gardener/conditions")
def test_condition(case: dict[str, Any]) -> None:
    results = [_result(dict(check)) for check in case["checks"]]
    assert shown(aggregate(results, case.get("old"), _NOW)) == case["expect"]


def test_the_documents_count_the_checks() -> None:
    assert documented_success([_TRUE, _TRUE]) == "(2/2) Health checks successful"


@pytest.mark.parametrize(
    "extension",
    [
        {"metadata": {"deletionTimestamp": "2026-01-02T03:04:05Z"}},
        {"metadata": {"annotations": {"gardener.cloud/operation": "migrate"}}},
        {"status": {"lastOperation": {"type": "Migrate"}}},
    ],
)
def test_an_extension_deleted_or_migrated_is_not_checked(extension: Any) -> None:
    assert examine(extension, "A", [_TRUE], _CLUSTER) is None


@pytest.mark.parametrize(
    ("extension", "enabled", "message"),
    [
        ({}, True, "Shoot is hibernated"),
        ({"spec": {"class": "shoot"}}, True, "Shoot is hibernated"),
        ({"spec": {"class": "seed"}}, True, "All health checks successful"),
        ({}, False, "All health checks successful"),
        ({}, None, "All health checks successful"),
    ],
)
def test_the_extensions_of_a_hibernated_shoot_are_healthy(
    extension: Any, enabled: Any, message: str
) -> None:
    verdict = examine(
        extension, "A", [_TRUE], _with_shoot({"spec": {"hibernation": {"enabled": enabled}}})
    )
    assert verdict is not None
    assert (verdict.status, verdict.reason) == ("True", "HealthCheckSuccessful")
    assert verdict.message == message


def test_hibernation_hides_a_failure() -> None:
    cluster = _with_shoot({"spec": {"hibernation": {"enabled": True}}})
    verdict = examine({}, "A", [CheckResult(status="False", detail="d")], cluster)
    assert verdict is not None
    assert verdict.status == "True"


@pytest.mark.parametrize(
    ("spec", "label", "types"),
    [
        ({}, None, ["SystemComponentsHealthy"]),
        ({"class": None}, "ControlPlaneHealthy", ["SystemComponentsHealthy"]),
        ({"class": "seed"}, None, ["ControlPlaneHealthy"]),
        ({"class": ""}, "", ["ControlPlaneHealthy"]),
        ({"class": "seed"}, "ControlPlaneHealthy", ["ControlPlaneHealthy"]),
        ({"class": "seed"}, "SystemComponentsHealthy", ["SystemComponentsHealthy"]),
        ({"class": "seed"}, "ObservabilityComponentsHealthy", ["ObservabilityComponentsHealthy"]),
        (
            {},
            "ObservabilityComponentsHealthy",
            ["SystemComponentsHealthy", "ObservabilityComponentsHealthy"],
        ),
        ({"class": "seed"}, "EveryNodeReady", []),
        ({"class": "seed"}, "Mine", []),
    ],
)
def test_conditions_of_the_shoot_that_a_managed_resource_counts_for(
    spec: Any, label: str | None, types: list[str]
) -> None:
    labels = {} if label is None else {"care.gardener.cloud/condition-type": label}
    resource = {"kind": "ManagedResource", "metadata": {"labels": labels}, "spec": spec}
    assert list(counted_conditions(resource)) == types


_RESULT = st.builds(
    CheckResult,
    status=one_of("True", "False", "Progressing"),
    detail=st.text(max_size=3),
    threshold=st.none() | st.timedeltas(timedelta(), timedelta(hours=1)),
    error=one_of("", "", "e"),
)
_EXTENSION = some(
    {
        "spec": some({"class": one_of("shoot", "seed")}),
        "status": some({"conditions": st.lists(CONDITION | ANYTHING, max_size=3)}),
    }
)


@given(_EXTENSION | ANYTHING, st.lists(_RESULT, max_size=4), ANYTHING)
def test_every_extension_has_a_verdict(extension: Any, results: Any, shoot: Any) -> None:
    verdict = examine(extension, "Ready", results, _with_shoot(shoot))
    assert verdict is None or verdict.status in ("True", "False", "Progressing", "Unknown")
