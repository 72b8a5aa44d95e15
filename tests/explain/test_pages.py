"""A page and a finding say the same about a state."""

from __future__ import annotations

import pytest
import yaml

from celvet.lint.engine import lint_text
from celvet.lint.explain.page import VERDICT
from celvet.lint.explain.pages import pages
from tests.crds.definitions import definition, fields
from tests.manifests import kustomization

_MANIFEST = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: apps, namespace: flux-system}
spec:
  dependsOn:
    - name: infra
      readyExpr: >-
        %s
"""

_READY = "dep.status.conditions.exists(c, c.type == 'Ready' && c.status == 'True')"


@pytest.mark.parametrize(
    "guard",
    [
        "self.metadata.name == 'apps'",
        "dep.metadata.labels['v'] == self.metadata.labels['v']",
        "dep.status.revision == self.status.revision",
    ],
)
def test_the_proof_of_an_expression_that_reads_self_has_the_verdict_of_its_finding(
    guard: str,
) -> None:
    (page,) = pages(lint_text(_MANIFEST % f"{_READY} && {guard}"))
    proofs = [note.counterexample for note in page.notes if note.counterexample]
    shown = {line.state: line.cells[VERDICT] for line in page.lines}
    assert [proof.verdict for proof in proofs] == ["Ready"]
    assert [shown[proof.state] for proof in proofs] == ["Ready"]


def test_every_state_without_the_condition_is_marked_where_one_proves_the_finding() -> None:
    idiom = "dep.status.conditions.filter(c, c.type == 'Synced').all(c, c.status == 'True')"
    (page,) = pages(lint_text(_MANIFEST % idiom))
    marked = [line.state for line in page.lines if 1 in line.marks.get("readyExpr", ())]
    assert marked == ["foreign"]


def _of_database(crd: bool, **entry: str) -> str:
    """A Kustomization with an entry, and the CRD of its kind."""
    phases = {"type": "string", "enum": ["New", "Waiting", "Finalizing", "Failed", "Done"]}
    definitions = [definition(fields(status=fields(phase=phases)))] if crd else []
    fields_ = {"apiVersion": "example.com/v1", **entry}
    declaration = kustomization("data", wait=True, healthCheckExprs=[fields_])
    return yaml.safe_dump_all([*definitions, declaration])


def test_every_stage_that_no_expression_names_is_marked_where_one_proves_the_finding() -> None:
    failed = "status.phase != 'Done' && status.phase != 'New'"
    text = _of_database(True, kind="Database", failed=failed, current="status.phase == 'Done'")
    (page,) = pages(lint_text(text))
    marked = [line.description for line in page.lines if line.marks.get("failed")]
    assert marked == [f"whose `status.phase` is `{name}`" for name in ("Waiting", "Finalizing")]
    verdicts = {line.description: line.cells[VERDICT] for line in page.lines}
    assert verdicts["whose `status.phase` is `Failed`"] == "Failed"


@pytest.mark.parametrize(
    ("named", "title"),
    [
        ({"kind": "Database"}, "Database.example.com"),
        ({}, "an unnamed kind of example.com"),
        ({"apiVersion": "v1"}, "an unnamed kind"),
    ],
)
def test_what_an_entry_is_about(named: dict[str, str], title: str) -> None:
    (page,) = pages(lint_text(_of_database(False, current="status.phase == 'Done'", **named)))
    assert page.subject == title


@pytest.mark.parametrize(("wait", "verdicts"), [(True, {"Current"}), (False, {"Ignored"})])
def test_an_entry_that_nobody_uses_gives_no_verdict(wait: bool, verdicts: set[str]) -> None:
    text = _of_database(False, kind="Database", current="status.phase == 'Done'")
    (page,) = pages(lint_text(text.replace("wait: true", f"wait: {str(wait).lower()}")))
    done = {line.cells[VERDICT] for line in page.lines if line.cells["current"] == "true"}
    assert done == verdicts


def test_equal_checks_of_several_input_sets_are_one_page() -> None:
    text = """\
apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSet
metadata: {name: tenants}
spec:
  inputs: [{name: a, ready: "true"}, {name: b, ready: "true"}, {name: c, ready: "false"}]
  resources:
    - apiVersion: kustomize.toolkit.fluxcd.io/v1
      kind: Kustomization
      metadata: {name: "<< inputs.name >>"}
      spec:
        wait: true
        healthCheckExprs:
          - apiVersion: example.com/v1
            kind: Database
            current: status.ready == << inputs.ready >>
"""
    found = [*pages(lint_text(text, "a.yaml"))]
    assert [(page.title, page.place) for page in found] == [
        ("Kustomization a", "a.yaml, rendered"),
        ("Kustomization c", "a.yaml, rendered"),
    ]
