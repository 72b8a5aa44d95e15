"""The API server silently drops a misspelt or unknown field near an expression.

## What

- In the small mappings around an expression: keys that no released version of the kind has.
- In larger mappings such as `spec`: keys that resemble a field that contains expressions.

## Why

The API server drops unknown fields without a message. The intended health check or gate is
missing, and the object counts as ready too early.

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
  healthCheckExpr:
    - apiVersion: bitnami.com/v1alpha1
      kind: SealedSecret
      current: status.conditions.exists(e, e.type == 'Synced' && e.status == 'True')
```

## Good

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
```
"""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.checks import CheckedObject
from celvet.lint.model import Change, Finding, Fix, Severity, Where
from celvet.lint.validation import UnknownField

SEVERITY = Severity.WARNING


def check(checked: CheckedObject) -> Iterator[Finding]:
    """Report the unknown keys that matter."""
    for unknown in checked.validation.unknown_fields:
        where = checked.place(unknown.path, None, True)
        yield Finding(
            message=unknown.message, where=where, help=unknown.help, fix=_fix(unknown, where)
        )


def _fix(unknown: UnknownField, where: Where) -> Fix | None:
    """The field that was meant; unsafe, since what was dropped then counts."""
    suggestion = unknown.suggestion
    return (
        Fix(f"Rename `{unknown.name}` to `{suggestion}`.", (Change(where, suggestion),), safe=False)
        if suggestion
        else None
    )
