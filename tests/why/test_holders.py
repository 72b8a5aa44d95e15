"""What the report says of objects that hold others, by data, and that an API server gives it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from celvet.lint.verdicts.unstructured import timestamp
from celvet.lint.why.inputs.reader import read_cluster
from celvet.lint.why.investigation import investigate
from celvet.lint.why.output.json import render
from celvet.schemas import load
from tests.tables import Table
from tests.why.api_server import ApiServer
from tests.why.recorded import report
from tests.why.states import made

_TABLE = Table(Path(__file__).with_name("holders.yaml"))
_AT = "2026-11-24T00:30:20Z"
_CASES = pytest.mark.parametrize("case", _TABLE.cases("holders"))


@_CASES
def test_holders_in_files(case: dict[str, Any]) -> None:
    assert _told(report([made(short) for short in case["objects"]], _AT)) == _wanted(case)


@_CASES
def test_holders_in_a_cluster(case: dict[str, Any]) -> None:
    now = timestamp(_AT)
    assert now
    server = ApiServer([made(short) for short in case["objects"]])
    snapshot = read_cluster(server.api(), load(), now)
    assert _told(json.loads(render(investigate(snapshot, load(), now), False))) == _wanted(case)
    assert not snapshot.notes


def _told(told: dict[str, Any]) -> tuple[list[str], dict[str, str]]:
    roots = [
        f"{r['kind']} {r['name']} {r['cause']} {r['outlook']} "
        f"{r['field'] or ''}: {r['expression'] or ''}".rstrip()
        for r in told["roots"]
    ]
    return roots, {w["name"]: _waiter(w) for w in told["waiters"]}


def _waiter(told: dict[str, Any]) -> str:
    return f"{told['verdict']} {told['roots']} {told['next']['event']}"


def _wanted(case: dict[str, Any]) -> tuple[list[str], dict[str, str]]:
    return [root.rstrip() for root in case["roots"]], case["waiters"]
