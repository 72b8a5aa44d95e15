"""Alerts and dashboard: their metrics exist, and the alerts fire when they should."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from celvet.webhook.metrics import Metrics
from tests.charts.rendering import BUILT, CHART

ALERTS = CHART / "files" / "alerts.yaml"
PROMTOOL = shutil.which("promtool", path=os.pathsep.join([BUILT, os.environ.get("PATH", "")]))
_OBSERVED = {*("queue_length", "requests_in_flight", "certificate_expiry_timestamp_seconds")}
"""The server's own gauges."""

_needs_promtool = pytest.mark.skipif(PROMTOOL is None, reason="needs promtool, of Prometheus")


def _known() -> set[str]:
    """The names of all series that a server may have."""
    metrics = Metrics()
    for name in _OBSERVED:
        metrics.observe(name, "A gauge.", lambda: 0)
    types = re.findall(r"^# TYPE (\S+) (\S+)$", metrics.exposition().decode(), re.MULTILINE)
    parts = ("_bucket", "_count", "_sum")
    names = {name for name, _ in types}
    return names | {name + each for name, type_ in types if type_ == "histogram" for each in parts}


def _alerts() -> list[dict[str, Any]]:
    rules: list[dict[str, Any]] = yaml.safe_load(ALERTS.read_text())["groups"][0]["rules"]
    return rules


def _dashboard() -> list[str]:
    """The queries of the dashboard, with its variables filled in."""
    board = json.loads((CHART / "files" / "dashboard.json").read_text())
    queries = [target["expr"] for panel in board["panels"] for target in panel["targets"]]
    return [each.replace("$__rate_interval", "5m").replace("$namespace", "a") for each in queries]


def test_every_metric_of_alerts_and_dashboard_exists() -> None:
    queries = [*_dashboard(), *(each["expr"] for each in _alerts())]
    used = {name for each in queries for name in re.findall(r"\b(?:celvet|process)_\w+", each)}
    assert len(used) > 10
    assert used <= _known()


def test_every_alert_says_what_happens() -> None:
    for each in _alerts():
        assert each["alert"].startswith("Celvet")
        assert each["labels"]["severity"] in ("warning", "critical")
        assert each["annotations"]["summary"].endswith(".")


@_needs_promtool
def test_the_queries_of_the_dashboard_are_valid(tmp_path: Path) -> None:
    rules = [{"record": f"query:{n}", "expr": each} for n, each in enumerate(_dashboard())]
    path = tmp_path / "rules.yaml"
    path.write_text(yaml.safe_dump({"groups": [{"name": "dashboard", "rules": rules}]}))
    assert _problems("check", "rules", str(path)) == ""


def _case(series: str, values: str, alert: str, minutes: int, *, fires: bool) -> dict[str, Any]:
    labels = dict(re.findall(r'(\w+)="([^"]*)"', series))
    severity = next(each["labels"]["severity"] for each in _alerts() if each["alert"] == alert)
    kept = {key: each for key, each in labels.items() if key not in ("reason", "verdict")}
    summary = next(each["annotations"]["summary"] for each in _alerts() if each["alert"] == alert)
    shown = summary.replace("{{ $labels.instance }}", labels.get("instance", ""))
    expected = {"exp_labels": {**kept, "severity": severity}, "exp_annotations": {"summary": shown}}
    test = {"eval_time": f"{minutes}m", "alertname": alert, "exp_alerts": [expected] * fires}
    return {
        "interval": "1m",
        "input_series": [{"series": series, "values": values}],
        "alert_rule_test": [test],
    }


@_needs_promtool
def test_alerts_fire_when_they_should(tmp_path: Path) -> None:
    config = 'celvet_config_last_reload_successful{instance="pod"}'
    certificate = 'celvet_certificate_expiry_timestamp_seconds{instance="pod"}'
    died = 'celvet_judging_processes_replaced_total{namespace="a",job="b",reason="died"}'
    unjudged = 'celvet_requests_total{namespace="a",job="b",verdict="unjudged"}'
    cases = [
        _case(config, "0x30", "CelvetConfigInvalid", 20, fires=True),
        _case(config, "0x5 1x30", "CelvetConfigInvalid", 20, fires=False),
        _case(certificate, "86400x120", "CelvetCertificateExpiresSoon", 90, fires=True),
        _case(certificate, "9000000x120", "CelvetCertificateExpiresSoon", 90, fires=False),
        _case(died, "0+1x90", "CelvetJudgingProcessesDie", 70, fires=True),
        _case(died, "0+0x90", "CelvetJudgingProcessesDie", 70, fires=False),
        _case(unjudged, "0+10x60", "CelvetUnjudged", 40, fires=True),
        _case(unjudged, "0+1x60", "CelvetUnjudged", 40, fires=False),
    ]
    path = tmp_path / "tests.yaml"
    path.write_text(yaml.safe_dump({"rule_files": [str(ALERTS)], "tests": cases}))
    assert _problems("test", "rules", str(path)) == ""


def _problems(*arguments: str) -> str:
    """The error of promtool."""
    run = subprocess.run([str(PROMTOOL), *arguments], check=False, capture_output=True, text=True)
    return run.stdout + run.stderr if run.returncode else ""
