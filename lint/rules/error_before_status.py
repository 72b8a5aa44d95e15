"""A guard against missing fields does not hold before they are there.

## What

An entry with `has(...)` or `?` of which an expression fails to evaluate all the
same while the status is still empty, because the field is not guarded there.

Entries without any guard are not reported: an error that goes away with the
first status does no harm. Nor is there a way to guard against a missing `status`
in `healthCheckExprs`.

## Why

The error does not fail the reconciliation, the object is asked again. But if the
status never comes, the error is the only message at the timeout, and it speaks of
an expression instead of the object.

## Bad

```yaml
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: clusters}
spec:
  interval: 1h
  prune: true
  wait: true
  sourceRef: {kind: GitRepository, name: flux-system}
  healthCheckExprs:
    - apiVersion: postgresql.cnpg.io/v1
      kind: Cluster
      failed: >-
        has(status.conditions) &&
        status.conditions.exists(e, e.type == 'Ready' && e.status == 'False')
      current: status.conditions.exists(e, e.type == 'Ready' && e.status == 'True')
```

## Good

```yaml
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: clusters}
spec:
  interval: 1h
  prune: true
  wait: true
  sourceRef: {kind: GitRepository, name: flux-system}
  healthCheckExprs:
    - apiVersion: postgresql.cnpg.io/v1
      kind: Cluster
      failed: >-
        has(status.conditions) &&
        status.conditions.exists(e, e.type == 'Ready' && e.status == 'False')
      current: >-
        has(status.conditions) &&
        status.conditions.exists(e, e.type == 'Ready' && e.status == 'True')
```
"""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.checks import CheckedObject
from celvet.lint.model import Finding, Severity
from celvet.lint.predict import diagnoses, fix

SEVERITY = Severity.INFO


def check(checked: CheckedObject) -> Iterator[Finding]:
    """Report guards that do not hold."""
    for entry, found in diagnoses(checked, "unguarded"):
        if found.counterexample:
            yield Finding(
                message=f"`{found.role}` fails to evaluate on an object"
                f" {found.counterexample.description}, despite the guard of the same field:"
                f" `{found.detail}` is all that a timeout would tell",
                where=checked.at_role(entry, found.role),
                help="Guard the field here as well, as with `has`.",
                counterexample=found.counterexample,
                fix=fix(checked, entry, found),
            )
