"""Hidden directories: what nothing applies is skipped, unless it is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from celvet import lint_paths
from tests.cli.command import celvet
from tests.files import write_files

_DEAD = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: %s, namespace: flux-system}
spec:
  path: ./%s
  sourceRef: {kind: GitRepository, name: flux-system}
  healthCheckExprs: [{apiVersion: example.com/v1, kind: Thing, current: "1"}]
"""


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    paths = {".old/web.yaml": "web", ".live/app.yaml": "app", "root.yaml": ".live"}
    files = {name: _DEAD % (Path(name).stem, path) for name, path in paths.items()}
    return write_files(tmp_path, {".git/HEAD": "", **files})


def test_lint_skips_an_archive_and_says_so(directory: Path) -> None:
    ran = celvet("lint", ".", "--format", "concise", cwd=directory)
    assert (
        ran.err == "celvet: .old: skipped, since nothing applies its files; name it to include it\n"
    )
    assert ".live/app.yaml" in ran.out
    assert ".old" not in ran.out
    assert ".old/web.yaml" in celvet("lint", ".old", "--format", "concise", cwd=directory).out


def test_a_cluster_in_an_archive_is_dead_unless_it_is_the_only_one(directory: Path) -> None:
    write_files(directory, {".old/apps/db.yaml": _DEAD % ("db", "db")})
    write_files(directory, {".old/root.yaml": _DEAD % ("old", ".old/apps")})
    assert ".old/" not in celvet("lint", ".", "--format", "concise", cwd=directory).out
    (directory / "root.yaml").unlink()
    assert ".old/apps" in celvet("lint", ".", "--format", "concise", cwd=directory).out


def test_workflows_are_no_archive(directory: Path) -> None:
    workflow = directory / ".github" / "workflows" / "e2e.yaml"
    workflow.parent.mkdir(parents=True)
    wait = "kubectl wait --for=condition=Redy kustomizations.kustomize.toolkit.fluxcd.io/a"
    workflow.write_text(f"on: push\njobs: {{a: {{steps: [{{run: {wait}}}]}}}}\n")
    ran = celvet("lint", ".", "--format", "concise", cwd=directory)
    assert ".github" not in ran.err
    lines = [line for line in ran.out.splitlines() if line.startswith(".github")]
    assert len(lines) == 1  # the key `on`, which kubectl would read as `true`, is no problem
    assert "no condition `Redy`" in lines[0]


def test_the_graph_skips_it(directory: Path) -> None:
    assert ".old" not in celvet("graph", ".", cwd=directory).out


def test_the_library_skips_it(directory: Path) -> None:
    names = [Path(result.name).name for result in lint_paths([directory])]
    assert sorted(names) == ["app.yaml", "root.yaml"]
