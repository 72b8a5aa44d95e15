"""Who is at the top of a repository: a bootstrap, or what nothing applies."""

from __future__ import annotations

from pathlib import Path

import pytest

from celvet.lint.model import Value
from celvet.lint.repository.questions import ObjectForms
from celvet.lint.repository.surroundings import Repository
from celvet.lint.values import get
from tests.rules.repository import lint_files, write

_APPS = """\
# apps/a.yaml
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: a, namespace: flux-system}
spec:
  path: ./app
  dependsOn: [{name: b}, {name: missing}]
  sourceRef: {kind: GitRepository, name: flux-system, namespace: flux-system}
---
# apps/b.yaml
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: b, namespace: flux-system}
spec:
  path: ./app
  dependsOn: [{name: a}]
  sourceRef: {kind: GitRepository, name: flux-system, namespace: flux-system}
"""

_PLAIN = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: flux-system, namespace: flux-system}
spec: {path: %s, sourceRef: {kind: GitRepository, name: flux-system}}
"""

_INSTANCE = """\
apiVersion: fluxcd.controlplane.io/v1
kind: FluxInstance
metadata: {name: flux, namespace: flux-system}
spec:
  distribution: {version: 2.x, registry: ghcr.io/fluxcd}
  sync: {kind: GitRepository, url: "https://x/y.git", ref: refs/heads/main, path: %s}
"""

_CHART = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: flux-instance}
spec:
  chartRef: {kind: OCIRepository, name: flux-instance}
  values:
    instance:
      sync: {kind: GitRepository, url: "https://x/y.git", ref: refs/heads/main, path: %s}
"""

_ROOTS = {"plain": _PLAIN, "instance": _INSTANCE, "chart": _CHART}


def _forms(root: Path, file: str, value: dict[str, Value]) -> list[dict[str, Value]]:
    forms = Repository(root).surroundings_of(str(root / file)).ask(ObjectForms(value))
    return [dict(form.resource.value) for form in forms]


@pytest.mark.parametrize("path", ["./apps", "apps", "."])
@pytest.mark.parametrize("place", ["root.yaml", "apps/root.yaml"])
@pytest.mark.parametrize("kind", ["instance", "chart"])
def test_a_flux_instance_is_a_root_like_a_kustomization(
    kind: str, place: str, path: str, tmp_path: Path
) -> None:
    messages = {}
    for name in ("plain", kind):
        text = f"{_APPS}---\n# app/app.yaml\n{{}}\n---\n# {place}\n{_ROOTS[name] % path}"
        results = lint_files(text, _directory(tmp_path, name))
        messages[name] = [
            (finding.rule, finding.message) for result in results for finding in result.findings
        ]
    assert messages[kind] == messages["plain"]
    rules = [rule for rule, _ in messages[kind]]
    assert sorted(rules) == ["dependency-cycle", "dependency-cycle", "dependency-missing"]


def _directory(path: Path, name: str) -> Path:
    directory = path / name
    directory.mkdir()
    return directory


def test_a_patch_of_the_instance_changes_what_it_makes(tmp_path: Path) -> None:
    patches = """\
  kustomize:
    patches:
      - target: {kind: Kustomization}
        patch: |
          - {op: add, path: /spec/targetNamespace, value: patched}
      - target: {kind: Deployment}
        patch: |
          - {op: add, path: /spec/path, value: elsewhere}
"""
    app: dict[str, Value] = {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "app"}}
    text = '{"apiVersion": "v1", "kind": "Service", "metadata": {"name": "app"}}\n'
    write({"apps/app.yaml": text, "fi.yaml": _INSTANCE % "apps" + patches}, tmp_path)
    (form,) = _forms(tmp_path, "apps/app.yaml", app)
    assert get(form, ("metadata", "namespace")) == "patched"


@pytest.mark.parametrize("kind", [*_ROOTS, ""])
def test_an_object_that_no_bootstrap_reaches_applies_nothing_of_it(
    kind: str, tmp_path: Path
) -> None:
    archived = (_PLAIN % "app").replace("{path:", "{targetNamespace: old, path:")
    files = {
        "apps/ks.yaml": (_PLAIN % "app").replace("name: flux-system, name", "name: app, name"),
        "archive/ks.yaml": archived.replace("metadata: {name: flux-system", "metadata: {name: app"),
        "app/app.yaml": '{"apiVersion": "v1", "kind": "Service", "metadata": {"name": "app"}}\n',
    }
    root = {"apps/root.yaml": _ROOTS[kind] % "apps"} if kind else {}
    write({**files, **root}, tmp_path)
    app: dict[str, Value] = {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "app"}}
    namespaces = {
        get(form, ("metadata", "namespace")) for form in _forms(tmp_path, "app/app.yaml", app)
    }
    assert namespaces == ({None} if kind else {None, "old"})
