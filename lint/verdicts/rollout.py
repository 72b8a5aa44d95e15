"""A rollout in time: a controller's waits for changing objects, one retry after the other.

Mirrors how kustomize-controller v1.9.5 waits (`checkHealth`, with the poller of `fluxcd/pkg/ssa`):
it checks at once and then at intervals, acts only on what it sees then, and starts again after a
failed wait.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta

from celvet.lint.verdicts.evaluator import ClusterState, Evaluator
from celvet.lint.verdicts.verdict import IGNORED, Verdict
from celvet.record import record, replace

MOST_LOOKS = 10_000
"""How many looks of one wait are followed: 14 hours at five seconds."""

_NOT_STARTED = (IGNORED, "Stalled")


@record
class Wait:
    """One finished wait: its result, and what the controller saw at the last check.

    `begin` is the time of its first check, since that of the rollout; `took` is its duration.
    """

    verdict: Verdict
    cluster: ClusterState
    begin: timedelta
    took: timedelta

    @property
    def at(self) -> timedelta:
        """When it was over, since the first check of the rollout."""
        return self.begin + self.took


def waits(evaluator: Evaluator, seen: Callable[[timedelta], ClusterState]) -> Iterator[Wait]:
    """The waits until one succeeds; none without timing, or if nothing waits.

    `seen` gives the cluster at a time since the first check.
    """
    timing = evaluator.timing
    if timing.look is None or timing.timeout is None:
        return
    begin = timedelta()
    while wait := _wait(evaluator, seen, begin, timing.look, timing.timeout):
        yield wait
        if wait.verdict.end == "succeeded" or not timing.retry:
            return
        begin = wait.at + timing.retry


def _wait(
    evaluator: Evaluator,
    seen: Callable[[timedelta], ClusterState],
    begin: timedelta,
    look: timedelta,
    timeout: timedelta,
) -> Wait | None:
    """The wait that begins at a time, if there is one."""
    wait_time = timedelta()
    while True:
        cluster = replace(seen(begin + wait_time), waited=wait_time)
        verdict = evaluator.evaluate(cluster)
        if verdict.status in _NOT_STARTED:
            return None
        if verdict.end:
            return Wait(verdict, cluster, begin, wait_time)
        wait_time += look
        if wait_time >= timeout:
            # the last check decides, since none happens at the timeout itself
            cluster = replace(cluster, waited=timeout)
            return Wait(evaluator.evaluate(cluster), cluster, begin, timeout)
