"""The controller answers each recorded case as it did; tests/controllers asks celvet the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.flux import rollouts
from tests.e2e.flux.compare import different, differently_gated
from tests.e2e.flux.controller import KUSTOMIZE, NEWEST_CEL_GO, Source, controller
from tests.e2e.flux.fleet import cases
from tests.e2e.flux.replay import KUSTOMIZATIONS, prepare_dependencies, reconciled

_ODD = "kustomize-controller.yaml"
_ADDITIVE = "--feature-gates=AdditiveCELDependencyCheck=true"


@pytest.mark.parametrize("program", [KUSTOMIZE, NEWEST_CEL_GO])
def test_reconciliations(fleet: Source, tmp_path: Path, program: str) -> None:
    newest = program == NEWEST_CEL_GO
    releases = cases("reconcile", "cel-go-releases.yaml")
    found = [
        *cases("reconcile"),
        *([] if newest else cases("reconcile", _ODD)),
        *(each for each in releases if each.get("newest", False) is newest),
    ]
    assert len(found) >= 100
    with controller(fleet.cluster, tmp_path, program=program):
        assert different(found, reconciled(fleet, found, KUSTOMIZATIONS)) == []


def test_rollouts(fleet: Source, tmp_path: Path) -> None:
    found = [*cases("rollout"), *cases("rollout", _ODD)]
    assert len(found) >= 30
    with controller(fleet.cluster, tmp_path):
        assert rollouts.different(fleet, found) == []


@pytest.mark.parametrize("additive", [False, True], ids=["the default", "both tests"])
def test_dependencies(fleet: Source, tmp_path: Path, *, additive: bool) -> None:
    found = [each for each in cases("dependency") if each["additive"] is additive]
    assert len(found) > 30
    with controller(fleet.cluster, tmp_path):
        prepare_dependencies(fleet, found, KUSTOMIZATIONS)
        ends = [] if additive else differently_gated(fleet.cluster, found, KUSTOMIZATIONS)
    if additive:
        # As recorded: the controller starts again, and looks at the dependencies first.
        with controller(fleet.cluster, tmp_path, _ADDITIVE):
            ends = differently_gated(fleet.cluster, found, KUSTOMIZATIONS)
    assert ends == []
