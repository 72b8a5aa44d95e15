"""Two health check entries cover the same group and kind.

## What

Only the group of an entry's `apiVersion` counts, its version does not. Two
entries with the same group and kind are one too many, even if their versions
differ. An entry without `kind` covers the rest of its group and may stand
beside one with it.

## Why

Flux builds one table of entries by group and kind and refuses a second one:
the object is stalled, with reason `InvalidCELExpression`, until it is edited.

## Bad

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
    - apiVersion: cert-manager.io/v1
      kind: Certificate
      failed: status.conditions.exists(e, e.type == 'Ready' && e.status == 'False')
      current: status.conditions.exists(e, e.type == 'Ready' && e.status == 'True')
    - apiVersion: cert-manager.io/v1alpha2
      kind: Certificate
      current: status.conditions.exists(e, e.type == 'Ready' && e.status == 'True')
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
    - apiVersion: cert-manager.io/v1
      kind: Certificate
      failed: status.conditions.exists(e, e.type == 'Ready' && e.status == 'False')
      current: status.conditions.exists(e, e.type == 'Ready' && e.status == 'True')
    - apiVersion: cert-manager.io/v1
      kind: Issuer
      failed: status.conditions.exists(e, e.type == 'Ready' && e.status == 'False')
      current: status.conditions.exists(e, e.type == 'Ready' && e.status == 'True')
```
"""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.checks import CheckedObject
from celvet.lint.model import Finding, Severity

SEVERITY = Severity.ERROR


def check(checked: CheckedObject) -> Iterator[Finding]:
    """Report the entries that repeat another one's group and kind."""
    yield from checked.violations("duplicate-group-kind")
