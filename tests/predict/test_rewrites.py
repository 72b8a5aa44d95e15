"""Fixes remove the reported problem, and change no other verdict."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from celvet.lint.engine import FileResult, Settings, lint_text
from celvet.lint.engine.fix import FileFixes, fix
from celvet.lint.predict import CheckModel, diagnose, models, table
from celvet.lint.predict.faults.diagnosis import Blocked, Stale
from tests import libyaml
from tests.tables import read_table

_CASES = read_table(Path(__file__).with_name("rewrites.yaml"))


def _manifest(entry: dict[str, str]) -> bytes:
    checks = [{"apiVersion": "example.com/v1", "kind": "Example", **entry}]
    spec = {"wait": True, "healthCheckExprs": checks}
    declaration = {"apiVersion": "kustomize.toolkit.fluxcd.io/v1", "kind": "Kustomization"}
    return libyaml.dump({**declaration, "metadata": {"name": "a"}, "spec": spec}).encode()


def _model(result: FileResult) -> CheckModel:
    (checked,) = result.checked
    ((_, model),) = models(checked)
    return model


def _fixed(case: dict[str, Any]) -> FileFixes:
    return fix(_manifest(case["entry"]), "a.yaml", Settings(), unsafe=case.get("unsafe", False))


@pytest.mark.parametrize("case", _CASES, ids=lambda case: case["name"])
def test_remedy(case: dict[str, Any]) -> None:
    done = _fixed(case)
    after = {role: each.text for role, each in _model(done.result).programs.items()}
    assert after == {**case["entry"], **case.get("after", {})}
    assert bool(done.titles) == ("after" in case)


@pytest.mark.parametrize(
    "case", [case for case in _CASES if "after" in case], ids=lambda c: c["name"]
)
def test_only_what_was_wrong_has_another_verdict(case: dict[str, Any]) -> None:
    before = _model(lint_text(_manifest(case["entry"])))
    after = _model(_fixed(case).result)
    faulty = {found.row.verdict for found in diagnose(before) if found.row}
    changed = 0
    for row in table(before).rows:
        variables = row.state.variables
        verdict = after.verdict(variables, after.outcomes(variables))
        if verdict != row.verdict:
            changed += 1
            assert row.verdict in faulty
    # an unchanged expression may trust old conditions, which was hidden until now
    unseen = {(Stale, role) for role in case["entry"].keys() - case["after"].keys()}
    faults = [{(type(each), each.role) for each in diagnose(it)} for it in (before, after)]
    assert faults[1] - unseen < faults[0]
    assert changed or any(isinstance(found, Blocked) for found in diagnose(before))


def test_no_remedy_is_sought_that_nobody_asks_for(monkeypatch: pytest.MonkeyPatch) -> None:
    case = next(case for case in _CASES if "after" in case)
    asked = lint_text(_manifest(case["entry"])).findings
    assert any(each.fix for each in asked)
    monkeypatch.setattr("celvet.lint.predict.fixes.rewrites.rewrite", None)
    plain = lint_text(_manifest(case["entry"]), settings=Settings(fixes=False))
    assert plain.findings == tuple(replace(each, fix=None) for each in asked)
    assert not plain.crashes


def test_a_gate_that_compares_the_generations_is_unsafe() -> None:
    manifest = (
        b"apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: a}\n"
        b"spec:\n  dependsOn:\n    - name: b\n      readyExpr: dep.status.conditions.exists(c,"
        b" c.type == 'Ready' && c.status == 'True')\n"
    )
    assert fix(manifest, "", Settings(), unsafe=False).titles == ()
    done = fix(manifest, "", Settings(), unsafe=True)
    assert done.titles == ("Compare the generations as well.",)
    gate = yaml.safe_load(done.after)["spec"]["dependsOn"][0]["readyExpr"]
    test = "dep.metadata.generation == dep.status.observedGeneration"
    assert gate.startswith(f"{test} && dep.status.conditions.exists(c,")


@pytest.mark.parametrize(
    ("entry", "status", "verdict"),
    [
        (
            {
                "failed": "status.phase == 'Failed' || status.error != ''",
                "current": "status.phase == 'Ready'",
            },
            {"phase": "Failed"},
            "Failed",
        ),
        (
            {
                "current": "status.conditions.filter(e, e.type in ['A', 'B'])"
                ".all(e, e.status == 'True')"
            },
            {"conditions": [{"type": "A", "status": "True"}, {"type": "B", "status": "Unknown"}]},
            "InProgress",
        ),
    ],
)
def test_a_verdict_that_was_right_stays(
    entry: dict[str, str], status: dict[str, Any], verdict: str
) -> None:
    done = fix(_manifest(entry), "", Settings(), unsafe=False)
    assert done.titles
    for model in (_model(lint_text(_manifest(entry))), _model(done.result)):
        variables = {"metadata": {"generation": 1}, "status": status}
        assert model.verdict(variables, model.outcomes(variables)) == verdict
