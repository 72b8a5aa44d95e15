"""The answers of Cartographer's own webhook on health rules."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from celvet.lint.model import Severity
from celvet.lint.validation import Violation, validate
from celvet.schemas import load

VECTORS = Path(__file__).parents[1] / "conformance" / "cartographer.jsonl"
OF_THE_WEBHOOK = {"oneOf", "anyOf"}


def rules() -> Iterator[dict[str, Any]]:
    with VECTORS.open() as lines:
        for line in lines:
            vector = json.loads(line)
            if vector.get("mode") == "cartorule":
                yield vector


def refusals(rule: Any) -> list[Violation]:
    catalog = load()
    kind = catalog.find("carto.run/v1alpha1", "ClusterTemplate")
    assert kind is not None
    validation = validate({"spec": {"healthRule": rule}}, kind, catalog)
    return [
        violation for violation in validation.violations if violation.severity is Severity.ERROR
    ]


def test_a_rule_is_refused_where_the_webhook_or_the_crd_refuses_it() -> None:
    counts = {True: 0, False: 0}
    for vector in rules():
        is_accepted = vector["want"]["ok"]
        counts[is_accepted] += 1
        broken = {violation.keyword for violation in refusals(vector["rule"])}
        assert bool(broken & OF_THE_WEBHOOK) is not is_accepted, vector["id"]
        # The vectors ask the webhook alone; the CRD also refuses other operators.
        assert ("enum" in broken) == ("Equals" in json.dumps(vector["rule"])), vector["id"]
        assert broken <= OF_THE_WEBHOOK | {"enum"}, vector["id"]
    assert min(counts.values()) > 100


def test_the_message_names_the_reason_of_the_webhook() -> None:
    reasons = {
        "unhealthy rule has no": "`unhealthy` has none of",
        ": healthy rule has no": "`healthy` has none of",
        "found multiple": "together",
        "found neither": "`healthRule` has none of",
    }
    for vector in rules():
        error = vector["want"].get("error", "")
        for words, ours in reasons.items():
            if words in error:
                messages = [violation.message for violation in refusals(vector["rule"])]
                assert any(ours in message for message in messages), vector["id"]
