"""No recorded answer of the controller contradicts a claim that something is impossible."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from celvet.lint.predict import diagnose
from celvet.lint.predict.faults.diagnosis import Blocked, NeverTrue, Shadowed
from tests.predict.models import maybe
from tests.properties import sample

_VECTORS = Path(__file__).parents[1] / "conformance" / "flux-health.jsonl"


def _impossible(expressions: dict[str, str]) -> set[str]:
    """The verdicts that no object can get, if the diagnosis is right."""
    found = maybe({role: text for role, text in expressions.items() if text})
    claims = set()
    for each in diagnose(found) if found else ():
        match each:
            case NeverTrue(role=role) | Shadowed(hidden_role=role):
                claims.add(role.capitalize())
            case Blocked(blocked_role=role, missing_field=None):
                claims.add(role.capitalize())
    return claims


def test_no_recorded_verdict_is_called_impossible() -> None:
    lines = _VECTORS.read_text(encoding="utf-8").splitlines()[1:]
    vectors: list[dict[str, Any]] = [json.loads(line) for line in lines]
    answered = [each for each in vectors if each["want"]["ok"]]
    assert len(answered) > 300
    wrong = [
        (each["id"], each["exprs"])
        for each in sample(answered[::2])
        if each["want"]["result"] in _impossible(each["exprs"])
    ]
    assert wrong == []
