"""An expression reads a field that no object of the kind has.

## What

An expression or a path reads a field that no served version of the checked kind's
CRD contains. celvet looks for the CRD among the manifests, in what `--crds` names and
at the schema locations; without it, this rule reports nothing. It also skips what the
schema leaves open (`x-kubernetes-preserve-unknown-fields`), and fields whose presence
the expression tests, unless the name looks like a typo.

## Why

The API server drops fields that the CRD does not contain, so the field is never
there. Every evaluation fails, or the test for the field is always false, and the
reconciliation hangs until its timeout.

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
                readyReplicas: {type: integer}
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
      current: status.readyReplica > 0
```

## Good

```yaml
  healthCheckExprs:
    - apiVersion: example.com/v1
      kind: Database
      failed: status.phase == 'Failed'
      current: status.readyReplicas > 0
```
"""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.checks import CheckedObject
from celvet.lint.checks.objections import mismatches
from celvet.lint.model import Finding, Severity
from celvet.lint.rule_ids import CRD_FIELD

SEVERITY = Severity.WARNING


def check(checked: CheckedObject) -> Iterator[Finding]:
    """Report fields that the CRD does not have."""
    return mismatches(checked, CRD_FIELD)
