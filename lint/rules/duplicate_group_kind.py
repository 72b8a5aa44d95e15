"""Two health check entries cover the same group and kind.

## What

Flux ignores the version in an entry's `apiVersion`. Two entries with the same group and
kind are therefore duplicates, even if their versions differ. An entry without `kind`
covers the rest of its group and may be beside entries with a kind.

## Why

Flux builds one table of entries by group and kind and refuses a duplicate: the object
is stalled with reason `InvalidCELExpression` until it is edited.

## Bad

```yaml
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: secrets}
spec:
  interval: 1h
  prune: true
  wait: true
  sourceRef: {kind: GitRepository, name: flux-system}
  healthCheckExprs:
    - apiVersion: bitnami.com/v1alpha1
      kind: SealedSecret
      failed: status.conditions.exists(e, e.type == 'Synced' && e.status == 'False')
      current: status.conditions.exists(e, e.type == 'Synced' && e.status == 'True')
    - apiVersion: bitnami.com/v1
      kind: SealedSecret
      current: status.conditions.exists(e, e.type == 'Synced' && e.status == 'True')
```

## Good

```yaml
  healthCheckExprs:
    - apiVersion: bitnami.com/v1alpha1
      kind: SealedSecret
      failed: status.conditions.exists(e, e.type == 'Synced' && e.status == 'False')
      current: status.conditions.exists(e, e.type == 'Synced' && e.status == 'True')
```
"""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.checks import CheckedObject
from celvet.lint.checks.objections import violations
from celvet.lint.model import Finding, Severity
from celvet.lint.rule_ids import DUPLICATE_GROUP_KIND

SEVERITY = Severity.ERROR


def check(checked: CheckedObject) -> Iterator[Finding]:
    """Report the entries that repeat another one's group and kind."""
    yield from violations(checked, DUPLICATE_GROUP_KIND)
