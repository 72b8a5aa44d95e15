"""An `inProgress` is true because nothing matches.

## What

`inProgress` has `list.filter(...).all(...)`, and the list of a healthy object may have no
matching element.

## Why

`all` is true for an empty list. Flux tries `inProgress` first, so an object without the tested
condition never becomes ready, even if `current` is true for it, and the reconciliation hangs
until its timeout. `premature-failed` and `premature-current` report the same construct in
`failed` and `current`.

## Bad

```yaml
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: databases}
spec:
  interval: 1h
  prune: true
  wait: true
  sourceRef: {kind: GitRepository, name: flux-system}
  healthCheckExprs:
    - apiVersion: example.com/v1
      kind: Database
      inProgress: status.conditions.filter(e, e.type == 'Reconciling').all(e, e.status == 'True')
      failed: status.conditions.exists(e, e.type == 'Stalled' && e.status == 'True')
      current: status.conditions.exists(e, e.type == 'Ready' && e.status == 'True')
```

## Good

```yaml
  healthCheckExprs:
    - apiVersion: example.com/v1
      kind: Database
      inProgress: status.conditions.exists(e, e.type == 'Reconciling' && e.status == 'True')
      failed: status.conditions.exists(e, e.type == 'Stalled' && e.status == 'True')
      current: status.conditions.exists(e, e.type == 'Ready' && e.status == 'True')
```
"""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.checks import CheckedObject
from celvet.lint.model import Finding, Severity
from celvet.lint.predict import advice, diagnoses, fix
from celvet.lint.predict.faults.diagnosis import Vacuous
from celvet.lint.rules.shared.guesses import severity_in

SEVERITY = Severity.WARNING


def check(checked: CheckedObject) -> Iterator[Finding]:
    """Report expressions that hold back healthy objects."""
    for entry, diagnosis in diagnoses(checked, Vacuous):
        hint = "Use `exists`, which is false when nothing matches."
        if diagnosis.instead:
            hint = f"Write `{diagnosis.instead}`."
        yield Finding(
            message=f"`{diagnosis.role}` is true when nothing matches, so a healthy object never"
            " becomes ready",
            where=checked.at_role(entry, diagnosis.role, diagnosis.span),
            help=advice(checked, entry, diagnosis) or hint,
            counterexample=diagnosis.row.counterexample,
            severity=severity_in(diagnosis.row, checked, entry),
            fix=fix(checked, entry, diagnosis),
            cause=diagnosis.cause,
        )
