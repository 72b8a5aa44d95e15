"""The JSON of health tests follows its published schema, and lists tests that cannot be run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from docs.generate import ROOT
from tests.cli.command import celvet

pytestmark = pytest.mark.usefixtures("outside")

_SCHEMA = json.loads((ROOT / "docs" / "health-report.schema.json").read_text(encoding="utf-8"))

_TEST = """\
apiVersion: celvet.dev/v1alpha1
kind: HealthTest
metadata: {name: things}
target: {file: nowhere.yaml, kind: Kustomization}
cases: [{name: one, object: {}, expect: Current}]
"""


def _report(directory: Path, *paths: str, status: int) -> Any:
    ran = celvet("test", *paths, "--format", "json", cwd=directory)
    assert ran.status == status
    document = json.loads(ran.out)
    Draft202012Validator(_SCHEMA).validate(document)
    return document


@pytest.mark.parametrize(
    ("content", "line", "rule", "message"),
    [
        (_TEST, 4, "health-test", "`nowhere.yaml` cannot be read"),
        (_TEST.replace("expect: Current", "expect: 5"), 5, "schema-violation", ""),
        (
            "apiVersion: celvet.dev/v1alpha1\nkind: [\n",
            2,
            "yaml-syntax",
            "did not find expected node content",
        ),
    ],
    ids=["no target", "not of the schema", "no YAML"],
)
def test_a_test_that_cannot_be_run_is_an_error(
    tmp_path: Path, content: str, line: int, rule: str, message: str
) -> None:
    (tmp_path / "health.yaml").write_text(content, encoding="utf-8")
    document = _report(tmp_path, "health.yaml", status=2)
    (error,) = document["errors"]
    assert {name for name, number in document["summary"].items() if number} == {"errors"}
    assert (error["file"], error["line"], error["rule"]) == ("health.yaml", line, rule)
    assert message in error["message"]


def test_so_is_a_file_that_is_not_there(tmp_path: Path) -> None:
    document = _report(tmp_path, "gone.yaml", status=2)
    assert document["errors"] == [
        {
            "file": "gone.yaml",
            "line": 0,
            "column": 0,
            "rule": "unreadable-file",
            "message": "No such file or directory",
            "help": "",
        }
    ]


def test_without_errors_there_is_an_empty_list(tmp_path: Path) -> None:
    assert _report(tmp_path, ".", "--allow-empty", status=0)["errors"] == []
