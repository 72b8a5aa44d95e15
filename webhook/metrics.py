"""Prometheus metrics of several processes, read as one.

The only module that knows prometheus_client. Each process writes to files of its
own in a shared directory. The files are named after the place of the process and
not after its pid: the successor of one that died counts on in the same files.
"""

from __future__ import annotations

import os
import platform
from collections import Counter as Counted
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from celvet.version import __version__
from celvet.webhook.lint_result import Objection

_BUCKETS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class Metrics:
    """What one process counts; `place` tells it from the others that share the directory."""

    def __init__(self, directory: Path, place: str) -> None:
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(directory)  # read when it is imported
        from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, values

        values.ValueClass = values.MultiProcessValue(lambda: place)  # type: ignore[no-untyped-call]
        self._place = place
        own: dict[str, Any] = {"registry": CollectorRegistry(), "namespace": "celvet"}
        labels = ("kind", "operation", "allowed", "dry_run")
        self._requests = Counter("requests", "Reviews answered.", labels, **own)
        self._durations = Histogram(
            "request_duration_seconds", "Time to answer a review.", buckets=_BUCKETS, **own
        )
        self._findings = Counter(
            "findings", "Findings in reviewed objects.", ("rule", "severity"), **own
        )
        self._errors = Counter("errors", "Reviews not judged.", ("reason",), **own)
        self._restarts = Counter("worker_restarts", "Workers started anew.", **own)
        self._expiry = Gauge(
            "certificate_expiry_timestamp_seconds",
            "End of the serving certificate, Unix time.",
            ("worker",),
            multiprocess_mode="max",
            **own,
        )
        self._kinds = Gauge(
            "crds", "CRDs that the rules know.", ("worker",), multiprocess_mode="max", **own
        )
        self._told = Gauge(
            "crds_update_timestamp_seconds",
            "When something was last heard of the CRDs, Unix time.",
            ("worker",),
            multiprocess_mode="max",
            **own,
        )
        self._watch_errors = Counter("crds_errors", "Failures to read the CRDs.", **own)
        info = ("version", "python")
        build = Gauge("build_info", "What runs.", info, multiprocess_mode="max", **own)
        build.labels(__version__, platform.python_version()).set(1)

    def answered(
        self, kind: str, operation: str, *, allowed: bool, dry_run: bool, seconds: float
    ) -> None:
        """Count a review and the time that it took."""
        flags = (str(flag).lower() for flag in (allowed, dry_run))
        self._requests.labels(kind, operation, *flags).inc()
        self._durations.observe(seconds)

    def found(self, objections: Iterable[Objection]) -> None:
        """Count what was found."""
        for labels, count in Counted(
            (each.rule, str(each.severity)) for each in objections
        ).items():
            self._findings.labels(*labels).inc(count)

    def failed(self, reason: str) -> None:
        """Count a review that was not judged."""
        self._errors.labels(reason).inc()

    def restarted(self) -> None:
        """Count a worker that had to be started anew."""
        self._restarts.inc()

    def knows_kinds(self, count: int, timestamp: float) -> None:
        """Set how many CRDs are known, and when they were heard of, in Unix time."""
        self._kinds.labels(self._place).set(count)
        self._told.labels(self._place).set(timestamp)

    def failed_to_watch(self) -> None:
        """Count a failure to read the CRDs."""
        self._watch_errors.inc()

    def serves_until(self, timestamp: float) -> None:
        """Set the end of the serving certificate, in Unix time."""
        self._expiry.labels(self._place).set(timestamp)


def exposition(directory: Path) -> bytes:
    """What all processes of a directory counted, as Prometheus reads it."""
    from prometheus_client import CollectorRegistry, generate_latest
    from prometheus_client.multiprocess import MultiProcessCollector

    registry = CollectorRegistry()
    MultiProcessCollector(registry, str(directory))  # type: ignore[no-untyped-call]
    return generate_latest(registry)
