"""The files of 2,000 lines that `bench.lsp_latency` edits."""

from __future__ import annotations

from dataclasses import dataclass

LINES = 2_000

_DOCUMENT = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata:
  name: app-{0}
  namespace: flux-system
spec:
  interval: 1h
  path: ./apps/{0}
  prune: true
  wait: true
  sourceRef:
    kind: GitRepository
    name: flux-system
  dependsOn:
    - name: infrastructure-{0}
      readyExpr: >-
        dep.metadata.generation == dep.status.observedGeneration &&
        dep.metadata.labels['wave'] < self.metadata.labels['wave-{0}']
  healthCheckExprs:
    - apiVersion: cert-manager.io/v1
      kind: Certificate
      inProgress: >-
        !has(status.conditions) ||
        status.conditions.exists(e, e.type == 'Issuing' && e.reason == 'Renewing{0}')
      failed: >-
        status.conditions.exists(e, e.type == 'Ready{0}' &&
        e.observedGeneration == metadata.generation && e.status == 'False')
      current: >-
        status.conditions.exists(e, e.type == 'Ready{0}' &&
        e.observedGeneration == metadata.generation && e.status == 'True')
    - apiVersion: cluster.x-k8s.io/v1beta1
      kind: Cluster
      failed: status.phase == 'Failed{0}'
      current: status.conditions.exists(e, e.type == 'Available{0}' && e.status == 'True')
---
"""
_HEAD = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata:
  name: app-7
  namespace: flux-system
spec:
  interval: 1h
  path: ./apps
  prune: true
  wait: true
  sourceRef:
    kind: GitRepository
    name: flux-system
  healthCheckExprs:
"""
_ENTRY = """\
    - apiVersion: group-{0}.example.com/v1
      kind: Cluster
      inProgress: >-
        !has(status.conditions) ||
        status.conditions.exists(e, e.type == 'Issuing' && e.reason == 'Renewing{0}')
      failed: status.phase == 'Failed{0}'
      current: status.conditions.exists(e, e.type == 'Available{0}' && e.status == 'True')
"""
_TEST = """\
apiVersion: celvet.dev/v1alpha1
kind: HealthTest
metadata: {{name: cluster}}
target:
  file: ks.yaml
  kind: Kustomization
  name: app-7
  entry: {{apiVersion: {0}, kind: Cluster}}
cases:
  - name: fresh
    object: {{apiVersion: {0}, kind: Cluster, status: {{phase: Ready}}}}
    expect: Unknown
"""


@dataclass(frozen=True, slots=True)
class File:
    """A file: its head, the text repeated until it has enough lines, the group under test."""

    name: str
    head: str
    repeated: str
    tested: str

    def lines(self) -> list[str]:
        count = (LINES - self.head.count("\n")) // self.repeated.count("\n")
        return (self.head + "".join(map(self.repeated.format, range(count)))).splitlines()

    def test(self) -> str:
        return _TEST.format(self.tested)


FILES = (
    File("documents of 35 lines", "", _DOCUMENT, "cluster.x-k8s.io/v1beta1"),
    File("a single document", _HEAD, _ENTRY, "group-7.example.com/v1"),
)
