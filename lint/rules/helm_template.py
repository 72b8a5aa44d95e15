"""The file is a Helm template, which is left alone.

## What

The file has actions such as `{{ .Values.name }}` where YAML has no place for
them. It is no manifest before Helm has rendered it. Only a file whose text says
that it is about a kind that celvet knows is reported (see `yaml-syntax`).

## Why

The expressions in it are not checked. Render the chart and lint the result:
`helm template ... | celvet lint -`.

## Bad

```yaml
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: {{ .Release.Name }}}
spec:
  interval: 1h
  prune: true
  wait: true
  sourceRef: {kind: GitRepository, name: flux-system}
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
    """Say once that the file is a template."""
    yield from manifest.findings(KINDS)
