"""Each known difference from Go is fixed, or listed with its reason."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from celvet.lint.cel import compile_expression
from celvet.lint.controllers import cartographer
from celvet.lint.manifest import read
from celvet.schemas import load
from tests.tables import Table

_TABLE = Table(Path(__file__).with_name("cases.yaml"))


def _cases(section: str) -> list[Any]:
    """The cases; those listed as differences must disagree, so that the list stays current."""
    return [
        pytest.param(
            row,
            id=str(row.get("text", section))[:60],
            marks=[pytest.mark.xfail(strict=True, reason=row["beyond"])] if "beyond" in row else [],
        )
        for row in _TABLE.section(section)
    ]


@pytest.mark.parametrize("case", _cases("yaml"))
def test_yaml(case: dict[str, Any]) -> None:
    manifest = read(case["text"])
    problems = [problem.kind for problem in manifest.all_problems()]
    if "refused" in case:
        assert problems == ["bad-value"]
        return
    assert [each.value for each in manifest.documents if each.root] == case["is"]
    assert problems == ([case["told"]] if case.get("told") else [])


@pytest.mark.parametrize("case", _cases("cost"))
def test_cost(case: dict[str, Any]) -> None:
    assert compile_expression(case["text"], load().dialects["flux-health"]).excess is None


@pytest.mark.parametrize("case", _cases("cel"))
def test_cel(case: dict[str, Any]) -> None:
    dialect = load().dialects[case.get("dialect", "flux-health")]
    compiled = compile_expression(case["text"], dialect.at(case.get("celGo", dialect.cel_go)))
    assert bool(compiled.refusals) == case.get("refused", False)
    if "object" not in case or compiled.refusals:
        return
    outcome = compiled.evaluate(case["object"])
    assert outcome.analysed != case.get("unknown", False)
    assert bool(outcome.error) == (case.get("error", False) or not outcome.analysed)
    assert outcome.value is case.get("is")


@pytest.mark.parametrize("case", _cases("cartographer"))
def test_cartographer(case: dict[str, Any]) -> None:
    verdict = cartographer.health(case["rule"], case["object"], load().dialects["cartographer"])
    assert [verdict.status, verdict.reason] == case["is"]
