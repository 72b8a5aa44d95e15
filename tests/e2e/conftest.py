"""End to end against a real API server: only where CELVET_E2E names its programs (`make e2e`)."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.cluster import Cluster
from tests.e2e.control_plane import control_plane
from tests.e2e.crds import definitions
from tests.e2e.flux.controller import KUSTOMIZE, Source
from tests.e2e.flux.fleet import fleet_in
from tests.e2e.release import Release

if "CELVET_E2E" not in os.environ:
    collect_ignore_glob = ["test_*.py"]

_numbers = itertools.count(1)


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """An API server with the kinds that celvet knows."""
    programs = Path(os.environ["CELVET_E2E"])
    with control_plane(programs, tmp_path_factory.mktemp("cluster")) as kubeconfig:
        cluster = Cluster(programs, kubeconfig)
        cluster.good("apply", "--server-side", "-f-", given=definitions())
        cluster.good("wait", "--for=condition=Established", "crd", "--all", "--timeout=300s")
        yield cluster


@pytest.fixture(scope="module")
def release(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Release]:
    """celvet as the chart installs it, with its two replicas."""
    with Release.installed(cluster, tmp_path_factory.mktemp("release")) as release:
        release.serve(replicas=2)
        yield release


@pytest.fixture
def namespace(cluster: Cluster) -> str:
    """A namespace of the test's own."""
    name = f"team-{next(_numbers)}"
    cluster.good("create", "namespace", name)
    return name


@pytest.fixture
def fleet(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Source]:
    """A cluster of its own for the controller that a module is about, and what it deploys from."""
    programs = Path(os.environ["CELVET_E2E"])
    asked = "program" in request.fixturenames
    default = getattr(request.module, "PROGRAM", KUSTOMIZE)
    program = request.getfixturevalue("program") if asked else default
    if not (programs / program).exists():
        pytest.skip(f"no {program}: `make e2e` builds it with Go")
    with fleet_in(programs, tmp_path) as source:
        yield source
