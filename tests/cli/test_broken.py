"""`celvet lint` fails by default if an expression works on no object, and without input."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command import celvet
from tests.cli.test_lint import HEAD
from tests.forked import Ran

_ENTRY = """\
  healthCheckExprs:
    - apiVersion: example.com/v1
      kind: Database
      failed: "false"
      current: >-
        %s
"""
_CRD = """
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: databases.example.com}
spec:
  group: example.com
  names: {kind: Database, plural: databases}
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            status:
              type: object
              properties:
                phase: {type: string}
                readyInstances: {type: integer}
"""
_READY = "status.conditions.filter(e, e.type == 'Ready')"


def _lint(expression: str, directory: Path, more: str = "") -> Ran:
    return celvet("lint", "-", cwd=directory, stdin=HEAD + _ENTRY % expression + more)


@pytest.mark.parametrize(
    "expression",
    [
        "self.status.phase == 'Ready'",
        "object.status.phase == 'Ready'",
        "nosuchfn(status)",
        "quantity(status.size) == 1",
        "\"'true'\"",
        "status.conditions[?(@.type=='Ready')].status == 'True'",
        f"{_READY}.status == 'True'",
        "status.conditions.Ready == 'True'",
        "status.conditions['Ready'].status == 'True'",
    ],
)
def test_what_works_on_no_object_is_an_error(tmp_path: Path, expression: str) -> None:
    ran = _lint(expression, tmp_path)
    assert ran.status == 1
    assert "1 error in" in ran.out


@pytest.mark.parametrize(
    "expression",
    [
        "status.conditions.exists(e, e.type == 'Ready' && e.status == true)",
        "1 == 2",
        "status.condition.exists(e, e.type == 'Ready' && e.status == 'True')",
        "status.conditions.exists(e, e.type == 'Ready' && e.staus == 'True')",
        "status.observedGeneraton == metadata.generation",
    ],
)
def test_what_nobody_can_mean_is_a_warning(tmp_path: Path, expression: str) -> None:
    ran = _lint(expression, tmp_path)
    assert ran.status == 1
    assert "1 warning in" in ran.out


def test_what_an_unknown_kind_may_never_do_is_an_info(tmp_path: Path) -> None:
    ran = _lint(f"{_READY}.all(e, e.status == 'True')", tmp_path)
    assert ran.status == 0
    assert "1 info in" in ran.out


@pytest.mark.parametrize(
    "expression", ["status.phse == 'Ready'", "status.phase", "status.readyInstances > '3'"]
)
def test_what_only_a_schema_tells(tmp_path: Path, expression: str) -> None:
    unknown = _lint(expression, tmp_path)
    assert unknown.status == 0
    assert "for lack of a CRD (see --crds): Database.example.com" in unknown.out
    assert _lint(expression, tmp_path, _CRD).status == 1


_CNPG = _ENTRY.replace("example.com", "postgresql.cnpg.io").replace("Database", "Cluster")


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        ("status.phse == 'Cluster in healthy state'", "did you mean `status.phase`?"),
        ("has(status.phse) && status.phse == 'Ready'", "did you mean `status.phase`?"),
        ("status.phase", "gives an error on a ready `Cluster`"),
        ("status.readyInstances > '3'", "gives an error on a ready `Cluster`"),
    ],
)
def test_the_catalogue_tells_it_without_a_schema(
    tmp_path: Path, expression: str, said: str
) -> None:
    ran = celvet("lint", "-", cwd=tmp_path, stdin=HEAD + _CNPG % expression)
    assert ran.status == 1
    assert said in ran.out
    assert "1 warning in" in ran.out


@pytest.mark.parametrize(
    "expression",
    ["status.certificates.serverTLSSecret != '' && status.timelineID > 1", "status.instances > 2"],
)
def test_the_catalogue_does_not_show_each_field(tmp_path: Path, expression: str) -> None:
    ran = celvet("lint", "-", cwd=tmp_path, stdin=HEAD + _CNPG % expression)
    assert "never-true" not in ran.out


def test_nothing_is_found_in_what_works(tmp_path: Path) -> None:
    assert _lint("status.phase == 'Ready'", tmp_path).status == 0


def test_a_directory_without_a_file_is_a_mistake(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    ran = celvet("lint", "empty", cwd=tmp_path)
    assert (ran.status, ran.out) == (2, "")
    assert "no YAML or JSON file in `empty`; see --allow-empty" in ran.err
    allowed = celvet("lint", "--allow-empty", "empty", cwd=tmp_path)
    assert (allowed.status, allowed.err) == (0, "")


def test_no_health_test_is_a_mistake(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("a: 1\n")
    ran = celvet("test", ".", cwd=tmp_path)
    assert (ran.status, ran.out) == (2, "no health tests\n")
    assert ran.err == "celvet: no health test in .; see --allow-empty\n"
    assert celvet("test", "--allow-empty", ".", cwd=tmp_path).status == 0


_TEST = """\
apiVersion: celvet.dev/v1alpha1
kind: HealthTest
metadata: {name: %s}
target: {file: ks.yaml, kind: Kustomization, name: certs}
cases:
  - %s
