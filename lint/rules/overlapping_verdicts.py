"""One expression leaves another one of its entry no room.

## What

- `inProgress` or `failed` is true of every object that `current` is true of.
- `inProgress` is true of every object that `failed` is true of, those aside that
  are ready.
- `failed` is true of every object that `current` is not true of.

Reported only where a complete search found no object that says otherwise.

## Why

Flux tries `inProgress`, `failed` and `current` in this order, and the first that
is true decides. What is hidden by an earlier one never gives a verdict: the
object never gets ready, or has failed and is waited for until the timeout. And a
`failed` that is the negation of `current` fails the reconciliation in any phase
in between.

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
    - apiVersion: dragonflydb.io/v1alpha1
      kind: Dragonfly
      failed: status.phase != 'ready'
      current: status.phase == 'ready'
```

## Good

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
    - apiVersion: dragonflydb.io/v1alpha1
      kind: Dragonfly
      failed: status.phase == 'failed'
      current: status.phase == 'ready'
```
"""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.checks import CheckedObject
from celvet.lint.model import Finding, Severity
from celvet.lint.predict import Diagnosis, diagnoses, rule_diagnoses

SEVERITY = Severity.WARNING


def check(checked: CheckedObject) -> Iterator[Finding]:
    """Report expressions that keep another one from its verdict."""
    for entry, found in (
        *diagnoses(checked, "hidden"),
        *diagnoses(checked, "negation"),
    ):
        message, help_ = _explained(found)
        yield Finding(
            message=message,
            where=checked.at_role(entry, found.role),
            help=help_,
            counterexample=found.counterexample,
        )
    yield from _rules(checked)


def _explained(found: Diagnosis) -> tuple[str, str]:
    if found.fault == "negation":
        message = (
            "`failed` is true wherever `current` is not: any value in between fails the"
            " reconciliation at once"
        )
        return message, "List the values that tell of a failure."
    help_ = f"Leave out of `{found.role}` what `{found.other}` is about."
    if found.other == "failed":
        message = (
            f"`{found.role}` is true of every object that `failed` is true of and `current`"
            " is not: a broken one is noticed at the timeout only"
        )
        return message, help_
    message = f"`{found.role}` is true of every object that `current` is true of"
    return f"{message}: none ever gets ready", help_


def _rules(checked: CheckedObject) -> Iterator[Finding]:
    for place, found in rule_diagnoses(checked, "never healthy"):
        yield Finding(
            message="every object that all healthy matchers hold for matches an unhealthy one too,"
            " which is tried first: none is ever Healthy",
            where=checked.place(place),
            help="Let the unhealthy matchers leave out what the healthy ones are about.",
            counterexample=found.counterexample,
        )
