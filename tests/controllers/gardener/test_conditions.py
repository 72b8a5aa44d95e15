from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from celvet.lint.controllers import gardener
from celvet.lint.controllers.gardener import CheckResult
from tests.controllers.table import cases, shown
from tests.controllers.values import ANYTHING, CONDITION, one_of, some

_NOW = datetime(2026, 1, 2, 3, 10, tzinfo=UTC)
_PROGRESSING = CheckResult(status="Progressing", detail="p", threshold=timedelta(minutes=5))
_TRUE = CheckResult(status="True")


def _result(check: dict[str, Any]) -> CheckResult:
    seconds = check.pop("threshold", None)
    return CheckResult(**check, threshold=seconds and timedelta(seconds=seconds))


@cases("gardener/conditions")
def test_condition(case: dict[str, Any]) -> None:
    results = [_result(dict(check)) for check in case["checks"]]
    assert shown(gardener.aggregate(results, case.get("old"), _NOW)) == case["expect"]


def test_the_documents_count_the_checks() -> None:
    assert gardener.documented_success([_TRUE, _TRUE]) == "(2/2) Health checks successful"


def test_every_condition_type_has_its_own_verdict() -> None:
    results = {"EveryNodeReady": [_TRUE, _PROGRESSING], "SystemComponentsHealthy": [_TRUE]}
    verdicts = gardener.examine({"kind": "Worker"}, results, _NOW)
    assert {kind: verdict.status for kind, verdict in verdicts.items()} == {
        "EveryNodeReady": "Progressing",
        "SystemComponentsHealthy": "True",
    }


def test_progress_runs_out_while_the_conditions_are_written() -> None:
    worker: Any = {"kind": "Worker", "status": {"conditions": [{"type": "Other"}]}}
    told = []
    for minutes in (0, 3, 5, 6, 7):
        now = _NOW + timedelta(minutes=minutes)
        verdicts = gardener.examine(worker, {"EveryNodeReady": [_PROGRESSING]}, now)
        worker = gardener.with_conditions(worker, verdicts, now)
        told.append(verdicts["EveryNodeReady"].status)
    assert told == ["Progressing", "Progressing", "Progressing", "False", "False"]
    assert worker["status"]["conditions"] == [
        {"type": "Other"},
        {
            "type": "EveryNodeReady",
            "status": "False",
            "reason": "HealthCheckUnsuccessful",
            "message": "p.",
            "lastTransitionTime": "2026-01-02T03:16:00Z",
            "lastUpdateTime": "2026-01-02T03:16:00Z",
        },
    ]


def test_a_new_message_moves_only_the_time_of_the_update() -> None:
    verdicts = gardener.examine({}, {"A": [CheckResult(status="False", detail="a")]}, _NOW)
    worker = gardener.with_conditions({}, verdicts, _NOW)
    later = _NOW + timedelta(seconds=30)
    verdicts = gardener.examine(worker, {"A": [CheckResult(status="False", detail="b")]}, later)
    (condition,) = gardener.with_conditions(worker, verdicts, later)["status"]["conditions"]
    assert condition["lastTransitionTime"] == "2026-01-02T03:10:00Z"
    assert condition["lastUpdateTime"] == "2026-01-02T03:10:30Z"


@pytest.mark.parametrize(
    "extension",
    [
        {"metadata": {"deletionTimestamp": "2026-01-02T03:04:05Z"}},
        {"metadata": {"annotations": {"gardener.cloud/operation": "migrate"}}},
        {"status": {"lastOperation": {"type": "Migrate"}}},
    ],
)
def test_an_extension_deleted_or_migrated_is_not_checked(extension: Any) -> None:
    assert gardener.examine(extension, {"A": [_TRUE]}, _NOW) == {}


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
    shoot = {"spec": {"hibernation": {"enabled": enabled}}}
    verdict = gardener.examine(extension, {"A": [_TRUE]}, _NOW, shoot)["A"]
    assert (verdict.status, verdict.reason) == ("True", "HealthCheckSuccessful")
    assert verdict.message == message


def test_hibernation_hides_a_failure() -> None:
    shoot = {"spec": {"hibernation": {"enabled": True}}}
    failing = {"A": [CheckResult(status="False", detail="d")]}
    assert gardener.examine({}, failing, _NOW, shoot)["A"].status == "True"


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
    assert list(gardener.counted_conditions(resource)) == types


def test_a_workerless_shoot_has_no_nodes_to_be_ready() -> None:
    everything = gardener.condition_types()
    assert "EveryNodeReady" in everything
    assert len(everything) == 4
    assert gardener.condition_types({"spec": {"provider": {"workers": [{}]}}}) == everything
    assert "EveryNodeReady" not in gardener.condition_types({"spec": {"provider": {}}})


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
def test_every_extension_has_verdicts(extension: Any, results: Any, shoot: Any) -> None:
    verdicts = gardener.examine(extension, {"Ready": results, "A": results}, _NOW, shoot)
    if any(verdict.error for verdict in verdicts.values()):
        return
    written = gardener.with_conditions(extension, verdicts, _NOW)
    given = reversed(written["status"]["conditions"])  # of several of a type the first counts
    conditions = {item.get("type"): item for item in given if item}
    assert all(conditions[kind]["status"] == item.status for kind, item in verdicts.items())
