"""Prometheus metrics of several processes, exposed as one.

The only module that imports prometheus_client. Each process writes to its own files in a
shared directory. The files are named after the slot of the process and not after its
pid: a restarted worker continues the counters of the one before.
"""

from __future__ import annotations

import os
import platform
from collections import Counter as Counted
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from celvet.version import __version__
from celvet.webhook.lint_result import FindingRecord

_BUCKETS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class Metrics:
    """The metrics of one process; `slot` distinguishes it from others in the directory."""

    def __init__(self, directory: Path, slot: str) -> None:
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(directory)  # read when it is imported
        from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, values

        values.ValueClass = values.MultiProcessValue(lambda: slot)  # type: ignore[no-untyped-call]
        self._slot = slot
        own: dict[str, Any] = {"registry": CollectorRegistry(), "namespace": "celvet"}
        labels = ("kind", "operation", "allowed", "dry_run")
        self._requests = Counter("requests", "Reviews answered.", labels, **own)
        self._durations = Histogram(
            "request_duration_seconds", "Time to answer a review.", buckets=_BUCKETS, **own
        )
        self._findings = Counter(
            "findings", "Findings in reviewed objects.", ("rule", "severity"), **own
        )
        self._errors = Counter("errors", "Reviews that were not linted.", ("reason",), **own)
        self._restarts = Counter("worker_restarts", "Workers restarted.", **own)
        self._expiry = Gauge(
            "certificate_expiry_timestamp_seconds",
            "End of the serving certificate, Unix time.",
            ("worker",),
            multiprocess_mode="max",
            **own,
        )
        self._crds = Gauge(
            "crds", "CRDs that the rules know.", ("worker",), multiprocess_mode="max", **own
        )
        self._crds_updated = Gauge(
            "crds_update_timestamp_seconds",
            "Last update of the CRDs, Unix time.",
            ("worker",),
            multiprocess_mode="max",
            **own,
        )
        self._watch_errors = Counter("crds_errors", "Failures to read the CRDs.", **own)
        info = ("version", "python")
        build = Gauge("build_info", "Versions.", info, multiprocess_mode="max", **own)
        build.labels(__version__, platform.python_version()).set(1)

    def answered(
        self, kind: str, operation: str, *, allowed: bool, dry_run: bool, seconds: float
    ) -> None:
        """Count a review and its duration."""
        flags = (str(flag).lower() for flag in (allowed, dry_run))
        self._requests.labels(kind, operation, *flags).inc()
        self._durations.observe(seconds)

    def found(self, findings: Iterable[FindingRecord]) -> None:
        """Count findings."""
        for labels, count in Counted((each.rule, str(each.severity)) for each in findings).items():
            self._findings.labels(*labels).inc(count)

    def failed(self, reason: str) -> None:
        """Count a review that was not linted."""
        self._errors.labels(reason).inc()

    def restarted(self) -> None:
        """Count a restart of a worker."""
        self._restarts.inc()

    def set_crds(self, count: int, timestamp: float) -> None:
        """Set the number of CRDs and the time of their update, in Unix time."""
        self._crds.labels(self._slot).set(count)
        self._crds_updated.labels(self._slot).set(timestamp)

    def failed_to_watch(self) -> None:
        """Count a failure to read the CRDs."""
        self._watch_errors.inc()

    def set_certificate_expiry(self, timestamp: float) -> None:
        """Set the end of the serving certificate, in Unix time."""
        self._expiry.labels(self._slot).set(timestamp)


def exposition(directory: Path) -> bytes:
    """The metrics of all processes of a directory, in Prometheus' text format."""
    from prometheus_client import CollectorRegistry, generate_latest
    from prometheus_client.multiprocess import MultiProcessCollector

    registry = CollectorRegistry()
    MultiProcessCollector(registry, str(directory))  # type: ignore[no-untyped-call]
    return generate_latest(registry)
