from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from celvet.lint.checks import check_value
from celvet.schemas import load
from tests.tables import read_table

_VERSIONS = {
    "Kustomization": "kustomize.toolkit.fluxcd.io/v1",
    "HelmRelease": "helm.toolkit.fluxcd.io/v2",
}
_TABLE = read_table(Path(__file__).with_name("timing.yaml"))


@pytest.mark.parametrize("case", _TABLE, ids=[case["name"] for case in _TABLE])
def test_the_timing_of_a_declaration(case: dict[str, Any]) -> None:
    kind = case.get("kind", "Kustomization")
    declaration = {"apiVersion": _VERSIONS[kind], "kind": kind, "spec": case["spec"]}
    assert check_value(declaration, load()).timing.sentence == case["says"]
