"""The JSON report follows its published schema."""

from __future__ import annotations

import json

import pytest
from jsonschema import Draft202012Validator

from celvet.lint.engine import lint_text
from celvet.lint.report.output.json import render
from celvet.lint.report.report import FileReport, file_report, report
from docs.generate import ROOT

_SCHEMA = json.loads((ROOT / "docs" / "report.schema.json").read_text(encoding="utf-8"))


REPEATED = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
spec:
  wait: true
  healthCheckExprs:
    - {apiVersion: a.b/v1, kind: A, current: status.a}
    - {apiVersion: a.b/v2, kind: A, current: status.a}
  wait: true
"""
"""A duplicate key and a duplicate entry."""


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(_SCHEMA)


@pytest.mark.parametrize("most", [None, 0, 1], ids=["all", "none", "one"])
def test_reports_are_valid(most: int | None, example_reports: list[FileReport]) -> None:
    results = example_reports[:most]
    document = json.loads(render(report(results), False))
    Draft202012Validator(_SCHEMA).validate(document)
    assert document["summary"]["files"] == len(results)


def test_nothing_is_written_that_the_schema_does_not_describe(
    example_reports: list[FileReport],
) -> None:
    document = json.loads(render(report(example_reports), False))
    described = _SCHEMA["$defs"]
    assert document.keys() == _SCHEMA["properties"].keys()
    assert document["summary"].keys() == described["summary"]["properties"].keys()
    for finding in document["findings"]:
        assert finding.keys() == described["finding"]["properties"].keys()


def test_the_second_place_is_written() -> None:
    result = file_report(lint_text(REPEATED, "f.yaml"))
    document = json.loads(render(report([result]), False))
    Draft202012Validator(_SCHEMA).validate(document)
    shown = {each["rule"]: each["related"] for each in document["findings"]}
    (entry,), (key,) = shown["duplicate-group-kind"], shown["duplicate-key"]
    assert entry == {
        "message": "the first one is here",
        "line": 6,
        "column": 7,
        "endLine": 6,
        "endColumn": 55,
    }
    assert (key["message"], key["line"]) == ("`wait` is also here", 4)
    assert shown["missing-failed"] == []
