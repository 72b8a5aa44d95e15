"""A rollout in time: the waits of a controller for objects that change, one retry after the other.

Mirrors how kustomize-controller v1.9.5 waits (`checkHealth`, with the poller of
`fluxcd/pkg/ssa`): it looks at once and then at intervals, acts on what it sees there
alone, and after a failed wait starts again.
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

    `begin` is its first look, since the first of the rollout; `took` the time from then on.
    """

    verdict: Verdict
    cluster: ClusterState
    begin: timedelta
    took: timedelta

    @property
    def at(self) -> timedelta:
        """When it was over, since the first look of the rollout."""
        return self.begin + self.took


def waits(evaluator: Evaluator, seen: Callable[[timedelta], ClusterState]) -> Iterator[Wait]:
    """The waits until one succeeds; none without timing, or if nobody waits.

    `seen` gives the cluster at a time since the first check.
    """
    timing = evaluator.timing
    if timing.look is None or timing.timeout is None:
        return
    begin = timedelta()
    while wait := _wait(evaluator, seen, begin, timing.look, timing.timeout):
        yield wait
        if wait.verdict.end == "succeeded" or timing.retry is None:
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
    waited = timedelta()
    while True:
        cluster = replace(seen(begin + waited), waited=waited)
        verdict = evaluator.evaluate(cluster)
        if verdict.status in _NOT_STARTED:
            return None
        if verdict.end:
            return Wait(verdict, cluster, begin, waited)
        waited += look
        if waited >= timeout:
            # What the last look has seen counts: none falls on the timeout itself.
            cluster = replace(cluster, waited=timeout)
            return Wait(evaluator.evaluate(cluster), cluster, begin, timeout)
