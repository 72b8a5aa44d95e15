"""The controller answers each recorded case as it did; tests/controllers asks celvet the same."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conformance.answer import Vector
from tests.conformance.run import vectors
from tests.e2e.cluster import Cluster
from tests.e2e.control_plane import control_plane
from tests.e2e.crds import anything
from tests.e2e.flux.controller import NAMESPACE, PROGRAM, Source, controller, source
from tests.e2e.flux.replay import Ends, gated, prepare_dependencies, reconciled
from tests.e2e.flux.rollouts import rolled_out

_RECORDED = Path(__file__).parents[1] / "conformance" / "flux-controllers.jsonl"
_ADDITIVE = "--feature-gates=AdditiveCELDependencyCheck=true"


def _cases(mode: str) -> list[Vector]:
    return [vector for vector, _ in vectors(_RECORDED) if vector["mode"] == mode]


def _different(cases: list[Vector], ends: Ends) -> list[tuple[str, object, object]]:
    """The cases that end in another way than recorded."""
    return [
        (case["case"], case["want"], ends[case["case"]])
        for case in cases
        if not _same(case["want"], ends[case["case"]])
    ]


def _same(want: dict[str, str], end: dict[str, str]) -> bool:
    message = end.get("message", "")
    return (
        end["result"] == want["result"]
        and message.startswith(want.get("start", ""))
        and _parts(message) == _parts(want.get("message", message))
    )


def _parts(message: str) -> list[str]:
    """What a message lists, in one order: the controller has none for its objects."""
    start, _, listed = message.rstrip("]").partition("[")
    return [start, *sorted(listed.split(", "))]


@pytest.fixture
def fleet(tmp_path: Path) -> Iterator[Source]:
    """A cluster of its own with Flux's CRDs and those of the kinds under check, and the source."""
    programs = Path(os.environ["CELVET_E2E"])
    if not (programs / PROGRAM).exists():
        pytest.skip(f"no {PROGRAM}: `make e2e` builds it with Go")
    with control_plane(programs, _new(tmp_path / "cluster")) as kubeconfig:
        cluster = Cluster(programs, kubeconfig)
        for path in sorted((programs / "flux-crds").glob("*.yaml")):
            cluster.good("apply", "--server-side", "-f", str(path))
        cluster.good("apply", "--server-side", "-f-", given=_kinds())
        cluster.good("wait", "--for=condition=Established", "crd", "--all", "--timeout=60s")
        cluster.good("create", "namespace", NAMESPACE)
        with source(cluster, _new(tmp_path / "archives")) as served:
            yield served


def _new(directory: Path) -> Path:
    directory.mkdir()
    return directory


def _kinds() -> list[dict[str, object]]:
    """A CRD for each custom kind among the objects of the cases."""
    found = {
        (*each["apiVersion"].split("/"), each["kind"])
        for case in (*_cases("reconcile"), *_cases("rollout"))
        for each in case.get("objects") or case["states"][0]["objects"]
        if "." in each["apiVersion"]
    }
    return [anything(group, version, kind) for group, version, kind in sorted(found)]


def test_reconciliations(fleet: Source, tmp_path: Path) -> None:
    cases = _cases("reconcile")
    assert len(cases) >= 90
    with controller(fleet.cluster, tmp_path):
        assert _different(cases, reconciled(fleet, cases)) == []


def test_rollouts(fleet: Source, tmp_path: Path) -> None:
    cases = _cases("rollout")
    assert len(cases) >= 20
    with controller(fleet.cluster, tmp_path):
        ends = rolled_out(fleet, cases)
    wanted = {case["case"]: case["want"]["result"] for case in cases}
    assert {name: end for name, end in ends.items() if end != wanted[name]} == {}


@pytest.mark.parametrize("additive", [False, True], ids=["the default", "both tests"])
def test_dependencies(fleet: Source, tmp_path: Path, *, additive: bool) -> None:
    cases = [each for each in _cases("dependency") if each["additive"] is additive]
    assert len(cases) > 30
    with controller(fleet.cluster, tmp_path):
        prepare_dependencies(fleet, cases)
        ends = {} if additive else gated(fleet.cluster, cases)
    if additive:
        # As recorded: the controller starts again, and looks at the dependencies first.
        with controller(fleet.cluster, tmp_path, _ADDITIVE):
            ends = gated(fleet.cluster, cases)
    assert _different(cases, ends) == []
