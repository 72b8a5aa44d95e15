"""The result of waiting for objects to become ready.

Mirrors `WaitForSetWithContext` of `fluxcd/pkg/ssa` (v0.78) and the status aggregator of kstatus,
which Flux and Flux Operator both use.
"""

from __future__ import annotations

from collections.abc import Sequence

from celvet.lint.model import Value
from celvet.lint.verdicts.unstructured import text_or
from celvet.lint.verdicts.verdict import End, Verdict
from celvet.record import replace

MISSING = Verdict(status="NotFound", message="Resource not found")
"""The verdict on an object that does not exist."""


def wait_verdict(
    objects: Sequence[Value], verdicts: Sequence[Verdict], *, over: bool, fail_fast: bool = True
) -> tuple[Verdict, str]:
    """The verdict on all objects together from those on each, and the error of the wait.

    A single object keeps its own verdict. `over` says that the time to wait is over; the error is
    empty while the wait continues, or once all are ready. With `fail_fast` one failed object ends
    it.
    """
    verdict = verdicts[0] if len(verdicts) == 1 else Verdict(status=aggregate(verdicts))
    end = _end(
        {object_verdict.status for object_verdict in verdicts}, over=over, fail_fast=fail_fast
    )
    return replace(verdict, end=end), _error(end, [*map(name_of, objects)], verdicts)


def aggregate(verdicts: Sequence[Verdict]) -> str:
    """The status of all together: Failed if any is, else Unknown if any is, Current if all are."""
    statuses = {verdict.status for verdict in verdicts}
    for status in ("Failed", "Unknown"):
        if status in statuses:
            return status
    return "InProgress" if statuses - {"Current"} else "Current"


def decisive_index(verdicts: Sequence[Verdict]) -> int:
    """The index of the verdict that decides the result of `aggregate`: the first of the worst."""
    return min(range(len(verdicts)), key=lambda index: _rank(verdicts[index]))


def _end(statuses: set[str], *, over: bool, fail_fast: bool) -> End:
    """How the wait ends: with only failed and current objects, it fails in any case."""
    if statuses == {"Current"}:
        return "succeeded"
    if "Failed" in statuses and (fail_fast or statuses <= {"Failed", "Current"}):
        return "failed"
    return "timed out" if over else ""


def _error(end: End, names: Sequence[str], verdicts: Sequence[Verdict]) -> str:
    """The message of a failed wait; if failed objects ended it, it names only these."""
    pairs = list(zip(names, verdicts, strict=True))
    if end == "failed":
        failed = [_status_words(name, item) for name, item in pairs if item.status == "Failed"]
        return f"failed early due to stalled resources: [{', '.join(failed)}]"
    if end == "timed out":
        late = [_status_words(name, item) for name, item in pairs if item.status != "Current"]
        return f"timeout waiting for: [{', '.join(late)}]"
    return ""


def name_of(obj: Value) -> str:
    """`kind/namespace/name`, as Flux names an object."""
    namespace, name = (text_or("", obj, "metadata", key) for key in ("namespace", "name"))
    return "/".join(filter(None, (text_or("", obj, "kind"), namespace, name)))


def _rank(verdict: Verdict) -> int:
    ranks = {"Failed": 0, "Unknown": 1, "Current": 3}
    return ranks.get(verdict.status, 2)


def _status_words(name: str, verdict: Verdict) -> str:
    because = f": {verdict.error}" if verdict.error else ""
    return f"{name} status: '{verdict.status}'{because}"
