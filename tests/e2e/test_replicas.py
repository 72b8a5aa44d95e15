"""Two replicas: either is enough."""

from __future__ import annotations

import subprocess
import sys

import pytest
import yaml

from tests.charts.rendering import CHART
from tests.e2e.cluster import Cluster, until
from tests.e2e.pod import NAME
from tests.e2e.release import MANY, Release

_PODS = (f"{NAME}-0", f"{NAME}-1")


@pytest.mark.parametrize("name", _PODS)
def test_one_replica_is_enough(name: str, release: Release) -> None:
    """Both are tried alone: the API server keeps its connections, to whichever pod they lead."""
    [other] = {*_PODS} - {name}
    release.stop(other)

    def takes_all() -> bool:
        before = release.answered(name)
        return release.answers_many() and release.answered(name) >= before + MANY

    until(takes_all, release.log)
    assert release.answers_many()
    release.start(other)


def test_what_helm_test_runs(release: Release, cluster: Cluster) -> None:
    rendered = yaml.safe_load_all(cluster.helm("template", NAME, str(CHART)))
    container = next(each for each in rendered if each["kind"] == "Pod")["spec"]["containers"][0]
    port = release.pods[_PODS[0]].port
    command = [sys.executable, "-c", container["args"][0], f"https://127.0.0.1:{port}"]
    run = subprocess.run(command, check=True, capture_output=True, text=True)
    assert '"allowed": false' in run.stdout
