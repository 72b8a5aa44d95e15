"""The examples of docs/webhook.md are valid."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from celvet.webhook.decide.policy import Mode
from celvet.webhook.decide.policy_file import parse
from tests.tables import read_table

ROOT = Path(__file__).parents[2]


def _shown() -> list[str]:
    """The YAML blocks of the page."""
    text = (ROOT / "docs" / "webhook.md").read_text()
    return [block.partition("```")[0] for block in text.split("```yaml\n")[1:]]


def test_the_configuration_by_hand_is_for_the_kinds_of_the_chart() -> None:
    (shown,) = (block for block in _shown() if "ValidatingWebhookConfiguration" in block)
    configuration: dict[str, Any] = yaml.safe_load(shown)
    rules = read_table(ROOT / "charts" / "celvet" / "files" / "rules.yaml")
    assert configuration["webhooks"][0]["rules"] == rules


def test_the_policy_is_valid() -> None:
    (shown,) = (block for block in _shown() if "namespaces:" in block)
    policy = parse(shown.encode(), Mode.AUDIT, Path("policy"))
    assert policy.mode("missing-failed", "team-a") is Mode.WARN
    assert policy.mode("cel-syntax", "team-a") is Mode.DENY
    assert policy.mode("cel-syntax", "kube-system") is Mode.AUDIT
