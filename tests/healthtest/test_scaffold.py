"""Tests written by `celvet test --new` pass as written, for every system."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from celvet.lint.cli.run.test_runner import RunTests
from celvet.lint.engine import Settings
from celvet.lint.healthtest.scaffold.scaffold import scaffold
from celvet.lint.manifest import read
from celvet.schemas import load
from docs.generate import ROOT
from tests.tables import read_table

_CASES = read_table(Path(__file__).with_name("scaffold.yaml"))
_EXAMPLES = sorted((ROOT / "examples").rglob("*.yaml"))


def _begun(manifest: bytes, directory: Path) -> dict[str, list[str]]:
    """The new tests for a manifest and their expected verdicts, once all have passed."""
    (directory / "manifest.yaml").write_bytes(manifest)
    name = (directory / "manifest.yaml").as_posix()
    text = scaffold([read(manifest, name, {})], "", directory, load())
    if not text:
        return {}
    path = directory / "health.yaml"
    path.write_text(text, encoding="utf-8")
    ran = RunTests(Settings())(path)
    assert [each.finding.message for each in ran.report.findings] == []
    assert {each.name: each.mismatches for each in ran.cases if each.failed} == {}
    tests = [*yaml.safe_load_all(text)]
    assert len(ran.cases) == sum(len(test["cases"]) for test in tests)
    return {test["metadata"]["name"]: [case["expect"] for case in test["cases"]] for test in tests}


@pytest.mark.parametrize("case", _CASES, ids=lambda case: str(case["name"]))
def test_each_part_has_a_test_that_passes(case: dict[str, Any], tmp_path: Path) -> None:
    assert _begun(case["manifest"].encode(), tmp_path) == case["tests"]


@pytest.mark.parametrize("path", _EXAMPLES, ids=lambda path: str(path.relative_to(ROOT)))
def test_what_is_begun_for_an_example_passes(path: Path, tmp_path: Path) -> None:
    for verdicts in _begun(path.read_bytes(), tmp_path).values():
        assert len(set(verdicts)) == len(verdicts) > 0


def test_tests_of_one_name_are_distinguished() -> None:
    text = _MANIFEST + "---\n" + _MANIFEST.replace("namespace: a", "namespace: b")
    text += "---\n" + _MANIFEST.replace("name: apps", "name: infra")
    manifests = [read(text.encode(), "x/f.yaml", {}), read(_MANIFEST.encode(), "x/g.yaml", {})]
    tests = yaml.safe_load_all(scaffold(manifests, "", Path("x"), load()))
    assert [test["metadata"]["name"] for test in tests] == [
        "Kustomization a/apps: Thing.example.com (f.yaml)",
        "Kustomization b/apps: Thing.example.com",
        "infra: Thing.example.com",
        "Kustomization a/apps: Thing.example.com (g.yaml)",
    ]


_MANIFEST = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: apps, namespace: a}
spec:
  wait: true
  healthCheckExprs:
    - {apiVersion: example.com/v1, kind: Thing, current: status.ready}
"""
