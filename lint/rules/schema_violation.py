"""The API server or the controller refuses the shape of the object.

## What

celvet checks the fields around an expression against the released custom resource definition
and the controller: required fields, types, allowed values, limits, and rules such as
"exactly one of". A document with only names and a status is ignored: test tools such
as kuttl use it to assert that an object exists.

## Why

The API server refuses most of this, but only at `kubectl apply`: by then the commit is
merged, and Flux reports one object at a time. Cartographer's own webhook accepts some mistakes that
fail later.

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
from celvet.lint.rule_ids import SCHEMA_VIOLATION

SEVERITY = Severity.ERROR

_ASSERTED = {"apiVersion", "kind", "metadata", "status"}


def check(checked: CheckedObject) -> Iterator[Finding]:
    """Report what breaks the schema of the kind.

    A document with only names and a status is an assertion of a test and is never applied.
    """
    if checked.value.keys() - _ASSERTED:
        yield from violations(checked, SCHEMA_VIOLATION)
