"""Kinds of a user's own schema directory."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from celvet.webhook.decide.policy import AdmissionPolicy
from tests.schemas.directories import write
from tests.webhook.inline_judge import InlineJudge, decide
from tests.webhook.reviews import review

GATE = {
    "KIND": "Gate",
    "x-plural": "gates",
    "type": "object",
    "properties": {
        "spec": {
            "properties": {
                "readyWhen": {
                    "type": "array",
                    "items": {
                        "type": "string",
                        "x-expression": {"dialect": "flux-health", "role": "current"},
                    },
                }
            }
        }
    },
}


@pytest.mark.parametrize(
    ("texts", "denied"),
    [
        (["status.a == 1", "status.b == 2"], []),
        (["status.a == 1", "status.b =="], ["spec.readyWhen[1]"]),
        (["status.a ==", "status.b =="], ["spec.readyWhen[0]", "spec.readyWhen[1]"]),
    ],
)
def test_a_list_of_expressions(tmp_path: Path, texts: list[str], denied: list[str]) -> None:
    write(tmp_path, {"acme/Gate.json": GATE})
    gate = {
        "apiVersion": "acme.example/v1",
        "kind": "Gate",
        "metadata": {"name": "g"},
        "spec": {"readyWhen": texts},
    }
    body = json.dumps(review(gate)).encode()
    decision = decide(body, AdmissionPolicy(), InlineJudge(schemas=(tmp_path,)))
    assert [each.field for each in decision.denials] == denied
