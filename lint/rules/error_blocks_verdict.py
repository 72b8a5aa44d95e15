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
      failed: has(status.failed) && status.failed > 0
      current: status.phase == 'Completed'
```
"""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.checks import CheckedObject
from celvet.lint.model import Finding, Severity
from celvet.lint.predict import Diagnosis, diagnoses, fix

SEVERITY = Severity.WARNING


def check(checked: CheckedObject) -> Iterator[Finding]:
    """Report errors that stay on a healthy object."""
    for entry, found in diagnoses(checked, "blocked"):
        message, help_ = _explained(found)
        yield Finding(
            message=message,
            where=checked.at_role(entry, found.role),
            help=help_,
            counterexample=found.counterexample,
            fix=fix(checked, entry, found),
        )


def _explained(found: Diagnosis) -> tuple[str, str]:
    if found.how != "field":
        message = (
            f"`{found.role}` gives an error whenever `{found.other}` is true: no object ever"
            " becomes ready"
        )
        return message, f"Make `{found.role}` false for these objects instead of an error."
    message = f"`{found.role}` gives an error on a healthy object without `{found.detail}`"
    then = "the object never becomes ready"
    if found.role != found.other:
        then = f"`{found.other}` is never tried, and {then}"
    return f"{message}: {then}", f"Test `has({found.detail})` first."
