"""The files of a graph are named as the paths on the command line are."""

from __future__ import annotations

from pathlib import Path

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
    assert f"({tmp_path}/flux/cluster.yaml:1, applied by nobody here)" in said
    assert f"({tmp_path}/apps/web.yaml:1)" in said
    said = celvet("graph", ".", cwd=apps).out
    assert "(../flux/cluster.yaml:1, applied by nobody here)" in said
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
        "Kustomization flux-system/cluster (flux/cluster.yaml:1, applied by nobody here)",
        "├─ applies Kustomization flux-system/db (apps/web/db.yaml:1)",
        "└─ applies Kustomization flux-system/web (apps/web.yaml:1)",
        "   └─ applies Kustomization flux-system/db (apps/web/db.yaml:1)",
    ]


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
