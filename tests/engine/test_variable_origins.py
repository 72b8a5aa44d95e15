"""A finding on a text with variables says which parent gives them their values, and where."""

from __future__ import annotations

from pathlib import Path

import pytest

from celvet.lint.engine import Settings
from celvet.lint.model import Finding
from tests.rules.repository import lint_files

_PARENT = """\
# flux/apps.yaml
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: apps, namespace: flux-system}
spec:
  interval: 1h
  path: ./apps
  prune: true
  sourceRef: {kind: GitRepository, name: flux-system}
  postBuild: POST_BUILD
---
# flux/values.yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: values, namespace: flux-system}
data:
  READY: Running
---
# flux/cluster.yaml
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: cluster, namespace: flux-system}
spec:
  interval: 1h
  path: ./flux
  prune: true
  sourceRef: {kind: GitRepository, name: flux-system}
  patches:
    - target: {kind: Kustomization, name: apps}
      patch: PATCH
---
# apps/app.yaml
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: app, namespace: flux-system}
spec:
  interval: 1h
  path: ./app
  prune: true
  sourceRef: {kind: GitRepository, name: flux-system}
  wait: true
  healthCheckExprs:
    - apiVersion: postgresql.cnpg.io/v1
      kind: Cluster
      failed: has(status.phase) && status.phase == 'Not enough disk space'
      current: status.phase == '${READY}'
    - apiVersion: example.com/v1
      kind: Example
      failed: has(status.phase) && status.phase == 'Failed'
      current: status.phase == 'a' && status.phase == 'b'
"""
_INLINE = "{substitute: {READY: Running}}"
_FROM_MAP = "{substituteFrom: [{kind: ConfigMap, name: values}]}"
_NO_PATCH = """'[{"op": "add", "path": "/metadata/labels", "value": {"a": "b"}}]'"""
_PATCH = (
    """'[{"op": "add", "path": "/spec/postBuild","""
    """ "value": {"substitute": {"READY": "Running"}}}]'"""
)


def _findings(root: Path, build: str, patch: str, settings: Settings) -> list[Finding]:
    text = _PARENT.replace("POST_BUILD", build).replace("PATCH", patch)
    results = lint_files(text, root, settings)
    found = [each for result in results for each in result.findings if each.rule == "never-true"]
    return sorted(found, key=lambda each: repr(each.where.path))


@pytest.mark.parametrize(
    ("build", "patch", "place"),
    [
        (_INLINE, _NO_PATCH, "flux/apps.yaml, line 9"),
        ("{substitute: {READY: null}}", _NO_PATCH, "flux/apps.yaml, line 9"),
        (_FROM_MAP, _NO_PATCH, "flux/values.yaml, line 5"),
        ("{}", _PATCH, "flux/cluster.yaml, line 11"),
    ],
    ids=["inline", "without a value", "ConfigMap", "patched"],
)
def test_the_parent_and_the_place_are_named(
    build: str, patch: str, place: str, tmp_path: Path
) -> None:
    with_variable, without = _findings(tmp_path, build, patch, Settings())
    note = with_variable.related[-1]
    assert note.message == f"Kustomization apps gives `READY` its value ({place})"
    assert note.where == with_variable.where
    assert _origins(without) == []


def test_a_configured_value_is_of_no_parent(tmp_path: Path) -> None:
    settings = Settings(substitutions={"READY": "Walking"})
    found = _findings(tmp_path, _INLINE, _NO_PATCH, settings)
    assert [_origins(each) for each in found] == [[], []]


def _origins(finding: Finding) -> list[str]:
    return [note.message for note in finding.related if "gives" in note.message]
