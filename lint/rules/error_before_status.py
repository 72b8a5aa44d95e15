"""A guard against a missing field does not cover every use of it.

## What

An entry guards a field with `has(...)` or `?`, but one of its expressions reads the same field
without a guard, and so gives an error while the status is empty.

Entries without any guard are not reported: an error that disappears with the first
status does no harm. Nor can an expression in `healthCheckExprs` guard against a missing
`status`. An entry for a kind whose states celvet knows is reported only if the error occurs in a
state in which an object may stay.

## Why

The error does not fail the reconciliation: Flux checks the object again. But if the
status never appears, this error is the only message at the timeout, and it describes
an expression instead of the object.

## Bad

```yaml
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: clusters}
spec:
  interval: 1h
  prune: true
  wait: true
  sourceRef: {kind: GitRepository, name: flux-system}
  healthCheckExprs:
    - apiVersion: example.com/v1
      kind: Database
      failed: has(status.phase) && status.phase == 'Broken'
      current: status.phase == 'Running'
```

## Good

```yaml
  healthCheckExprs:
    - apiVersion: example.com/v1
      kind: Database
      failed: has(status.phase) && status.phase == 'Broken'
      current: has(status.phase) && status.phase == 'Running'
```
"""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.checks import CheckedObject
from celvet.lint.model import Finding, Related, Severity
from celvet.lint.predict import diagnoses, fix
from celvet.lint.predict.faults.diagnosis import Unguarded

SEVERITY = Severity.INFO


def check(checked: CheckedObject) -> Iterator[Finding]:
    """Report guards that do not cover every use."""
    for entry, diagnosis in diagnoses(checked, Unguarded):
        where = checked.at_role(entry, diagnosis.role)
        yield Finding(
            message=f"`{diagnosis.role}` gives an error without a field that is guarded elsewhere",
            where=where,
            related=(Related(f"the timeout would report only `{diagnosis.error}`", where),),
            help="Guard the field here as well, for example with `has`.",
            counterexample=diagnosis.row.counterexample,
            fix=fix(checked, entry, diagnosis),
            cause=diagnosis.cause,
        )
