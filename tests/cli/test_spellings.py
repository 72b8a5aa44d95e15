"""A path is a path: however it is spelt, each command says the same about a repository."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.command import celvet
from tests.files import write_files

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
_DEPENDANT = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: site, namespace: flux-system}
spec:
  interval: 1h
  prune: true
  path: ./site
  sourceRef: {kind: GitRepository, name: flux-system}
  dependsOn: [{name: cache}]
"""
_CACHE = "apiVersion: dragonflydb.io/v1alpha1\nkind: Dragonfly\nmetadata: {name: cache}\n"
_WIDGET = """\
apiVersion: example.com/v1
kind: Widget
metadata: {name: w}
status: {ready: true}
"""
_TEST = """\
apiVersion: celvet.dev/v1alpha1
kind: HealthTest
metadata: {name: widget}
target: {file: ../apps/cache.yaml, kind: Kustomization, name: cache}
cases:
  - {name: ready, object: ../widget.yaml, expect: Failed}
"""
_SET = """\
apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSet
metadata: {name: tenants, namespace: flux-system}
spec:
  inputsFrom: [{selector: {matchLabels: {tenants: all}}}]
  resources:
    - {apiVersion: v1, kind: Namespace, metadata: {name: << inputs.tenant >>}}
"""
_PROVIDER = """\
apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSetInputProvider
metadata: {name: blue, namespace: flux-system, labels: {tenants: all}}
spec: {type: Static, defaultValues: {tenant: blue}}
"""
_COMMANDS = {
    "lint": ("lint", "--min-severity", "info", "--format", "concise", "{}"),
    "lint of a file": ("lint", "--min-severity", "info", "--format", "json", "{}/apps/cache.yaml"),
    "graph": ("graph", "{}"),
    "graph as JSON": ("graph", "-f", "json", "{}"),
    "missing": ("suggest", "--missing", "{}"),
    "explain": ("explain", "{}"),
    "explain of a file": ("explain", "{}/apps/cache.yaml"),
    "eval": ("eval", "{}/apps/cache.yaml", "--object", "{}/widget.yaml"),
    "test": ("test", "{}"),
    "test of a file": ("test", "{}/health/widget.yaml"),
    "build": ("build", "{}/sets/tenants.yaml"),
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
    files = {
        ".git/HEAD": "",
        "clusters/apps.yaml": _PARENT,
        "apps/cache.yaml": _CHILD,
        "apps/site.yaml": _DEPENDANT,
        "cache/dragonfly.yaml": _CACHE,
        "site/page.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: page}\n",
        "widget.yaml": _WIDGET,
        "health/widget.yaml": _TEST,
        "sets/tenants.yaml": _SET,
        "providers/blue.yaml": _PROVIDER,
    }
    write_files(root, files)
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "link").symlink_to(root)
    return root


@pytest.mark.parametrize("spelling", _SPELLINGS)
@pytest.mark.parametrize("command", _COMMANDS)
def test_each_spelling_gives_the_same(command: str, spelling: str, repository: Path) -> None:
    directory, path = _SPELLINGS[spelling](repository)
    words = _COMMANDS[command]
    plain = celvet(*(word.replace("{}", ".") for word in words), cwd=repository)
    other = celvet(*(word.replace("{}", path) for word in words), cwd=directory)
    assert other.status == plain.status
    assert _shown(other.out, repository, directory) == _shown(plain.out, repository, repository)
    assert _shown(other.err, repository, directory) == _shown(plain.err, repository, repository)
    assert plain.out


def _shown(output: str, root: Path, directory: Path) -> list[str]:
    """The words of an output, with the paths of files as they are in the repository."""

    def from_root(match: re.Match[str]) -> str:
        return os.path.relpath((directory / match[0]).resolve(), root.resolve())

    words = [word for word in output.split() if word != "#"]  # longer paths break lines elsewhere
    return [re.sub(r"[\w./-]+\.yaml\b", from_root, word) for word in words]
