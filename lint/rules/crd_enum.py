"""A text that the field never is.

## What

A comparison of a field with a text that is none of the values listed by the CRD
of the kind under check (`enum`), in every version that is served. Letter case
counts. In a list after `in`, a text is reported if none of the list fits, or if
it resembles a value that the list lacks. Also a conjunction that excludes every
value, one by one: `status.phase != 'Ready' && status.phase != 'Failed'` where
there are no others.

## Why

The API server refuses any other value, so that the comparison always comes out
the same way: the check never becomes ready, or the failure is never noticed.

## Bad

```yaml
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
---
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
```

## Good

```yaml
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
      current: status.phase == 'Ready'
---
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
```
"""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.checks import CheckedObject
from celvet.lint.model import Finding, Severity

SEVERITY = Severity.WARNING


def check(checked: CheckedObject) -> Iterator[Finding]:
    """Report texts that are no value of the field."""
    return checked.mismatches("crd-enum")
