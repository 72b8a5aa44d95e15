"""Kinds that a user's directory describes work in every command, with data files alone."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

from celvet.lint.cli.subcommands import celvet
from celvet.lint.engine import Settings, lint_object
from tests.tables import read_table

_HERE = Path(__file__).parent
_CASES = read_table(_HERE / "foreign.yaml")
_SEVERE = {"warning", "error"}


@pytest.fixture
def directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository whose configuration names the kinds."""
    (tmp_path / ".celvet.yaml").write_text(f"schemas: [{_HERE / 'foreign'}]\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _run(*args: str, status: int = 0) -> str:
    done = CliRunner().invoke(celvet, args, standalone_mode=False)
    assert done.exception is None, done.output
    assert done.return_value == status, done.output
    return done.stdout


def _written(directory: Path, case: dict[str, Any]) -> str:
    file = directory / "manifest.yaml"
    file.write_text(json.dumps(case["manifest"]))
    return file.name


@pytest.mark.parametrize("case", _CASES, ids=lambda case: case["name"])
def test_lint(case: dict[str, Any], directory: Path) -> None:
    file = _written(directory, case)
    done = CliRunner().invoke(celvet, ["lint", "-f", "json", file], standalone_mode=False)
    report = json.loads(done.stdout)
    text = (directory / file).read_text()
    shown = []
    for found in report["findings"]:
        if found["severity"] in _SEVERE:
            start, end = found["column"] - 1, found["endColumn"] - 1
            shown.append([found["rule"], text[start:end].strip('"')])
    assert shown == [[rule, code] for rule, _, code in case["findings"]]


@pytest.mark.parametrize("case", _CASES, ids=lambda case: case["name"])
def test_an_object_of_the_cluster_is_linted_alike(case: dict[str, Any]) -> None:
    result = lint_object(case["manifest"], Settings((_HERE / "foreign",)))
    assert not result.crashes
    severe = [each for each in result.findings if str(each.severity) in _SEVERE]
    assert sorted(each.rule for each in severe) == sorted(rule for rule, *_ in case["findings"])


@pytest.mark.parametrize(
    ("case", "obj", "verdict"),
    [(case, obj, verdict) for case in _CASES for obj, verdict in case.get("objects", ())],
)
def test_eval(case: dict[str, Any], obj: Any, verdict: str, directory: Path) -> None:
    named = {"apiVersion": "example.com/v1", "kind": "Database", "metadata": {"name": "db"}, **obj}
    (directory / "object.yaml").write_text(json.dumps(named))
    file = _written(directory, case)
    error = int(verdict == "Unknown")
    options = []
    for name, value in case.get("settings", {}).items():
        (directory / f"{name}.yaml").write_text(json.dumps(value))
        options += ["--var", f"{name}={name}.yaml"]
    args = ("eval", "-f", "json", file, "--object", "object.yaml", *options)
    (answer,) = json.loads(_run(*args, status=error))["evaluations"]
    assert answer["verdict"]["status"] == verdict
    if "value" in case:
        assert [each["value"] for each in answer["expressions"]] == [case["value"]]


def _is_accepted(case: dict[str, Any]) -> bool:
    """Whether the expression is accepted; one that is refused has no life to explain."""
    rules = {rule for rule, *_ in case["findings"]}
    return not rules & {
        "unknown-variable",
        "cel-syntax",
        "unknown-function",
        "result-type",
        "jsonpath-syntax",
    }


@pytest.mark.parametrize(
    "case", [case for case in _CASES if _is_accepted(case)], ids=lambda case: case["name"]
)
def test_explain(case: dict[str, Any], directory: Path) -> None:
    page = _run("explain", _written(directory, case))
    assert case["manifest"]["kind"] in page
    if case["name"].startswith("ProbeConfig, paths"):
        assert re.search(r"just created, without a status +nothing +nothing +Violated", page)
        assert re.search(r"on which all paths find `true` +true +true +Held", page)


def test_explain_shows_each_expression_of_a_role(directory: Path) -> None:
    case = next(case for case in _CASES if case["name"].startswith("Tekton, the filter"))
    page = _run("explain", _written(directory, case))
    assert "overlay: body.head.id\n" in page
    assert "overlay 2: body.ref[\n" in page


def test_values_that_nothing_joins_are_not_predicted(directory: Path) -> None:
    case = next(case for case in _CASES if case["name"] == "Tekton, a filter and several values")
    page = _run("explain", _written(directory, case))
    assert "filter" in page
    assert "overlay" not in page


@pytest.mark.parametrize(
    "case", [case for case in _CASES if not case["findings"]], ids=lambda case: case["name"]
)
def test_new_health_tests_pass(case: dict[str, Any], directory: Path) -> None:
    tests = _run("test", "--new", _written(directory, case))
    (directory / "new_test.yaml").write_text(tests)
    assert "expect:" in tests
    assert " passed" in _run("test", "new_test.yaml")


def test_a_health_test_names_an_object_without_a_name_by_its_kind(directory: Path) -> None:
    case = next(case for case in _CASES if case["name"].startswith("ProbeConfig, paths"))
    tests = yaml.safe_load(_run("test", "--new", _written(directory, case)))
    assert tests["metadata"]["name"] == "ProbeConfig: Database.example.com"


_EXPECTED = [
    ("Provider, a text", "commitStatusExpr: {value: flux/app}", ""),
    ("Provider, a text", "commitStatusExpr: {value: flux}", 'got "flux/app"'),
    ("KRO, every", "readyWhen: true", ""),
    ("KRO, every", "readyWhen: {value: [true, true]}", ""),
    ("KRO, every", "readyWhen: {value: [true, false]}", "got [true, true]"),
    ("ProbeConfig, paths", "assert: true", ""),
    ("Pipeline, gates", "{good: true, bad: false}", ""),
    ("Pipeline, gates", "bad: {value: [false, false]}", ""),
    ("Pipeline, gates", "good: false", "got true"),
]


@pytest.mark.parametrize(("name", "expected", "said"), _EXPECTED)
def test_a_health_test_expects_the_result_of_a_role(
    name: str, expected: str, said: str, directory: Path
) -> None:
    case = next(case for case in _CASES if case["name"].startswith(name))
    named = {"apiVersion": "example.com/v1", "kind": "Database", "metadata": {"name": "db"}}
    test = {
        "apiVersion": "celvet.dev/v1alpha1",
        "kind": "HealthTest",
        "metadata": {"name": "roles"},
        "target": {"file": _written(directory, case), "kind": case["manifest"]["kind"]},
        "cases": [
            {
                "name": "first",
                "object": {**named, **case["objects"][0][0]},
                "expect": yaml.safe_load(expected),
            }
        ],
    }
    (directory / "role_test.yaml").write_text(json.dumps(test))
    shown = " ".join(_run("test", "role_test.yaml", status=int(bool(said))).split())
    assert said in shown


def test_entries_are_suggested_for_the_kinds_under_check(directory: Path) -> None:
    case = next(case for case in _CASES if case["name"].startswith("Pipeline, gates"))
    manifest = json.loads(json.dumps(case["manifest"]))
    manifest["spec"]["gates"]["db"]["watch"] = {
        "apiVersion": "cert-manager.io/v1",
        "kind": "Certificate",
    }
    file = _written(directory, {"manifest": manifest})
    (entry,) = yaml.safe_load(_run("suggest", file))
    assert entry["kind"] == "Certificate"


def test_eval_names_a_variable_that_was_not_given(directory: Path) -> None:
    case = next(case for case in _CASES if case["name"] == "Tekton, a filter and several values")
    (directory / "object.yaml").write_text(
        json.dumps({"apiVersion": "v1", "kind": "Push", "ref": "refs/main", "head": {"id": "a"}})
    )
    shown = _run("eval", _written(directory, case), "--object", "object.yaml", status=1)
    assert "`header` has no value here; give one with `--var header=FILE`" in shown


def test_a_message_lists_the_variables_of_the_dialect() -> None:
    case = next(case for case in _CASES if case["name"].endswith("mistakes in all its parts"))
    result = lint_object(case["manifest"], Settings((_HERE / "foreign",)))
    (message,) = (each.message for each in result.findings if each.rule == "unknown-variable")
    assert "only `object`, `oldObject`, `request`, `params`," in message
    assert "`variables` and `authorizer`, so" in message
