"""An expression uses a value as if it had another type.

## What

By the types in the CRD of the checked kind, in every served version, an expression
compares values whose types have no value in common, selects a field of a value that
has no fields, loops over something that is not a list, adds a string and a number, or
returns something other than a boolean.

## Why

In CEL, values of different types are unequal, and comparing them is not an error:
`status.ready == 'true'` is false for every value of a boolean `ready`. Any other use of
the wrong type is an evaluation error. In both cases the reconciliation hangs until its
timeout.

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
                phase: {type: string}
                ready: {type: boolean}
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
      current: status.ready == 'true'
```

## Good

```yaml
  healthCheckExprs:
    - apiVersion: example.com/v1
      kind: Database
      failed: status.phase == 'Failed'
      current: status.ready == true
```
"""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.checks import CheckedObject
from celvet.lint.checks.objections import mismatches
from celvet.lint.model import Finding, Severity
from celvet.lint.rule_ids import CRD_TYPE

SEVERITY = Severity.WARNING


def check(checked: CheckedObject) -> Iterator[Finding]:
    """Report values that are used as something else."""
    return mismatches(checked, CRD_TYPE)
