"""`celvet lint` as a user meets it: output, options, exit statuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.command import Ran, celvet
from tests.files import write_files

HEAD = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata:
  name: certs
  namespace: flux-system
spec:
  interval: 1h
  prune: true
  wait: true
  sourceRef:
    kind: GitRepository
    name: flux-system
"""
BAD = HEAD + "  dependsOn:\n    - name: infra\n      readyExpr: dep.status.ready\n"
GOOD = HEAD + "  dependsOn:\n    - name: infra\n      readyExpr: dep.status.ready == true\n"
ADVICE = (
    HEAD
    + "  healthCheckExprs:\n    - apiVersion: example.com/v1\n      kind: Example\n"
    + "      current: status.phase == 'Ready'\n"
)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    return write_files(tmp_path, {"bad.yaml": BAD, "good.yaml": GOOD, "other.yaml": "a: 1\n"})


def test_a_finding_shows_its_line_with_a_caret(tree: Path) -> None:
    ran = celvet("lint", "bad.yaml", cwd=tree)
    assert ran.status == 1
    assert ran.out.splitlines()[:6] == [
        "bad.yaml:15:18: error: the result has type `dyn`, and must be `bool`,"
        " so the controller refuses the expression [result-type]",
        "   |",
        "15 |       readyExpr: dep.status.ready",
        "   |                  ^^^^^^^^^^^^^^^^",
        "   = help: Compare it, as in `... == true`.",
        "",
    ]


def test_a_clean_tree_is_said_to_be_clean(tree: Path) -> None:
    (tree / "bad.yaml").unlink()
    ran = celvet("lint", ".", cwd=tree)
    assert (ran.status, ran.err) == (0, "")
    assert ran.out == "nothing to report in 2 files\nchecked 1 expression in 1 object\n"


def test_directories_are_walked(tree: Path) -> None:
    ran = celvet("lint", ".", cwd=tree)
    assert ran.status == 1
    assert "1 error in 1 of 3 files" in ran.out


def test_standard_input_has_a_name_of_choice(tmp_path: Path) -> None:
    assert celvet("lint", "-", cwd=tmp_path, stdin=BAD).out.startswith("<stdin>:15:18: error")
    named = celvet("lint", "-", "--stdin-filename", "x.yaml", cwd=tmp_path, stdin=BAD)
    assert named.out.startswith("x.yaml:15:18: error")


def test_json_tells_the_place_exactly(tree: Path) -> None:
    ran = celvet("lint", "bad.yaml", "--format", "json", cwd=tree)
    document = json.loads(ran.out)
    (finding,) = document["findings"]
    assert document["version"] == 1
    assert finding["rule"] == "result-type"
    assert finding["field"] == "spec.dependsOn[0].readyExpr"
    assert [finding[key] for key in ("line", "column", "endLine", "endColumn")] == [15, 18, 15, 34]
    assert finding["object"] == {
        "apiVersion": "kustomize.toolkit.fluxcd.io/v1",
        "kind": "Kustomization",
        "namespace": "flux-system",
        "name": "certs",
    }
    assert document["summary"]["findings"] == {"error": 1, "warning": 0, "info": 0}


def test_thresholds(tree: Path) -> None:
    (tree / "advice.yaml").write_text(ADVICE, encoding="utf-8")
    assert celvet("lint", "advice.yaml", cwd=tree).status == 0
    assert celvet("lint", "advice.yaml", "--fail-on", "info", cwd=tree).status == 1
    hidden = celvet("lint", "advice.yaml", "--min-severity", "warning", cwd=tree)
    assert "nothing to report" in hidden.out
    both = ("--min-severity", "error", "--fail-on", "info")
    assert celvet("lint", "advice.yaml", *both, cwd=tree).status == 1, "hidden is not gone"


def test_several_reports_in_one_run(tree: Path) -> None:
    formats = ("--format", "json", "--output-file", "report.json", "--format", "text")
    ran = celvet("lint", "bad.yaml", *formats, cwd=tree)
    assert ran.out.startswith("bad.yaml:15:18: error")
    assert json.loads((tree / "report.json").read_text())["summary"]["files"] == 1
    assert [path.name for path in tree.glob(".*")] == [], "no temporary file is left"


