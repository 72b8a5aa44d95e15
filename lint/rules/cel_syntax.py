"""An expression does not parse.

## What

The text is not CEL as the controller has it: a syntax error, a field in
backquotes, `has(...)` of something that is no field, a text longer or deeper
than the parser takes. Usual slips (`and`, a single `=`, typographic quotes,
`${VAR}`) are named.

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
  healthCheckExprs:
    - apiVersion: cert-manager.io/v1
      kind: Certificate
      failed: status.conditions.exists(e, e.type == 'Ready' && e.status == 'False')
      current: status.conditions.exists(e, e.type == 'Ready' and e.status == 'True')
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

from lint.declaration import Declaration
from lint.model import Finding, Severity

SEVERITY = Severity.ERROR


def check(declaration: Declaration) -> Iterator[Finding]:
    """Report what the parser and its macros refuse."""
    yield from declaration.refusals(
        "syntax", "has-argument", "macro-argument", "backtick", "too-long", "too-deep"
    )
