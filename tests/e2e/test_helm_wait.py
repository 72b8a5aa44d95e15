"""`helm install --wait` of Helm 4 ends as `celvet forecast --as helm4` says."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from celvet.lint.waiters import WAITERS
from tests.e2e.cluster import Cluster
from tests.e2e.helm_wait import HELM, Outcome, Subject, outcomes, serve, subjects

_LEAST_STATES, _LEAST_KINDS = 60, 20


def _forecast(subject: Subject) -> tuple[str, str]:
    judgement = WAITERS["helm4"].judge(subject.object, datetime.now(UTC))
    return judgement.effect, "" if judgement.effect == "ready" else judgement.status


def test_each_install_ends_as_forecast(cluster: Cluster) -> None:
    if not (cluster.programs / HELM).exists():
        pytest.skip(f"no {HELM}: `make e2e` builds it with Go")
    chosen = [*subjects()]
    serve(cluster, chosen)
    pairs: list[tuple[Subject, Outcome]] = [
        (subject, outcome)
        for subject, outcome in zip(chosen, outcomes(cluster, chosen), strict=True)
        if outcome.effect != "refused"
    ]
    wrong = [
        (subject.kind, subject.state, _forecast(subject), outcome)
        for subject, outcome in pairs
        if _forecast(subject) != (outcome.effect, outcome.status)
    ]
    assert wrong == []
    assert len(pairs) >= _LEAST_STATES
    assert len({subject.kind for subject, _ in pairs}) >= _LEAST_KINDS
