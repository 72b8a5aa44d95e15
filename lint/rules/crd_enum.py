"""An expression compares a field with a value that the field never has.

## What

The CRD of the checked kind lists the values of the field (`enum`), and the string in
the comparison is not among them in any served version. Letter case matters. For a
list after `in`, a string is reported if no element of the list is valid, or if the
string resembles a value that the list lacks. The rule also reports a chain of `!=`
that excludes every value: `status.phase != 'Ready' && status.phase != 'Failed'` if
there are no other phases.

## Why

The API server refuses any other value, so the comparison always gives the same
result: the object never becomes ready, or its failure is never noticed.

## Bad

```yaml
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: databases.example.com}
spec:
  group: example.com
  names: {kind: Database, plural: databases}
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            status:
              type: object
              properties:
                phase: {type: string, enum: [Pending, Ready, Failed]}
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: data}
spec:
  interval: 1h
  prune: true
  wait: true
  sourceRef: {kind: GitRepository, name: flux-system}
  healthCheckExprs:
    - apiVersion: example.com/v1
      kind: Database
      failed: status.phase == 'Failed'
      current: status.phase == 'ready'
```

## Good

```yaml
  healthCheckExprs:
    - apiVersion: example.com/v1
      kind: Database
      failed: status.phase == 'Failed'
      current: status.phase == 'Ready'
```
"""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.checks import CheckedObject
from celvet.lint.checks.objections import mismatches
from celvet.lint.model import Finding, Severity
from celvet.lint.rule_ids import CRD_ENUM

SEVERITY = Severity.WARNING


def check(checked: CheckedObject) -> Iterator[Finding]:
    """Report strings that the field never has."""
    return mismatches(checked, CRD_ENUM)
