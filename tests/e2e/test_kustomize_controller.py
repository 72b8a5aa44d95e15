"""The controller answers each recorded case as it did; tests/controllers asks celvet the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.flux import rollouts
from tests.e2e.flux.compare import different, differently_gated
from tests.e2e.flux.controller import KUSTOMIZE, NEWEST_KUSTOMIZE, Source, controller
from tests.e2e.flux.fleet import cases
from tests.e2e.flux.replay import KUSTOMIZATIONS, prepare_dependencies, reconciled

_ODD = "kustomize-controller.yaml"
_ADDITIVE = "--feature-gates=AdditiveCELDependencyCheck=true"


_RELEASES = pytest.mark.parametrize("program", [KUSTOMIZE, NEWEST_KUSTOMIZE])


@_RELEASES
def test_reconciliations(fleet: Source, tmp_path: Path, program: str) -> None:
    newest = program == NEWEST_KUSTOMIZE
    releases = cases("reconcile", "cel-go-releases.yaml")
    found = [
        *cases("reconcile"),
        *cases("reconcile", _ODD),
        *(each for each in releases if each.get("newest", False) is newest),
    ]
    assert len(found) >= 100
    with controller(fleet.cluster, tmp_path, program=program):
        assert different(found, reconciled(fleet, found, KUSTOMIZATIONS)) == []


@_RELEASES
def test_rollouts(fleet: Source, tmp_path: Path, program: str) -> None:
    found = [*cases("rollout"), *cases("rollout", _ODD)]
    assert len(found) >= 30
    with controller(fleet.cluster, tmp_path, program=program):
        assert rollouts.different(fleet, found) == []


@_RELEASES
@pytest.mark.parametrize("additive", [False, True], ids=["the default", "both tests"])
def test_dependencies(fleet: Source, tmp_path: Path, program: str, *, additive: bool) -> None:
    found = [each for each in cases("dependency") if each["additive"] is additive]
    assert len(found) > 30
    with controller(fleet.cluster, tmp_path, program=program):
        prepare_dependencies(fleet, found, KUSTOMIZATIONS)
        ends = [] if additive else differently_gated(fleet.cluster, found, KUSTOMIZATIONS)
    if additive:
        # As recorded: the controller starts again, and looks at the dependencies first.
        with controller(fleet.cluster, tmp_path, _ADDITIVE, program=program):
            ends = differently_gated(fleet.cluster, found, KUSTOMIZATIONS)
    assert ends == []
