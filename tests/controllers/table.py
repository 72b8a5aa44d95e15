"""Tables of cases, in YAML files next to the tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from celvet.lint.verdicts.verdict import Verdict
from tests.tables import read_table


def cases(name: str) -> pytest.MarkDecorator:
    """A decorator that runs a test with each `case` of `<name>.yaml`."""
    table = read_table(Path(__file__).parent / f"{name}.yaml")
    names = [case["name"] for case in table]
    assert len(set(names)) == len(names)
    return pytest.mark.parametrize("case", table, ids=names)


def shown(verdict: Verdict) -> dict[str, Any]:
    """The fields of a verdict that are not empty."""
    parts = ("status", "reason", "message", "error")
    said = {part: getattr(verdict, part) for part in parts if getattr(verdict, part)}
    return {**said, "cause": list(verdict.cause.path)} if verdict.cause else said
