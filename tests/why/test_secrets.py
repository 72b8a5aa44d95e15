"""No value of a Secret gets into a report."""

from __future__ import annotations

import json

from tests.why.recorded import report
from tests.why.states import made


def test_a_gate_on_a_secret_shows_no_value() -> None:
    gate = {
        "apiVersion": "v1",
        "kind": "Secret",
        "name": "gate",
        "namespace": "g",
        "ready": True,
        "readyExpr": "string(base64.decode(data.gate)) == 'open'",
    }
    waiting = "False DependencyNotReady Retrying dependency check: dependency not ready"
    told = report(
        [
            made({"set": "app", "spec": {"dependsOn": [gate]}, "conditions": {"Ready": waiting}}),
            {
                "apiVersion": "v1",
                "kind": "Secret",
                "metadata": {"name": "gate", "namespace": "g"},
                "data": {"gate": "aHVudGVyMg=="},
            },
        ],
        "2026-11-24T00:30:20Z",
    )
    (root,) = told["roots"]
    assert (root["kind"], root["cause"]) == ("Secret", "dependency-expression")
    assert "hunter2" not in json.dumps(told)
    assert "aHVudGVyMg" not in json.dumps(told)
