"""The memory that a repository keeps when its files are read again."""

from __future__ import annotations

import gc
import weakref
from pathlib import Path

from celvet.lint.engine import Settings, lint_text
from celvet.lint.repository.questions import InputProviders
from celvet.lint.repository.surroundings import Repository, forget

_KUSTOMIZATION = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: apps, namespace: flux-system}
spec:
  interval: 1h
  prune: true
  path: ./apps
  dependsOn: [{name: nowhere}]
  sourceRef: {kind: GitRepository, name: flux-system}
"""


def test_files_that_are_read_again_are_not_kept(tmp_path: Path) -> None:
    path = tmp_path / "apps.yaml"
    path.write_text(_KUSTOMIZATION)
    repository = Repository(tmp_path)
    around = repository.surroundings_of(str(path))
    lint_text(path.read_bytes(), str(path), Settings(surroundings=around))
    around.ask(InputProviders())
    files = weakref.ref(repository.index.files)
    assert files() is not None
    forget()
    gc.collect()
    assert files() is None
