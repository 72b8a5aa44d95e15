"""A path is a path: however it is spelt, each command says the same about a repository."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.command import celvet

_PARENT = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: apps, namespace: flux-system}
spec:
  interval: 1h
  prune: true
  path: ./apps
  sourceRef: {kind: GitRepository, name: flux-system}
"""
_CHILD = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: cache, namespace: flux-system}
spec:
  interval: 1h
  prune: true
  wait: true
  path: ./cache
  sourceRef: {kind: GitRepository, name: flux-system}
  dependsOn: [{name: gone}]
  healthCheckExprs:
    - apiVersion: example.com/v1
      kind: Widget
      current: status.ready == true
"""
_CACHE = "apiVersion: dragonflydb.io/v1alpha1\nkind: Dragonfly\nmetadata: {name: cache}\n"
_COMMANDS = {
    "lint": ("lint", "--min-severity", "info", "--format", "concise"),
    "graph": ("graph",),
    "missing": ("suggest", "--missing"),
    "explain": ("explain",),
}
_SPELLINGS: dict[str, Callable[[Path], tuple[Path, str]]] = {
    "parent": lambda root: (root / "apps", ".."),
    "sibling": lambda root: (root.parent / "elsewhere", f"../{root.name}"),
    "around": lambda root: (root, f"../{root.name}/."),
    "absolute": lambda root: (root.parent / "elsewhere", str(root)),
    "absolute with dots": lambda root: (root.parent, f"{root}/apps/.."),
    "linked": lambda root: (root.parent, "link"),
    "through a link": lambda root: (root.parent / "link" / "apps", ".."),
}


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "repository"
    for name, text in {
        ".git/HEAD": "",
        "clusters/apps.yaml": _PARENT,
        "apps/cache.yaml": _CHILD,
        "cache/dragonfly.yaml": _CACHE,
    }.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "link").symlink_to(root)
    return root


@pytest.mark.parametrize("spelling", _SPELLINGS)
@pytest.mark.parametrize("command", _COMMANDS)
def test_each_spelling_gives_the_same(command: str, spelling: str, repository: Path) -> None:
    directory, path = _SPELLINGS[spelling](repository)
    plain = celvet(*_COMMANDS[command], ".", cwd=repository)
    other = celvet(*_COMMANDS[command], path, cwd=directory)
    assert other.status == plain.status
    assert _shown(other.out, repository, directory) == _shown(plain.out, repository, repository)
    assert plain.out


def _shown(output: str, root: Path, directory: Path) -> list[str]:
    """The words of an output, with the paths of files as they are in the repository."""

    def from_root(match: re.Match[str]) -> str:
        return os.path.relpath((directory / match[0]).resolve(), root.resolve())

    words = [word for word in output.split() if word != "#"]  # longer paths break lines elsewhere
    return [re.sub(r"[\w./-]+\.yaml\b", from_root, word) for word in words]
