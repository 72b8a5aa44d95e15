"""An evaluation error keeps a healthy object from being ready.

## What

- An expression reads a field that speaks of trouble, such as `status.failed` or
  `status.errorMessage`, without a guard, and the object is healthy without it.
- `inProgress` or `failed` errs on every object that `current` is true of.

## Why

An error is not `false`: the object's status is Unknown and no later expression
is tried. On a fresh object that goes away by itself. Here it stays, since
it is the healthy object that lacks the field, and the reconciliation hangs until
its timeout. Kubernetes leaves out most fields that are empty or 0.

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
            f"`{found.role}` fails to evaluate on every object that `{found.other}` is true of:"
            " none ever gets ready"
        )
        return message, f"Make `{found.role}` false there, rather than an error."
    message = f"`{found.role}` fails to evaluate on a healthy object without `{found.detail}`"
    then = "it never gets ready"
    if found.role != "current":
        then = f"`current` is not tried, and {then}"
    return f"{message}: {then}", f"Ask for `has({found.detail})` first."