def test_colours_only_where_they_are_wanted(tree: Path) -> None:
    assert "\x1b[" not in celvet("lint", "bad.yaml", cwd=tree).out
    assert "\x1b[" in celvet("lint", "bad.yaml", cwd=tree, env={"FORCE_COLOR": "1"}).out
    both = {"FORCE_COLOR": "1", "NO_COLOR": "1"}
    assert "\x1b[" not in celvet("lint", "bad.yaml", cwd=tree, env=both).out


def test_variables_can_be_given(tmp_path: Path) -> None:
    text = BAD.replace("dep.status.ready", "dep.status.${FIELD}")
    unknown = celvet("lint", "-", cwd=tmp_path, stdin=text)
    assert unknown.status == 0
    assert "not checked: 1 string with a `${VAR}` that has no value" in unknown.out
    given = celvet("lint", "-", "--substitute", "FIELD=ready", cwd=tmp_path, stdin=text)
    assert "<stdin>:15:18: error" in given.out
    default = text.replace("${FIELD}", "${FIELD:=ready == true}")
    assert celvet("lint", "-", cwd=tmp_path, stdin=default).status == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--no-such-option", "."), "No such option"),
        (("--format", "xml", "."), "'xml' is not one of"),
        (("--fail-on", "fatal", "."), "'fatal' is not one of"),
        (("--substitute", "novalue", "."), "write NAME=VALUE"),
        (("--output-file", "a", "--output-file", "b", "."), "more --output-file than --format"),
        (("--format", "json", "--format", "text", "."), "two formats would go to standard output"),
        (("--config", "none.yaml", "."), "none.yaml: No such file"),
        (("--format", "json", "--output-file", "no/dir.json", "."), "cannot write no/dir.json"),
    ],
)
def test_wrong_usage(tmp_path: Path, arguments: tuple[str, ...], message: str) -> None:
    (tmp_path / "a.yaml").touch()
    ran = celvet("lint", *arguments, cwd=tmp_path)
    assert ran.status == 2
    assert message in ran.err


def test_a_path_that_cannot_be_read_is_named_and_the_rest_linted(tree: Path) -> None:
    ran = celvet("lint", "none.yaml", "bad.yaml", cwd=tree)
    assert ran.status == 2
    assert ran.err == "celvet: none.yaml: No such file or directory\n"
    assert "bad.yaml:15:18: error" in ran.out


def test_a_command_that_does_not_exist(tmp_path: Path) -> None:
    ran = celvet("lnit", cwd=tmp_path)
    assert ran.status == 2
    assert "there is no command `lnit`; did you mean `lint`?" in ran.err


def test_version(tmp_path: Path) -> None:
    ran: Ran = celvet("--version", cwd=tmp_path)
    assert ran.status == 0
    assert ran.out.startswith("celvet ")


_ROOT = """apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: cluster, namespace: flux-system}
spec: {path: ./flux, sourceRef: {kind: GitRepository, name: flux-system}}
"""
_APPS = """apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: apps, namespace: flux-system}
spec:
  path: ./apps
  wait: true
  sourceRef: {kind: GitRepository, name: flux-system}
  healthCheckExprs:
    - apiVersion: example.com/v1
      kind: Thing
      current: has(status.phase) && status.phase == 'Ready'
"""
_NOT_KNOWN = "not known outside of a git repository"


def test_without_git_nothing_is_said_that_a_repository_would_refute(tmp_path: Path) -> None:
    config_map = "apiVersion: v1\nkind: ConfigMap\n"
    files = {"flux/root.yaml": _ROOT, "flux/apps.yaml": _APPS, "apps/map.yaml": config_map}
    write_files(tmp_path, files)
    without = celvet("lint", ".", cwd=tmp_path).out
    assert "[" not in without
    assert without.count(_NOT_KNOWN) == 1
    (tmp_path / ".git").mkdir()
    known = celvet("lint", ".", cwd=tmp_path).out
    assert known.count("[ignored-expression]") == 1
    assert _NOT_KNOWN not in known
