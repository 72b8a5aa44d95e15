"""Findings keep their fingerprints while lines move, and no two have the same."""

from __future__ import annotations

import pytest

from celvet.lint.engine import lint_text
from celvet.lint.report.fingerprint import fingerprints
from celvet.lint.report.report import file_report, report

ENTRY = "    - {apiVersion: a.b/v1, kind: A, failed: self.status.x == 'a'}\n"
OTHER = "    - {apiVersion: c.d/v1, kind: C, failed: 'false'}\n"
TEXT = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: apps, namespace: a}
spec:
  wait: true
  healthCheckExprs:
"""


def _prints(text: str, name: str = "f.yaml", rule: str = "unknown-variable") -> list[str]:
    found = report([file_report(lint_text(text, name))])
    pairs = zip(found.findings, fingerprints(found), strict=True)
    return [fingerprint for each, fingerprint in pairs if each.finding.rule == rule]


@pytest.mark.parametrize(
    "text",
    [
        "# a comment\n\n---\na: 1\n---\n" + TEXT + ENTRY,
        TEXT + OTHER + ENTRY,
        (TEXT + ENTRY).replace("fluxcd.io/v1\n", "fluxcd.io/v1beta2\n"),
        TEXT + ENTRY.replace("- {", "-   {").replace("kind: A,", "kind:   A,"),
    ],
    ids=["moved", "another entry before it", "another version", "another layout"],
)
def test_stays(text: str) -> None:
    assert _prints(text) == _prints(TEXT + ENTRY) != []


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (TEXT + ENTRY, "g.yaml"),
        (TEXT.replace("apps", "infra") + ENTRY, "f.yaml"),
        (TEXT + ENTRY.replace("'a'", "'b'"), "f.yaml"),
    ],
    ids=["another file", "another object", "another text"],
)
def test_changes(text: str, name: str) -> None:
    assert not set(_prints(text, name)) & set(_prints(TEXT + ENTRY))


SHARED = """\
apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSet
metadata: {name: apps, namespace: a}
spec:
  dependsOn:
    - apiVersion: a.b/v1
      kind: A
      name: one
      ready: true
      readyExpr: self.ready
    - apiVersion: a.b/v1
      kind: A
      name: two
      ready: true
      readyExpr: self.ready
"""


def test_an_entry_is_identified_by_its_names_where_several_share_a_text() -> None:
    one, two = _prints(SHARED)
    added = SHARED.replace("name: one", "name: zero").split("    - ")[1]
    new, *others = _prints(SHARED.replace("dependsOn:\n", f"dependsOn:\n    - {added}"))
    assert others == [one, two]
    assert new not in others
    assert _prints(SHARED.replace("a.b/v1", "a.b/v2")) == [one, two]
    assert _prints(SHARED.replace("name: one", "name: three"))[1] == two


def test_equal_findings_are_counted() -> None:
    prints = _prints(TEXT + ENTRY + ENTRY)
    assert len(set(prints)) == len(prints) == 2
    assert prints[0] == _prints(TEXT + ENTRY)[0]
