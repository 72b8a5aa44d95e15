"""A health check entry cannot tell that an object has failed.

## What

An entry of `healthCheckExprs` with `current` and without `failed`.

## Why

Without `failed` an object that is broken looks like one that is not ready yet.
The reconciliation waits until `spec.timeout` before it says so, where `failed`
would end it at once.

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
```
"""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.checks import CheckedObject
from celvet.lint.model import Finding, Severity

SEVERITY = Severity.INFO


def check(checked: CheckedObject) -> Iterator[Finding]:
    """Report entries with `current` alone."""
    if checked.partial:
        return
    for entry in checked.health():
        if "current" in entry and not entry.value.get("failed"):
            lack = "has an empty `failed`" if "failed" in entry.value else "has no `failed`"
            subject = entry.named.kind or "object"
            yield Finding(
                message=f"a broken `{subject}` is noticed at the timeout only: the entry {lack}",
                where=checked.place((*entry.path, "current"), None, True),
                help="Add `failed` with the condition that tells that it will not get ready.",
            )
