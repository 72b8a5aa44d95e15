"""An `inProgress` is true because nothing matches.

## What

`list.filter(...).all(...)` in `inProgress`, where the list of a healthy object
need not have a match.

## Why

`all` is true of nothing. `inProgress` is tried first, so an object without the
condition that it asks for is never ready, although `current` is true of it, and
the reconciliation hangs until its timeout. The same construct in `failed` and
`current` is reported by `premature-failed` and `premature-current`.

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
      inProgress: status.conditions.filter(e, e.type == 'Issuing').all(e, e.status == 'True')
      failed: status.conditions.exists(e, e.type == 'Ready' && e.status == 'False')
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
      inProgress: status.conditions.exists(e, e.type == 'Issuing' && e.status == 'True')
      failed: status.conditions.exists(e, e.type == 'Ready' && e.status == 'False')
      current: status.conditions.exists(e, e.type == 'Ready' && e.status == 'True')
```
"""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.checks import CheckedObject
from celvet.lint.model import Finding, Severity
from celvet.lint.predict import diagnoses, fix

SEVERITY = Severity.WARNING


def check(checked: CheckedObject) -> Iterator[Finding]:
    """Report `inProgress` that holds back healthy objects."""
    for entry, found in diagnoses(checked, "vacuous"):
        if found.counterexample:
            yield Finding(
                message=f"`inProgress` is true when nothing matches: an object"
                f" {found.counterexample.description} never gets ready",
                where=checked.at_role(entry, found.role, found.span),
                help=f"Write `{found.detail}`."
                if found.detail
                else "Use `exists`, which is false then.",
                counterexample=found.counterexample,
                fix=fix(checked, entry, found),
            )
