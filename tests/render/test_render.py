"""`celvet lint --render` also lints the output of an installed renderer."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from celvet.lint.render import program
from celvet.lint.render.program import RenderError, RenderProgram
from tests.cli.command import Ran, celvet

pytestmark = pytest.mark.slow

_APPLIED = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata:
  name: apps
  namespace: flux-system
spec:
  interval: 1h
  path: ./apps
  prune: true
  sourceRef:
    kind: GitRepository
    name: flux-system
  postBuild:
    substitute:
      PHASE: Ready
"""
_APP = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata:
  name: certs
spec:
  interval: 1h
  path: ./certs
  prune: true
  wait: true
  sourceRef:
    kind: GitRepository
    name: flux-system
  dependsOn:
    - name: infra
      readyExpr: EXPRESSION
"""
_URL = "http://127.0.0.1:19999/file.yaml"
_GOOD = "dep.status.ready == true"
_BAD = "dep.status.ready"
_ANNOTATED = """\
metadata:
  annotations:
    config.kubernetes.io/origin: |
      path: {base}/app.yaml
"""


class Tree:
    """A repository with an application, and renderers of its own."""

    def __init__(self, path: Path, expression: str = _GOOD) -> None:
        self.path = path / "repository"
        self.programs = path / "programs"
        self.programs.mkdir()
        (self.path / ".git").mkdir(parents=True)
        self.write("clusters/apps.yaml", _APPLIED)
        self.write("apps/kustomization.yaml", "resources: [app.yaml]\n")
        self.write("apps/app.yaml", _APP.replace("EXPRESSION", expression))

    def write(self, name: str, text: str) -> None:
        (self.path / name).parent.mkdir(exist_ok=True)
        (self.path / name).write_text(text, encoding="utf-8")

    def program(self, code: str, name: str = "kustomize") -> RenderProgram:
        """Install a renderer; `base` is the first resource that it is given."""
        file = self.programs / name
        read = "base = json.load(open('kustomization.yaml'))['resources'][0]"
        start = f"#!{sys.executable}\nimport json, os, sys, time\n{read}\n"
        file.write_text(start + code, encoding="utf-8")
        file.chmod(0o755)
        return RenderProgram(name, str(file))

    def renders(self, expression: str, name: str = "kustomize") -> None:
        """Install a renderer that gives the application with another expression."""
        text = _APP.replace("EXPRESSION", expression).replace("metadata:\n", _ANNOTATED)
        self.program(f"print({text!r}.replace('{{base}}', base))", name)

    def lint(self, *options: str, render: str = "kustomize", path: str = ".") -> Ran:
        environment = {"PATH": str(self.programs), "SECRET": "hunter2"}
        arguments = ("lint", path, "--render", render, "--format", "concise", "-q", *options)
        return celvet(*arguments, cwd=self.path, env=environment)


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    return Tree(tmp_path)


_FOUND = (
    "apps/app.yaml:15:18: error: the result has type `dyn`, and must be `bool`, so the"
    " controller refuses the expression; Kustomization flux-system/apps renders it like this"
    " [result-type]\n"
)


@pytest.mark.parametrize("name", ["kustomize", "flux"])
def test_a_finding_stands_where_the_field_is_written(tree: Tree, name: str) -> None:
    tree.renders(_BAD, name)
    for choice in (name, "auto"):
        ran = tree.lint(render=choice)
        assert (ran.status, ran.out, ran.err) == (1, _FOUND, "")
    assert tree.lint(render="off").out == ""


def test_only_the_files_of_the_run_have_findings(tree: Tree) -> None:
    tree.renders(_BAD)
    assert tree.lint(path="clusters").out == ""
    assert tree.lint(path="apps").out == _FOUND


def test_what_the_file_shows_itself_is_said_once(tmp_path: Path) -> None:
    tree = Tree(tmp_path, _BAD)
    tree.renders(_BAD)
    assert tree.lint().out == tree.lint(render="off").out != ""


def test_an_entry_that_is_rendered_unused_has_no_behaviour(tree: Tree) -> None:
    checks = "  healthCheckExprs:\n    - apiVersion: example.com/v1\n      kind: Example\n"
    checks += "      current: status.phase == 'Ready'\n"
    app = _APP.replace("EXPRESSION", _GOOD) + checks
    tree.write("apps/app.yaml", app)
    assert "[missing-failed]" in tree.lint(render="off").out
    rendered = app.replace("wait: true", "wait: false").replace("metadata:\n", _ANNOTATED)
    tree.program(f"print({rendered!r}.replace('{{base}}', base))")
    (line,) = tree.lint().out.splitlines()
    assert "`wait` is false" in line
    assert line.endswith("[ignored-expression]")


def test_a_comment_suppresses_what_is_rendered(tmp_path: Path) -> None:
    tree = Tree(tmp_path, f"{_GOOD} # celvet: ignore[result-type]")
    tree.renders(_BAD)
    assert "[result-type]" not in tree.lint().out


def test_a_baseline_knows_what_is_rendered(tree: Tree) -> None:
    tree.renders(_BAD)
    tree.lint("--baseline", "known.json", "--update-baseline")
    assert tree.lint("--baseline", "known.json").out == ""


def test_a_directory_without_a_kustomization_is_built_from_copies(tree: Tree) -> None:
    (tree.path / "apps/kustomization.yaml").unlink()
    tree.write("apps/a.json", "{}")  # Flux does not read JSON there
    text = _APP.replace("EXPRESSION", _BAD).replace("metadata:\n", _ANNOTATED)
    tree.program(f"print({text!r}.replace('{{base}}/app.yaml', base), open(base).read()[:0])")
    assert tree.lint().out == _FOUND


def test_variables_have_the_values_of_the_kustomization(tree: Tree) -> None:
    tree.renders("dep.status.phase == '${PHASE}' && '${SECRET}' != ''")
    assert tree.lint().out == ""
    tree.renders("dep.status.phase == '${PHASE}")
    assert "[cel-syntax]" in tree.lint().out


def test_an_origin_outside_of_the_repository_is_left_aside(tree: Tree) -> None:
    text = _APP.replace("EXPRESSION", _BAD).replace("metadata:\n", _ANNOTATED)
    for origin in ("/etc", "../../../../../../etc", "'", "{"):
        tree.program(f"print({text!r}.replace('{{base}}', {origin!r}))")
        assert (tree.lint().out, tree.lint().err) == ("", "")


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (
            "sys.exit('Error: line 1\\nError: app.yaml: no\\tsuch file\\n')",
            "app.yaml: no such file",
        ),
        ("sys.exit(3)", "it ends with status 3"),
        ("sys.exit(' '.join(sorted({*os.environ} - {'LC_CTYPE'})))", "HOME HTTPS_PROXY HTTP_PROXY"),
    ],
)
def test_a_build_that_fails_is_one_message(tree: Tree, code: str, said: str) -> None:
    tree.program(code)
    ran = tree.lint()
    assert (ran.status, ran.out) == (0, "")
    start = f"celvet: --render: Kustomization flux-system/apps is not rendered: {said}"
    assert ran.err.startswith(start)
    assert ran.err.count("\n") == 1
    assert "SECRET" not in ran.err


@pytest.mark.parametrize(
    ("number", "named"),
    [
        (2, "apps-2, Kustomization flux-system/apps are"),
        (
            5,
            ", ".join(
                ("apps-2", "Kustomization flux-system/apps-3", "Kustomization flux-system/apps-4")
            )
            + " and 2 more are",
        ),
    ],
)
def test_builds_that_fail_alike_are_one_message(tree: Tree, number: int, named: str) -> None:
    tree.program("sys.exit('Error: no plugin')")
    for at in range(2, number + 1):
        text = _APPLIED.replace("name: apps", f"name: apps-{at}")
        tree.write(f"clusters/apps-{at}.yaml", text.replace("PHASE: Ready", f"PHASE: p{at}"))
    said = f"Kustomization flux-system/{named} not rendered: no plugin"
    assert tree.lint().err == f"celvet: --render: {said}\n"


@pytest.mark.parametrize(
    "fields",
    [
        {"patches": [{"path": _URL}]},
        {"patchesStrategicMerge": [_URL]},
        {"patchesJson6902": [{"path": _URL}]},
        {"replacements": [{"path": _URL}]},
        {"openapi": {"path": _URL}},
        {"crds": [_URL]},
        {"configurations": [_URL]},
        {"transformers": [_URL]},
        {"generators": [_URL]},
        {"validators": [_URL]},
        {"configMapGenerator": [{"files": [f"key={_URL}"]}]},
        {"secretGenerator": [{"envs": [_URL]}]},
        {"secretGenerator": [{"env": _URL.upper()}]},
    ],
)
def test_no_file_is_fetched(tree: Tree, fields: dict[str, object]) -> None:
    tree.program("sys.exit('called')")
    tree.write("apps/kustomization.yaml", json.dumps({"resources": ["app.yaml"], **fields}))
    error = tree.lint().err
    assert error.lower().endswith(f"is not rendered: `{_URL}` would have to be fetched\n")


def test_a_program_has_no_network(tree: Tree) -> None:
    if not program._isolation():
        pytest.skip("the kernel allows no namespace without a network")
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = server.getsockname()
        connecting = tree.program(f"import socket; socket.create_connection({address!r})")
        (tree.path / "kustomization.yaml").write_text('{"resources": ["."]}')
        with pytest.raises(RenderError, match="Network is unreachable"):
            connecting.build(tree.path, "", "", 60)


def test_nothing_is_fetched(tree: Tree) -> None:
    tree.program("sys.exit('called')")
    tree.write("apps/kustomization.yaml", "resources: [../base]\n")
    tree.write("base/kustomization.yaml", "resources: ['https://example.com/base?ref=v1']\n")
    said = "`https://example.com/base?ref=v1` would have to be fetched"
    assert tree.lint().err.endswith(f"is not rendered: {said}\n")


def test_the_repository_does_not_change(tree: Tree) -> None:
    before = sorted(tree.path.rglob("*"))
    tree.program("open('kustomization.yaml', 'w').write(str(sys.argv))", "flux")
    assert (tree.lint(render="flux").err, sorted(tree.path.rglob("*"))) == ("", before)


def test_flux_gets_the_kustomization(tree: Tree) -> None:
    tree.program("sys.exit(' '.join(sys.argv[1:]) + open('../applied.json').read()[:30])", "flux")
    wanted = (
        "build kustomization apps --namespace flux-system --dry-run --path ."
        ' --kustomization-file ../applied.json{"apiVersion":'
    )
    assert wanted in tree.lint(render="flux").err


def test_a_renderer_that_is_not_installed(tree: Tree) -> None:
    ran = tree.lint(render="flux")
    assert ran.status == 2
    assert "--render flux: flux is not installed, or not in the PATH" in ran.err
    ran = tree.lint(render="auto")
    said = "neither kustomize nor flux is installed, so nothing is rendered"
    assert (ran.status, ran.err) == (0, f"celvet: --render: {said}\n")


def test_what_is_rendered_is_not_fixed(tree: Tree) -> None:
    tree.renders(_BAD)
    ran = tree.lint("--fix")
    assert (ran.status, "--render" in ran.err) == (2, True)


def test_a_slow_build_ends_with_all_it_started(tree: Tree) -> None:
    slow = tree.program("os.fork()\ntime.sleep(600)")
    (tree.path / "kustomization.yaml").write_text('{"resources": ["."]}')
    with pytest.raises(RenderError, match="it takes longer than 1 s"):
        slow.build(tree.path, "", "", 1)


def test_endless_output_is_cut(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "_MOST_BYTES", 2**20)
    (tree.path / "kustomization.yaml").write_text('{"resources": ["."]}')
    for stream in ("stdout", "stderr"):
        endless = tree.program(f"while True: sys.{stream}.write('x' * 10_000)")
        with pytest.raises(RenderError, match="it writes more than 1 MB"):
            endless.build(tree.path, "", "", 60)


@pytest.mark.parametrize("name", ["kustomize", "flux"])
def test_the_real_program(tree: Tree, name: str) -> None:
    """A replacement writes the expression, which no file has."""
    installed = os.environ.get(name.upper()) or shutil.which(name)
    if not installed:
        pytest.skip(f"{name} is not installed (or named by {name.upper()})")
    (tree.programs / name).symlink_to(installed)
    values = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "values"}}
    tree.write("apps/values.json", json.dumps({**values, "data": {"expression": _BAD}}))
    source = {"kind": "ConfigMap", "name": "values", "fieldPath": "data.expression"}
    target = {"select": {"kind": "Kustomization"}, "fieldPaths": ["spec.dependsOn.0.readyExpr"]}
    fields = {
        "namePrefix": "my-",
        "namespace": "team",
        "resources": ["app.yaml", "values.json"],
        "replacements": [{"source": source, "targets": [target]}],
    }
    tree.write("apps/kustomization.yaml", json.dumps(fields))
    ran = tree.lint(render=name)
    assert (ran.out, ran.err) == (_FOUND, "")
    component = {"apiVersion": "kustomize.config.k8s.io/v1alpha1", "kind": "Component"}
    tree.write("apps/kustomization.yaml", json.dumps({**fields, **component}))
    assert (tree.lint(render=name).out, tree.lint(render=name).err) == (_FOUND, "")
    tree.write("apps/kustomization.yaml", "resources: [gone.yaml]\n")
    assert "gone.yaml: no such file or directory" in tree.lint(render=name).err
    files = [{"name": "map", "files": ["https://example.com/file.txt"]}]
    tree.write("apps/kustomization.yaml", json.dumps({"configMapGenerator": files}))
    fetched = "is not rendered: `https://example.com/file.txt` would have to be fetched\n"
    assert tree.lint(render=name).err.endswith(fetched)


_WAITS = """\
os.write(os.open({fifo!r}, os.O_WRONLY), b"runs")  # open until the program ends
time.sleep(60)
"""


@pytest.mark.parametrize(("sent", "status"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_a_signal_ends_the_renderer_too_and_nothing_is_left(
    tree: Tree, tmp_path: Path, sent: signal.Signals, status: int
) -> None:
    fifo, temporary = tmp_path / "fifo", tmp_path / "temporary"
    os.mkfifo(fifo)
    temporary.mkdir()
    tree.program(_WAITS.format(fifo=str(fifo)))
    environment = {"PATH": str(tree.programs), "TMPDIR": str(temporary)}
    command = [sys.executable, "-m", "celvet", "lint", ".", "--render", "kustomize"]
    with (
        subprocess.Popen(command, cwd=tree.path, env=environment, stderr=subprocess.PIPE) as ran,
        fifo.open("rb") as running,
    ):
        assert running.read(4) == b"runs"
        ran.send_signal(sent)
        assert running.read() == b""
    assert ran.returncode == status
    assert not [*temporary.iterdir()]
