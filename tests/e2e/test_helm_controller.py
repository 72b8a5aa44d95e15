"""helm-controller answers each recorded case as it did; tests/controllers asks celvet the same."""

from __future__ import annotations

from pathlib import Path

from tests.e2e.flux.compare import different, differently_gated
from tests.e2e.flux.controller import HELM, Source, controller
from tests.e2e.flux.fleet import cases
from tests.e2e.flux.releases import HELM_RELEASES
from tests.e2e.flux.replay import prepare_dependencies, reconciled

PROGRAM = HELM
_RECORDED = "helm-controller.yaml"


def test_releases(fleet: Source, tmp_path: Path) -> None:
    found = cases("release", _RECORDED)
    assert len(found) >= 30
    with controller(fleet.cluster, tmp_path, program=HELM):
        assert different(found, reconciled(fleet, found, HELM_RELEASES)) == []


def test_dependencies(fleet: Source, tmp_path: Path) -> None:
    found = cases("dependency", _RECORDED)
    assert len(found) >= 20
    with controller(fleet.cluster, tmp_path, program=HELM):
        prepare_dependencies(fleet, found, HELM_RELEASES)
        assert differently_gated(fleet.cluster, found, HELM_RELEASES) == []
