"""The types in an expression do not fit together.

## What

This rule applies where the controller checks types, as Flux does for
`dependsOn[].readyExpr`. It reports an operator or function without an overload for
its arguments, a list of mixed types, and a format string that does not match its
arguments.

## Why

The controller refuses the whole object: it is stalled with reason
`InvalidCELExpression`, and nothing in it is reconciled until it is edited.

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
  dependsOn:
    - name: infrastructure
      readyExpr: dep.metadata.labels['app/version'] == 'v' + 1
```

## Good

```yaml
  dependsOn:
    - name: infrastructure
      readyExpr: dep.metadata.labels['app/version'] == 'v1'
```
"""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.checks import CheckedObject
from celvet.lint.checks.objections import refusals
from celvet.lint.model import Finding, Severity

SEVERITY = Severity.ERROR


def check(checked: CheckedObject) -> Iterator[Finding]:
    """Report what the type checker refuses, apart from names and the result."""
    yield from refusals(
        checked, "no-overload", "no-field", "type-mismatch", "mixed-literal", "format-string"
    )
