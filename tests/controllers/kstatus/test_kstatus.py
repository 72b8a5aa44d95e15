from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given

from celvet.lint.controllers import kstatus
from celvet.lint.controllers.kstatus.builtin import RULES
from tests.controllers.table import cases, shown
from tests.controllers.values import objects

_CREATED = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
_KINDS = [(f"{key.rpartition('/')[0]}/v1".lstrip("/"), key.rpartition("/")[2]) for key in RULES]
_STATUSES = {"Current", "InProgress", "Failed", "Terminating", "Unknown"}


@cases("kstatus/kstatus")
def test_verdict(case: dict[str, Any]) -> None:
    assert shown(kstatus.compute(case["object"])) == case["expect"]


@pytest.mark.parametrize(
    ("seconds", "status"), [(0, "InProgress"), (14, "InProgress"), (15, "Failed"), (None, "Failed")]
)
def test_a_pod_may_wait_for_its_scheduler(seconds: int | None, status: str) -> None:
    unschedulable = {"type": "PodScheduled", "status": "False", "reason": "Unschedulable"}
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"creationTimestamp": "2026-01-02T03:04:05Z"},
        "status": {"phase": "Pending", "conditions": [unschedulable]},
    }
    now = None if seconds is None else _CREATED + timedelta(seconds=seconds)
    assert kstatus.compute(pod, now).status == status


def test_a_pod_of_unknown_age_has_waited_long_enough() -> None:
    unschedulable = {"type": "PodScheduled", "status": "False", "reason": "Unschedulable"}
    status = {"phase": "Pending", "conditions": [unschedulable]}
    pod = {"apiVersion": "v1", "kind": "Pod", "status": status}
    assert kstatus.compute(pod, _CREATED).reason == "PodUnschedulable"


@given(objects([*_KINDS, ("example.com/v1", "Thing")]))
def test_every_value_has_a_verdict(obj: Any) -> None:
    verdict = kstatus.compute(obj, _CREATED)
    assert verdict.status in _STATUSES
    assert bool(verdict.error) == (verdict.status == "Unknown")
