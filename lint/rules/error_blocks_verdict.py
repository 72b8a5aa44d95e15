"""An evaluation error keeps a healthy object from becoming ready.

## What

- An expression reads, without a guard, a field that describes a problem, such as
  `status.failed` or `status.errorMessage`. A healthy object does not have it.
- `inProgress` or `failed` gives an error on every object for which `current` is true.

## Why

An error is not `false`: the object's status is Unknown, and Flux tries no further
expression. On a new object such an error goes away by itself. Here it stays, because the
healthy object is the one without the field, and the reconciliation hangs until its
timeout. Kubernetes omits most fields that are empty or 0.

## Bad

```yaml
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: jobs}
spec:
  interval: 1h
  prune: true
  wait: true
  sourceRef: {kind: GitRepository, name: flux-system}
  healthCheckExprs:
    - apiVersion: example.com/v1
      kind: Backup
      failed: status.failed > 0
      current: status.phase == 'Completed'
```

## Good

```yaml
  healthCheckExprs:
    - apiVersion: example.com/v1
      kind: Backup
      failed: has(status.failed) && status.failed > 0
      current: status.phase == 'Completed'
```
"""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.checks import CheckedObject
from celvet.lint.model import Finding, Severity
from celvet.lint.predict import diagnoses, fix
from celvet.lint.predict.faults.diagnosis import Blocked
from celvet.lint.rules.shared.guesses import severity_in

SEVERITY = Severity.WARNING


def check(checked: CheckedObject) -> Iterator[Finding]:
    """Report errors that stay on a healthy object."""
    for entry, diagnosis in diagnoses(checked, Blocked):
        message, help_ = _message_and_help(diagnosis)
        is_proved = diagnosis.missing_field is None  # whatever states the kind has
        yield Finding(
            message=message,
            where=checked.at_role(entry, diagnosis.role),
            help=help_,
            counterexample=diagnosis.row.counterexample,
            severity=None if is_proved else severity_in(diagnosis.row, checked, entry),
            fix=fix(checked, entry, diagnosis),
            cause=diagnosis.cause,
        )


def _message_and_help(diagnosis: Blocked) -> tuple[str, str]:
    role, blocked_role, field = diagnosis.role, diagnosis.blocked_role, diagnosis.missing_field
    if field is None:
        message = (
            f"`{role}` gives an error whenever `{blocked_role}` is true, so no object becomes ready"
        )
        return message, f"Make `{role}` false for these objects instead of an error."
    message = f"`{role}` gives an error without `{field}`, so a healthy object never becomes ready"
    return message, f"Test `has({field})` first."
