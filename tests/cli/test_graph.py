"""The files of a graph, how they are named, and the objects that they name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from celvet.lint.cli.run.session import manifests
from celvet.lint.engine import Settings
from celvet.lint.manifest import Manifest, read
from tests.cli.command import celvet
from tests.rules.repository import lint_files

_FILES = """\
# flux/cluster.yaml
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: cluster, namespace: flux-system}
spec: {path: ./apps, sourceRef: {kind: GitRepository, name: flux-system}}
---
# apps/web.yaml
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: web, namespace: flux-system}
spec: {path: ./web, sourceRef: {kind: GitRepository, name: flux-system}}
"""


def test_a_file_elsewhere_is_named_like_the_others(tmp_path: Path) -> None:
    lint_files(_FILES, tmp_path)
    apps = tmp_path / "apps"
    said = celvet("graph", apps, cwd=apps).out
    assert f"({tmp_path}/flux/cluster.yaml:1, not applied here)" in said
    assert f"({tmp_path}/apps/web.yaml:1)" in said
    said = celvet("graph", ".", cwd=apps).out
    assert "(../flux/cluster.yaml:1, not applied here)" in said
    assert "(web.yaml:1)" in said


def test_an_object_is_shown_below_each_that_applies_it(tmp_path: Path) -> None:
    """Also if their files are not among those on the command line."""
    database = _FILES.split("# apps/web.yaml\n")[1].replace("web", "db")
    lint_files(f"{_FILES}---\n# apps/web/db.yaml\n{database}", tmp_path)
    (tmp_path / "apps/web.yaml").write_text(
        (tmp_path / "apps/web.yaml").read_text(encoding="utf-8").replace("./web", "./apps/web"),
        encoding="utf-8",
    )
    said = celvet("graph", "apps/web", cwd=tmp_path).out
    assert said.splitlines() == [
        "Kustomization flux-system/cluster (flux/cluster.yaml:1, not applied here)",
        "├─ applies Kustomization flux-system/db (apps/web/db.yaml:1)",
        "└─ applies Kustomization flux-system/web (apps/web.yaml:1)",
        "   └─ applies Kustomization flux-system/db (apps/web/db.yaml:1)",
    ]


def test_a_name_means_the_one_object_that_two_apply(tmp_path: Path) -> None:
    twice = _FILES.split("# apps/web.yaml\n")[1].replace("name: web", "name: web-too")
    release = "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\n"
    release += "metadata: {name: NAME, namespace: web}\nspec: {dependsOn: [{name: OTHER}]}\n"
    one, two = (
        release.replace("NAME", name).replace("OTHER", other)
        for name, other in (("one", "two"), ("two", "one"))
    )
    files = f"{_FILES}---\n# apps/too.yaml\n{twice}---\n# web/1.yaml\n{one}---\n# web/2.yaml\n{two}"
    lint_files(files, tmp_path)
    ran = celvet("graph", ".", cwd=tmp_path)
    assert "not in these files" not in ran.out
    assert ran.out.count("✗ a cycle") == 4
    assert ran.status == 1


def test_a_test_is_shown_with_the_variables_of_the_parent(tmp_path: Path) -> None:
    files = _FILES.replace("path: ./apps,", "path: ./apps, postBuild: {substitute: {P: Done}},")
    entry = "{apiVersion: example.com/v1, kind: Job, current: \"status.phase == '${P}'\"}"
    files = files.replace(
        "path: ./web,",
        "healthChecks: [{apiVersion: example.com/v1, kind: Job, name: a, namespace: b}],\n"
        f"  healthCheckExprs: [{entry}], path: ./web,",
    )
    lint_files(files, tmp_path)
    said = celvet("graph", ".", cwd=tmp_path).out
    assert "status.phase == 'Done'" in said
    assert "${P}" not in said


def test_files_without_a_known_group_are_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Dashboards have variables of their own, and reading them took 5 of 6 seconds."""
    lint_files(_FILES, tmp_path)
    (tmp_path / "dashboard.json").write_text('{"kind": "${DS}", "dependsOn": []}', encoding="utf-8")
    names: list[str] = []

    def reading(data: bytes, name: str, *others: Any) -> Manifest:
        names.append(name)
        return read(data, name, *others)

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("celvet.lint.manifest.read", reading)
    assert [*manifests([*sorted(Path().glob("*/*.*")), Path("dashboard.json")], Settings())]
    assert names == ["apps/web.yaml", "flux/cluster.yaml"]


def test_an_object_that_kstatus_never_waits_for_is_awaited_until_it_exists(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(
        "apiVersion: fluxcd.controlplane.io/v1\n"
        "kind: ResourceSet\n"
        "metadata: {name: web, namespace: flux-system}\n"
        "spec:\n"
        "  dependsOn:\n"
        "    - {apiVersion: acid.zalan.do/v1, kind: postgresql, name: a, ready: true}\n"
        "    - {apiVersion: apps/v1, kind: Deployment, name: a, ready: true}\n",
        encoding="utf-8",
    )
    said = celvet("graph", "a.yaml", cwd=tmp_path).out.splitlines()
    assert [line.rpartition(") ")[2] for line in said[1:]] == [
        "until it exists",
        "until it is ready",
    ]


def test_the_clock_takes_a_file_as_written_among_too_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A patch that is not read may change it; that the wait is counted says more than silence."""
    monkeypatch.setattr("celvet.lint.repository.files._MOST_FILES", 1)
    lint_files(_FILES.replace("path: ./apps,", "path: ./apps, wait: true, timeout: 3m,"), tmp_path)
    said = celvet("graph", "--clock", "flux/cluster.yaml", cwd=tmp_path).out
    assert "ready after 0s at best, 3m at worst\n" in said
