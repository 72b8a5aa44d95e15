"""`celvet suggest --missing --write` puts the entries into the files, once."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command import celvet
from tests.files import write_files

_FILES = {
    "clusters/ks.yaml": """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: db, namespace: flux-system}
spec:
  path: ./apps/db  # a comment that stays
  interval: 1h
  prune: true
  wait: true
  sourceRef: {kind: GitRepository, name: flux-system}
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: web, namespace: flux-system}
spec:
  path: ./apps/web
  interval: 1h
  prune: true
  sourceRef: {kind: GitRepository, name: flux-system}
  dependsOn: [{name: db}]
""",
    "apps/db/cluster.yaml": """\
apiVersion: postgresql.cnpg.io/v1
kind: Cluster
metadata: {name: db, namespace: db}
""",
    "apps/db/cache.yaml": """\
apiVersion: dragonflydb.io/v1alpha1
kind: Dragonfly
metadata: {name: cache, namespace: db}
""",
}


@pytest.mark.usefixtures("outside")
def test_entries_are_written_once(tmp_path: Path) -> None:
    write_files(tmp_path, _FILES)
    file = tmp_path / "clusters/ks.yaml"

    first = celvet("suggest", "--missing", ".", "--write", cwd=tmp_path)
    written = file.read_text(encoding="utf-8")
    assert (first.status, first.out) == (0, "")
    assert "kind: Cluster" in written
    assert "kind: Dragonfly" in written
    assert "  path: ./apps/db  # a comment that stays\n" in written

    again = celvet("suggest", "--missing", ".", "--write", cwd=tmp_path)
    assert (again.status, again.err) == (0, "celvet: nothing is missing\n")
    assert file.read_text(encoding="utf-8") == written
    assert celvet("suggest", "--missing", ".", cwd=tmp_path).out == ""
