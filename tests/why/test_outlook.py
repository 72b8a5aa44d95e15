"""The table of outlooks in docs/why.md: that it is the code's, and a root for each of its rows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from celvet.lint.verdicts.unstructured import timestamp
from celvet.lint.why.investigation import investigate
from celvet.lint.why.outlook.life import error_rule
from celvet.lint.why.outlook.rules import OutlookRule
from celvet.lint.why.snapshot import Snapshot
from celvet.schemas import load
from tests.tables import Table
from tests.why.states import inventory_id, made

_TABLE = Table(Path(__file__).with_name("outlooks.yaml"))
_CASES = _TABLE.section("outlooks")
_DOCUMENT = Path(__file__).parents[2] / "docs" / "why.md"


@pytest.mark.parametrize("case", _CASES, ids=lambda case: case["rule"])
def test_the_rule_of_a_root(case: dict[str, Any]) -> None:
    now = timestamp("2026-11-24T00:30:20Z")
    assert now
    report = investigate(Snapshot.of(_objects(case)), load(), now)
    assert [root.rule.name for root in report.roots] == [case["rule"]]


@pytest.mark.parametrize("name", ["PASSING_ERROR", "LASTING_ERROR"])
def test_the_rule_of_an_error(name: str) -> None:
    errors: list[str] = _TABLE.section("errors")[name]
    assert [text for text in errors if error_rule(text).name != name] == []


def test_the_rows_of_the_document() -> None:
    rows = re.findall(r"^\| (.+) \| `([a-z-]+)`(, final)? \|$", _DOCUMENT.read_text(), re.MULTILINE)
    rules = [(rule.state, rule.outlook, ", final" * rule.final) for rule in OutlookRule]
    assert rows == rules
    assert {case["rule"] for case in _CASES} == {rule.name for rule in OutlookRule}


def _objects(case: dict[str, Any]) -> list[dict[str, Any]]:
    if "objects" in case:
        return [made(short) for short in case["objects"]]
    objects = [made(short) for short in case.get("held", [{"deployment": "web"}])]
    app = {"kustomization": "app", "is": "waiting", "inventory": [*map(inventory_id, objects)]}
    entry = {key: objects[0][key] for key in ("apiVersion", "kind")} | {
        "current": case.get("check")
    }
    spec = {"healthCheckExprs": [entry]} if "check" in case else {}
    return [made({**app, "spec": spec}), *objects, *_behind(case)]


def _behind(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    owners = [{"kind": "ReplicaSet", "uid": "Deployment-web"}]
    if "pod" in case:
        yield made({"pod": "web-1", "metadata": {"ownerReferences": owners}, "status": case["pod"]})
    if "event" in case:
        pod = {"apiVersion": "v1", "kind": "Pod", "namespace": "g", "name": "web-1"}
        event = {"apiVersion": "v1", "kind": "Event", "metadata": {"name": "e", "namespace": "g"}}
        yield {**event, "type": "Warning", "involvedObject": pod, **case["event"]}
