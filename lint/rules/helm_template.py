"""A document is a template, such as Helm's, and is not checked.

## What

A document contains actions that are more than values, such as `{{- if .Values.enabled }}`. It
becomes a manifest only when Helm, or another program, renders it. It is reported only if its
text names a kind that celvet knows and one of its fields with expressions, such as
`healthCheckExprs`, and is not a CRD. An action that stands for a value, as in
`name: {{ .Release.Name }}`, is read as an unknown value, like `${NAME}`, and is no finding.

`celvet lint` counts these documents in one line of its summary, unless you make the rule a warning.

## Why

The expressions in it are not checked. Render the chart and lint the result:
`helm template ... | celvet lint -`.

## Bad

```yaml
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: certs}
spec:
  interval: 1h
  prune: true
  {{- if .Values.wait }}
  wait: true
  {{- end }}
  sourceRef: {kind: GitRepository, name: flux-system}
  healthCheckExprs:
    - apiVersion: postgresql.cnpg.io/v1
      kind: Cluster
      current: has(status.phase) && status.phase == 'Cluster in healthy state'
```

## Good

```yaml
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: certs}
spec:
  interval: 1h
  prune: true
  wait: true
  sourceRef: {kind: GitRepository, name: flux-system}
  healthCheckExprs:
    - apiVersion: postgresql.cnpg.io/v1
      kind: Cluster
      current: has(status.phase) && status.phase == 'Cluster in healthy state'
```
"""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.manifest import Manifest
from celvet.lint.model import Finding, Severity

SEVERITY = Severity.INFO

KINDS = frozenset({"helm-template"})
"""The kinds of problem of `celvet.lint.manifest` that this rule reports."""


def check_manifest(manifest: Manifest) -> Iterator[Finding]:
    """Report the documents that are templates."""
    yield from manifest.findings(KINDS)
