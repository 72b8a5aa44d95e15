"""Two replicas: both answer, either is enough."""

from __future__ import annotations

import subprocess
import sys

import yaml

from tests.charts.rendering import CHART
from tests.e2e.cluster import Cluster, until
from tests.e2e.pod import NAME
from tests.e2e.release import Release

_PODS = (f"{NAME}-0", f"{NAME}-1")


def test_both_replicas_answer(release: Release) -> None:
    """Requests at the same time need connections, and those lead anywhere."""

    def both() -> bool:
        assert release.answers_many()
        return all("celvet_requests_total{" in release.metrics(name) for name in _PODS)

    until(both, release.log)


def test_one_replica_is_enough(release: Release) -> None:
    release.stop(_PODS[0])
    assert release.answers_many()
    release.start(_PODS[0])
    release.stop(_PODS[1])
    until(release.answers, release.log)
    release.start(_PODS[1])


def test_what_helm_test_runs(release: Release, cluster: Cluster) -> None:
    rendered = yaml.safe_load_all(cluster.helm("template", NAME, str(CHART)))
    container = next(each for each in rendered if each["kind"] == "Pod")["spec"]["containers"][0]
    port = release.pods[_PODS[0]].port
    command = [sys.executable, "-c", container["args"][0], f"https://127.0.0.1:{port}"]
    run = subprocess.run(command, check=True, capture_output=True, text=True)
    assert '"allowed": false' in run.stdout
