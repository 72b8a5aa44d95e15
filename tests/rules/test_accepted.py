"""An error for an expression that a controller can evaluate is the worst mistake: there is none.

The vectors have constants that are false, which `never-true` rightly reports.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from celvet.lint.engine import Settings, lint_text
from celvet.lint.model import Severity
from tests.manifests import kustomization
from tests.properties import sample

_FLUX = Settings(targets=(("flux", "2.9"),))
"""For the releases whose answers were recorded."""

_VECTORS = Path(__file__).parents[1] / "conformance" / "cel.jsonl"


def _accepted() -> list[dict[str, Any]]:
    lines = _VECTORS.read_text(encoding="utf-8").splitlines()[1:]
    vectors = (json.loads(line) for line in lines)
    return [each for each in vectors if each["want"]["ok"] and each["mode"].startswith("eval")]


def _manifest(mode: str, expression: str) -> str:
    gate = {"dependsOn": [{"name": "a", "readyExpr": expression}]}
    entry = {"apiVersion": "example.com/v1", "kind": "Example", "current": expression}
    spec = gate if mode == "evalready" else {"wait": True, "healthCheckExprs": [entry]}
    return yaml.safe_dump(kustomization("x", **spec))


@pytest.mark.parametrize("mode", ["eval", "evalready"])
def test_no_error_on_what_evaluates(mode: str) -> None:
    vectors = [each for each in _accepted() if each["mode"] == mode]
    wrong = [
        (vector["expr"], finding.message)
        for vector in sample(vectors)
        for finding in lint_text(_manifest(mode, vector["expr"]), settings=_FLUX).findings
        if finding.severity is Severity.ERROR
    ]
    assert len(vectors) > 100
    assert wrong == []
