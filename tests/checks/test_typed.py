from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from celvet.lint.checks import check_value
from celvet.schemas import load
from tests import libyaml

_TABLE = libyaml.load((Path(__file__).parent / "typed.yaml").read_text(encoding="utf-8"))
_VERSIONS = {
    "Kustomization": "kustomize.toolkit.fluxcd.io/v1",
    "HelmRelease": "helm.toolkit.fluxcd.io/v2",
}


@pytest.mark.parametrize("case", _TABLE, ids=[case["name"] for case in _TABLE])
def test_a_typed_copy(case: dict[str, Any]) -> None:
    kind = case.get("kind", "Kustomization")
    names = {"apiVersion": _VERSIONS[kind], "kind": kind}
    (check,) = check_value(
        {**names, "spec": {"dependsOn": [{"name": "x", "readyExpr": "true"}]}},
        load(targets=case.get("targets", {}).items()),
    ).checks
    shown = check.copies.of(
        {"self": {**names, **case["object"]}, "dep": {**names, **case["object"]}}
    )
    assert shown["dep"] == case["shows"]
    assert shown["self"] == {**names, **case["shows"]}
