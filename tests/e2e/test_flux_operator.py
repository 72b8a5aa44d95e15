"""Flux Operator answers each recorded case as it did; tests/controllers asks celvet the same."""

from __future__ import annotations

from pathlib import Path

from tests.e2e.flux.compare import different
from tests.e2e.flux.controller import OPERATOR, Source, controller
from tests.e2e.flux.fleet import cases
from tests.e2e.flux.replay import reconciled
from tests.e2e.flux.resource_sets import OF_KUSTOMIZATIONS, RESOURCE_SETS

PROGRAM = OPERATOR


def test_resource_sets(fleet: Source, tmp_path: Path) -> None:
    found = cases("resource-set", "flux-operator.yaml")
    assert len(found) >= 44
    with controller(fleet.cluster, tmp_path, program=OPERATOR):
        assert different(found, reconciled(fleet, found, RESOURCE_SETS)) == []


def test_resource_sets_of_kustomizations(fleet: Source, tmp_path: Path) -> None:
    found = cases("built", "flux-operator.yaml")
    assert len(found) >= 6
    with controller(fleet.cluster, tmp_path, program=OPERATOR), controller(fleet.cluster, tmp_path):
        assert different(found, reconciled(fleet, found, OF_KUSTOMIZATIONS)) == []
