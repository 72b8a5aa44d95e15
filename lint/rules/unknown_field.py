"""A misspelt or invented field near an expression, which is dropped in silence.

## What

Keys that no released version of the kind has, in the small mappings around an
expression; and in wider ones, such as `spec`, keys that look like a field that
holds expressions.

## Why

The API server drops unknown fields without a word. The health check or the
gate that was meant is not there, and the object passes too early.

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
  healthCheckExpr:
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
from celvet.lint.model import Change, Finding, Fix, Severity, Where
from celvet.lint.validation import Unknown

SEVERITY = Severity.WARNING


def check(checked: CheckedObject) -> Iterator[Finding]:
    """Report the keys that the schema does not know and has an opinion about."""
    for unknown in checked.inspection.unknown:
        where = checked.place(unknown.path, None, True)
        yield Finding(
            message=unknown.message, where=where, help=unknown.help, fix=_fix(unknown, where)
        )


def _fix(unknown: Unknown, where: Where) -> Fix | None:
    """The field that was meant; unsafe, since what was dropped then counts."""
    meant = unknown.suggestion
    return (
        Fix(f"Rename `{unknown.name}` to `{meant}`.", (Change(where, meant),), safe=False)
        if meant
        else None
    )
