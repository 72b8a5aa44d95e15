"""Events on objects: their texts and their rate."""

from __future__ import annotations

import asyncio
import json
import tracemalloc
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from celvet.certs.clock import Clock
from celvet.certs.errors import StoreError
from celvet.certs.references import ResourceName
from celvet.webhook.decide.policy import AdmissionPolicy, Mode
from celvet.webhook.decide.review import peek
from celvet.webhook.metrics import Metrics
from celvet.webhook.serve import events
from celvet.webhook.serve.events import EventRecorder
from tests.webhook.inline_judge import decide
from tests.webhook.reviews import kustomization, review


class Sink:
    """Keeps Events, or fails."""

    def __init__(self) -> None:
        self.events: list[dict[str, Any]] = []
        self.failing = False
        self.uids: dict[str, str] = {}
        self.moment = datetime(2026, 1, 1, tzinfo=UTC)
        self.metrics = Metrics()
        clock = replace(Clock(), now=lambda: self.moment, sleep=self._sleep)
        self.recorder = EventRecorder(self, self.metrics, clock, {"kube-system"})

    async def _sleep(self, _: float) -> None:
        await asyncio.sleep(0)

    async def uid(self, name: ResourceName) -> str:
        if self.failing:
            raise StoreError("cannot get Kustomization: forbidden")
        assert name.valid
        assert name.resource == "things"
        return self.uids.get(name.name, "the-uid")

    async def create_event(self, namespace: str, event: dict[str, Any]) -> None:
        if self.failing:
            raise StoreError("cannot create an Event: forbidden")
        assert namespace == event["metadata"]["namespace"]
        self.events.append(event)

    def review(self, text: str, mode: Mode = Mode.DENY, **fields: Any) -> None:
        value = kustomization(text)
        value["metadata"]["uid"] = "the-uid"
        body = json.dumps(review(value, **fields)).encode()
        self.recorder.record(peek(body), decide(body, AdmissionPolicy(enforce=mode)))

    def sent(self) -> list[str]:
        """The reasons of the waiting Events that are sent."""
        before = len(self.events)

        async def main() -> None:
            running = asyncio.create_task(self.recorder.run())
            for _ in range(400):
                await asyncio.sleep(0)
            running.cancel()

        asyncio.run(main())
        return [each["reason"] for each in self.events[before:]]


def test_what_an_event_says() -> None:
    sink = Sink()
    sink.review("status.a ==")
    assert sink.sent() == ["ExpressionDenied"]
    (event,) = sink.events
    assert event["involvedObject"] == {
        "apiVersion": "kustomize.toolkit.fluxcd.io/v1",
        "kind": "Kustomization",
        "namespace": "flux-system",
        "name": "apps",
        "uid": "the-uid",
    }
    assert event["message"].startswith("spec.healthCheckExprs[0].current: ")
    assert event["type"] == "Warning"


def test_no_event_without_a_need() -> None:
    sink = Sink()
    sink.review("status.a ==", Mode.WARN)
    sink.review("status.b == 1", name="good")
    sink.review("status.c ==", Mode.AUDIT, name="audited")
    sink.review("status.d ==", dryRun=True, name="dry-run")
    assert sink.sent() == ["ExpressionWouldBeDenied"]


def test_no_event_on_an_object_that_does_not_exist() -> None:
    sink = Sink()
    sink.uids = {"gone": "", "replaced": "another-uid"}
    for name in ("gone", "replaced", "there"):
        sink.review("status.a ==", name=name)
    assert sink.sent() == ["ExpressionDenied"]
    assert sink.events[0]["involvedObject"]["name"] == "there"
    assert 'celvet_events_total{result="no-object"} 2.0' in sink.metrics.exposition().decode()


def test_none_in_a_namespace_that_is_excluded() -> None:
    sink = Sink()
    sink.review("status.a ==", namespace="kube-system")
    assert sink.sent() == []


@pytest.mark.parametrize("field", ["namespace", "name"])
def test_a_name_that_no_object_has_is_not_kept(field: str) -> None:
    sink = Sink()
    tracemalloc.start()
    try:
        for number in range(40):
            sink.review("status.a ==", **{field: f"{number}" * 20_000})
        assert tracemalloc.get_traced_memory()[0] < 1 << 20
    finally:
        tracemalloc.stop()
    assert sink.sent() == []


@pytest.mark.parametrize(
    "change",
    [
        {"api_version": "../v1"},
        {"api_version": "a/b/v1"},
        {"resource": "secrets/x"},
        {"resource": ""},
        {"namespace": ".."},
        {"name": "../../secrets"},
        {"name": "a?b"},
        {"name": "a" * 254},
    ],
)
def test_no_part_of_a_name_leads_elsewhere(change: dict[str, str]) -> None:
    name = ResourceName("example.com/v1", "Thing", "things", "team", "a.b-c")
    assert name.valid
    assert name._replace(api_version="v1").valid
    assert not name._replace(**change).valid


def test_the_same_is_reported_once_an_hour() -> None:
    sink = Sink()
    for _ in range(3):
        sink.review("status.a ==")
    assert len(sink.sent()) == 1
    for change in (timedelta(hours=2), timedelta(days=-400)):  # or a clock that is set back
        sink.moment += change
        sink.review("status.a ==")
        assert len(sink.sent()) == 1


def test_of_many_the_newest_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "_REMEMBERED", 2)
    sink = Sink()
    for name in ("a", "b", "a", "b"):
        sink.review("status.a ==", name=name)
    assert len(sink.sent()) == 2
    for name in ("c", "b", "a"):
        sink.review("status.a ==", name=name)
    sink.sent()
    assert [each["involvedObject"]["name"] for each in sink.events] == ["a", "b", "c", "a"]


def test_too_many_are_dropped_and_counted() -> None:
    sink = Sink()
    for number in range(60):
        sink.review("status.a ==", name=f"n{number}", namespace=f"team-{number % 4}")
    assert len(sink.sent()) == 40  # ten of each namespace
    assert 'celvet_events_total{result="dropped"} 20.0' in sink.metrics.exposition().decode()


def test_a_failure_is_counted_and_the_next_one_is_sent() -> None:
    sink = Sink()
    sink.failing = True
    sink.review("status.a ==")
    assert sink.sent() == []
    assert 'celvet_events_total{result="failed"} 1.0' in sink.metrics.exposition().decode()
    sink.failing = False
    sink.review("status.a ==", name="other")
    assert sink.sent() == ["ExpressionDenied"]
