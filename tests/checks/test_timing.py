from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from celvet.lint.checks import check_value
from celvet.lint.checks.timing import Timing
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


def test_times_that_are_not_set_are_not_told() -> None:
    second = timedelta(seconds=1)
    assert Timing().timeout_text == ""
    assert Timing(look=second).sentence == ""
    assert Timing(timeout=second).sentence == ""
    assert Timing(timeout=second).timeout_text == " of 1s"
    assert Timing(timeout=timedelta()).timeout_text == " of 0s"
