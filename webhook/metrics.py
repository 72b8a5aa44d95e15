"""Prometheus metrics. The only module that imports prometheus_client."""

from __future__ import annotations

import platform
from collections import Counter as Counted
from collections.abc import Callable, Container, Iterable, Mapping

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
)

from celvet.lint.model import GroupKind
from celvet.version import __version__
from celvet.webhook.judgement import FindingRecord

disable_created_metrics()  # type: ignore[no-untyped-call]
_BUCKETS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class Metrics:
    """The metrics of a server; `kinds` are those that become labels."""

    def __init__(self, kinds: Container[GroupKind] = frozenset()) -> None:
        self._kinds = kinds
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)
        self._requests = self._counter(
            "requests", "Reviews answered.", "kind", "operation", "verdict", "dry_run"
        )
        self._durations = Histogram(
            "celvet_request_duration_seconds",
            "Time to answer a review.",
            ("kind", "verdict"),
            buckets=_BUCKETS,
            registry=self._registry,
        )
        self._findings = self._counter("findings", "Findings.", "rule", "severity")
        self._would_deny = self._counter(
            "would_be_denials", "Errors that would deny if the mode were deny.", "rule"
        )
        self._errors = self._counter(
            "errors", "Reviews that were not linted, or only for errors.", "reason"
        )
        self._cache_hits = self._counter("cache_hits", "Judgements from the cache.")
        self._replacements = self._counter(
            "judging_processes_replaced", "Judging processes replaced.", "reason"
        )
        self._crds = self._gauge("crds", "CRDs that the rules know.")
        self._crds_updated = self._gauge(
            "crds_update_timestamp_seconds", "Last update of the CRDs, Unix time."
        )
        self._watch_errors = self._counter("crds_errors", "Failures to read the CRDs.")
        self._events = self._counter("events", "Kubernetes Events.", "result")
        self._stored = self._gauge("stored_objects", "Stored objects judged.", "verdict")
        self._stored_denied = self._gauge(
            "stored_objects_denied",
            "Stored objects that would be denied if they were written again.",
            "kind",
            "namespace",
        )
        self._audited = self._gauge(
            "audit_success_timestamp_seconds",
            "Last time that all stored objects were judged, Unix time.",
        )
        self._reloads = {name: self._reload_gauges(name) for name in ("config", "certificate")}
        build = self._gauge("build_info", "Versions.", "version", "python")
        build.labels(__version__, platform.python_version()).set(1)

    def observe(self, name: str, text: str, value: Callable[[], float]) -> None:
        """Add a gauge whose value is computed at each scrape."""
        self._gauge(name, text).set_function(value)

    def count_review(
        self, kind: GroupKind, operation: str, verdict: str, *, dry_run: bool, seconds: float
    ) -> None:
        """Count a review and its duration."""
        name = str(kind) if kind in self._kinds else "other"
        self._requests.labels(name, operation, verdict, str(dry_run).lower()).inc()
        self._durations.labels(name, verdict).observe(seconds)

    def count_findings(
        self, findings: Iterable[FindingRecord], would_deny: Iterable[FindingRecord]
    ) -> None:
        """Count findings, and those that a stricter mode would deny."""
        for labels, count in Counted(
            (finding.rule, str(finding.severity)) for finding in findings
        ).items():
            self._findings.labels(*labels).inc(count)
        for finding in would_deny:
            self._would_deny.labels(finding.rule).inc()

    def count_error(self, reason: str) -> None:
        """Count a review that was not linted, or not completely."""
        self._errors.labels(reason).inc()

    def count_cache_hit(self) -> None:
        """Count a judgement from the cache."""
        self._cache_hits.inc()

    def count_replacement(self, reason: str) -> None:
        """Count a judging process that was replaced."""
        self._replacements.labels(reason).inc()

    def count_event(self, result: str) -> None:
        """Count a Kubernetes Event: sent, limited or failed."""
        self._events.labels(result).inc()

    def record_reload(self, what: str, *, successful: bool) -> None:
        """Record whether the last reload of `config` or `certificate` succeeded."""
        outcome, moment = self._reloads[what]
        outcome.set(successful)
        if successful:
            moment.set_to_current_time()

    def set_crds(self, count: int, timestamp: float) -> None:
        """Set the number of CRDs and the time of their update, in Unix time."""
        self._crds.set(count)
        self._crds_updated.set(timestamp)

    def count_watch_error(self) -> None:
        """Count a failure to read the CRDs."""
        self._watch_errors.inc()

    def set_stored_objects(
        self, verdicts: Mapping[str, int], denied: Mapping[tuple[str, str], int], timestamp: float
    ) -> None:
        """Count stored objects by verdict, and those denied by kind and namespace."""
        for gauge, counts in (
            (self._stored, {(verdict,): count for verdict, count in verdicts.items()}),
            (self._stored_denied, denied),
        ):
            gauge.clear()
            for labels, count in counts.items():
                gauge.labels(*labels).set(count)
        self._audited.set(timestamp)

    def exposition(self) -> bytes:
        """All metrics in Prometheus' text format."""
        return generate_latest(self._registry)

    def _counter(self, name: str, text: str, *labels: str) -> Counter:
        return Counter(f"celvet_{name}", text, labels, registry=self._registry)

    def _gauge(self, name: str, text: str, *labels: str) -> Gauge:
        return Gauge(f"celvet_{name}", text, labels, registry=self._registry)

    def _reload_gauges(self, what: str) -> tuple[Gauge, Gauge]:
        return (
            self._gauge(f"{what}_last_reload_successful", f"Whether the last {what} was usable."),
            self._gauge(
                f"{what}_last_reload_success_timestamp_seconds",
                f"Last time that the {what} was usable, Unix time.",
            ),
        )
