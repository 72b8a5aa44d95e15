"""An entry has the same names wherever it stands."""

from __future__ import annotations

import pytest

from celvet.lint.manifest import entry_at, read
from celvet.lint.model import Path, Where

TEXT = """\
kind: A
metadata: {name: a}
spec:
  exprs:
    - {apiVersion: cert-manager.io/v1, kind: Certificate, current: x}
    - {apiVersion: v1, kind: Pod}
  dependsOn:
    - {namespace: flux-system, name: infra, readyExpr: x}
    - {name: [], kind: {}, key: 1}
    - text
  health:
    - {name: up, group: g.io, kind: K, path: .x}
  healthRule:
    multiMatch:
      healthy:
        matchConditions: [{type: Ready, status: "True"}]
        matchFields: [{key: .a, messagePath: .b}]
  steps:
    - name: first
      resources:
        - {apiVersion: a.b/v1, kind: B, metadata: {name: b}, spec: {a: 1}}
"""


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ((), ""),
        (("spec", "exprs"), ""),
        (("spec", "exprs", 0, "current"), "Certificate.cert-manager.io"),
        (("spec", "exprs", 0), "Certificate.cert-manager.io"),
        (("spec", "exprs", 1, "current"), "Pod"),
        (("spec", "exprs", 9, "current"), ""),
        (("spec", "dependsOn", 0, "readyExpr"), "flux-system/infra"),
        (("spec", "dependsOn", 1, "readyExpr"), ""),
        (("spec", "dependsOn", 2), ""),
        (("spec", "dependsOn", "x", "y"), ""),
        (("spec", "health", 0, "path"), "K.g.io up"),
        (("spec", "healthRule", "multiMatch", "healthy", "matchConditions", 0, "type"), "Ready"),
        (("spec", "healthRule", "multiMatch", "healthy", "matchFields", 0, "messagePath"), ".a"),
        (("spec", "steps", 0, "resources", 0, "spec", "a"), "first B.a.b b"),
    ],
)
def test_names(path: Path, name: str) -> None:
    assert entry_at(read(TEXT.encode()), Where(1, path)) == name


def test_a_document_that_is_not_there_has_no_names() -> None:
    assert entry_at(read(b"a: 1\n"), Where(7, ("a",))) == ""


PATCHES = """\
apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
patches:
  - target: {kind: Kustomization, name: apps}
    patch: |
      spec:
        healthCheckExprs:
          - {kind: Thing, current: x}
"""


def test_an_inline_patch_has_the_name_of_its_target() -> None:
    inner = Where(1, ("spec", "healthCheckExprs", 0, "current"))
    where = Where(1, ("patches", 0, "patch"), inner=inner)
    assert entry_at(read(PATCHES.encode()), where) == "Kustomization apps Thing"