"""
_CASE = (
    "{name: ready, expect: Current, object: {apiVersion: postgresql.cnpg.io/v1, kind: Cluster,"
    " metadata: {name: a}, status: {phase: Healthy}}}"
)


def test_a_test_that_cannot_be_read_keeps_no_other_from_running(tmp_path: Path) -> None:
    (tmp_path / "ks.yaml").write_text(HEAD + _ENTRY % "status.phase == 'Healthy'")
    broken = _TEST % ("broken", "{name: a, nope: 1}")
    unreadable = "apiVersion: celvet.dev/v1alpha1\nkind: HealthTest\nmetadata: {name: x\n"
    content = "---\n".join([broken, unreadable, _TEST % ("good", _CASE)])
    (tmp_path / "a.test.yaml").write_text(content)
    ran = celvet("test", ".", cwd=tmp_path)
    assert ran.status == 2
    assert ran.out.startswith("a.test.yaml good .\n")
    assert "a.test.yaml:6:5: error:" in ran.err
    (tmp_path / "a.test.yaml").write_text(broken)
    alone = celvet("test", ".", cwd=tmp_path)
    assert (alone.status, alone.out) == (2, "no health test could be run\n")
    assert "--allow-empty" not in alone.err


@pytest.mark.parametrize(
    "text",
    [
        "error: You must be logged in to the server (Unauthorized)",
        "status: {phase: Healthy}",
        "a text",
        "No resources found in default namespace.",
        "[1, {apiVersion: v1, kind: ConfigMap}]",
        "42",
        "null",
        "",
        "apiVersion: v1\nkind: [a]\n",
        "{apiVersion: v1, kind: List, items: []}",
        "apiVersion: v1\nkind: ConfigMap\n---\nstatus: {}\n",
        "apiVersion: v1\nkind: ConfigMap\n---\nerror\n",
    ],
)
def test_eval_refuses_what_is_not_an_object(tmp_path: Path, text: str) -> None:
    (tmp_path / "ks.yaml").write_text(HEAD)
    ran = celvet("eval", "ks.yaml", "--object", "-", cwd=tmp_path, stdin=text)
    assert (ran.status, ran.out) == (2, "")
    assert "is not a Kubernetes object" in ran.err


def test_a_bare_expression_needs_no_kind(tmp_path: Path) -> None:
    given = ("eval", "--expr", "status.a == 1", "--object", "-")
    assert celvet(*given, cwd=tmp_path, stdin="status: {a: 1}").status == 0


def test_eval_says_that_kstatus_decided(tmp_path: Path) -> None:
    (tmp_path / "ks.yaml").write_text(HEAD + _ENTRY % "status.phase == 'Healthy'")
    stdin = "apiVersion: example.com/v1\nkind: Rolout\nmetadata: {name: a}\n"
    ran = celvet("eval", "ks.yaml", "--object", "-", cwd=tmp_path, stdin=stdin)
    assert (
        "  Current\n  decided by kstatus: no expression here is about Rolout.example.com\n"
        in ran.out
    )
