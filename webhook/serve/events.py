"""Kubernetes Events on objects with findings, for users whom warnings do not reach.

kustomize-controller and helm-controller apply objects for users and do not pass on admission
warnings. Events are optional, and no review waits for them.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter, OrderedDict
from collections.abc import Container
from typing import Any, Protocol

from celvet.certs.clock import Clock
from celvet.certs.errors import StoreError
from celvet.certs.references import ResourceName
from celvet.webhook.decide.admission import AdmissionDecision
from celvet.webhook.decide.review import Review
from celvet.webhook.metrics import Metrics

_log = logging.getLogger(__name__)

_MAX_MESSAGE = 1024
"""Characters: the limit of an Event (`pkg/apis/core/validation/events.go`)."""

_PAUSE = 1.0
"""Seconds between two Events, and from a review to its Event: the object is stored by then."""

_WAITING = 50
_SHARE = 10
"""Events of one namespace that may wait."""

_REPEATED_AFTER = 3600.0
"""Seconds until the same findings of an object are reported again."""

_REMEMBERED = 2000


class EventSink(Protocol):
    """An API server; raises `StoreError`."""

    async def create_event(self, namespace: str, event: dict[str, Any]) -> None:
        """Create an Event in a namespace, about an object there."""
        ...

    async def uid(self, reference: ResourceName) -> str:
        """The uid of an object; empty if it does not exist."""
        ...


class EventRecorder:
    """Sends an Event for each object that is denied, warned about or not checked.

    At most one Event per second, and the same findings of an object once an hour. When too many
    wait, or too many of a namespace, new ones are dropped and counted. There is none in the
    `excluded` namespaces, and none for an object that does not exist a second later: whoever
    reaches the port can forge a review, and a denied object is not created.
    """

    def __init__(
        self,
        sink: EventSink,
        metrics: Metrics,
        clock: Clock | None = None,
        excluded: Container[str] = (),
    ) -> None:
        self._sink = sink
        self._excluded = excluded
        self._metrics = metrics
        self._clock = clock or Clock()
        self._waiting: asyncio.Queue[tuple[ResourceName, dict[str, Any]]] = asyncio.Queue(_WAITING)
        self._waiting_by_namespace: Counter[str] = Counter()
        self._reported: OrderedDict[tuple[str, ...], float] = OrderedDict()
        self._problem = ""

    def record(self, review: Review, decision: AdmissionDecision) -> None:
        """Queue an Event about a review that denies, warns or was not checked; returns at once."""
        notable = decision.denials or decision.warnings or decision.failure_warning
        if not notable or review.dry_run or not review.name or not review.object_uid:
            return
        # Names are kept, so those that no API server has must not be: they have any length.
        if review.namespace in self._excluded or not _name_of(review).valid:
            return
        if not self._is_new(review, decision):
            return
        if self._waiting.full() or self._waiting_by_namespace[review.namespace] >= _SHARE:
            self._metrics.count_event("dropped")
            return
        self._waiting_by_namespace[review.namespace] += 1
        self._waiting.put_nowait((_name_of(review), self._event(review, decision)))

    async def run(self) -> None:
        """Send the queued Events, until cancelled."""
        while True:
            name, event = await self._waiting.get()
            await self._clock.sleep(_PAUSE)
            self._waiting_by_namespace -= Counter([name.namespace])
            try:
                if await self._sink.uid(name) != event["involvedObject"]["uid"]:
                    self._metrics.count_event("no-object")
                    continue
                await self._sink.create_event(name.namespace, event)
                self._metrics.count_event("sent")
                self._problem = ""
            except StoreError as error:
                self._metrics.count_event("failed")
                if str(error) != self._problem:
                    _log.error("%s", error)
                self._problem = str(error)

    def _is_new(self, review: Review, decision: AdmissionDecision) -> bool:
        key = (str(review.kind), review.namespace, review.name, _message(decision))
        now = self._clock.now().timestamp()
        if 0 <= now - self._reported.pop(key, -_REPEATED_AFTER) < _REPEATED_AFTER:
            self._reported[key] = now
            return False
        self._reported[key] = now
        if len(self._reported) > _REMEMBERED:
            self._reported.popitem(last=False)
        return True

    def _event(self, review: Review, decision: AdmissionDecision) -> dict[str, Any]:
        now = self._clock.now().strftime("%Y-%m-%dT%H:%M:%SZ")
        group = f"{review.kind.group}/" if review.kind.group else ""
        involved_object = {
            "apiVersion": f"{group}{review.version}",
            "kind": review.kind.kind,
            "namespace": review.namespace,
            "name": review.name,
            "uid": review.object_uid,
        }
        return {
            "metadata": {"generateName": "celvet-", "namespace": review.namespace},
            "involvedObject": involved_object,
            "reason": _REASONS[decision.verdict],
            "message": _message(decision),
            "type": "Warning",
            "source": {"component": "celvet"},
            "firstTimestamp": now,
            "lastTimestamp": now,
            "count": 1,
        }


_REASONS = {
    "denied": "ExpressionDenied",
    "would-be-denied": "ExpressionWouldBeDenied",
    "allowed": "ExpressionWarning",
    "unjudged": "ExpressionNotChecked",
}


def _name_of(review: Review) -> ResourceName:
    api_version = f"{review.kind.group}/{review.version}".removeprefix("/")
    return ResourceName(
        api_version, review.kind.kind, review.resource, review.namespace, review.name
    )


def _message(decision: AdmissionDecision) -> str:
    findings = decision.denials or decision.warnings
    return (decision.failure_warning or "; ".join(finding.summary for finding in findings))[
        :_MAX_MESSAGE
    ]
