"""An object fails the reconciliation before anything has happened to it.

## What

A `failed` is true in one of these states, which celvet builds from the fields that the
expressions read:

- the status is empty, or there is no condition, or only a condition of another type.
  The usual cause is `filter(...).all(...)`, which is true when nothing matches
- the counters that it compares are still 0
- every phase that it does not name

For many kinds, celvet knows the states from the code of their controllers, and uses those instead.
The finding is an info if the state is an error that the controller tries again, or a suspended
object, since the author of the entry may intend that.

## Why

Flux looks at an object right after the apply and then every 5 seconds, and fails the whole
reconciliation at the first `Failed`. An object that would have become healthy a moment
later fails it as well: Flux sends an alert, holds back dependants, and tries again after
`retryInterval` (by default, `interval`), or at the next revision. A state that lasts 1 second
fails one rollout in five; one that lasts 5 seconds fails them all.

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
    - apiVersion: postgresql.cnpg.io/v1
      kind: Cluster
      failed: status.conditions.exists(e, e.type == 'Ready' && e.status == 'False')
      current: status.conditions.exists(e, e.type == 'Ready' && e.status == 'True')
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
    - apiVersion: postgresql.cnpg.io/v1
      kind: Cluster
      failed: has(status.phase) && status.phase == 'Not enough disk space'
      current: has(status.phase) && status.phase == 'Cluster in healthy state'
```
"""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.checks import Check, CheckedObject
from celvet.lint.checks.advice import sources
from celvet.lint.model import Finding, Related, Severity
from celvet.lint.predict import Diagnosis, advice, diagnoses, fix, rule_diagnoses

SEVERITY = Severity.WARNING

_IN_LIFE = {
    "life": "too early",
    "ready": "although an object is ready",
    "choice": "too early",
    "suspended": "while an object is suspended",
    "retried": "for an error that is tried again",
    "hidden": "for an error that is tried again",
}
"""The fault in a known state of the kind."""


def check(checked: CheckedObject) -> Iterator[Finding]:
    """Report what ends the wait before anything has failed."""
    for entry, found in diagnoses(checked, "premature"):
        shown = found.counterexample
        if entry.role(found.role).answer == "Failed" and shown:
            reason, help_ = _explained(found, advice(checked, entry, found))
            yield Finding(
                message=f"`{found.role}` is true {reason}: an object {found.state} fails the"
                f" reconciliation{checked.timing.retry_text}",
                where=checked.at_role(entry, found.role, found.span),
                help=help_,
                related=(
                    *_also(checked, entry, found),
                    *sources(checked, entry, found.role, found.detail, found.says),
                ),
                counterexample=shown,
                fix=fix(checked, entry, found),
                severity=Severity.INFO if found.doubtful else None,
                unlikely=found.how == "hidden",
            )
    yield from _rules(checked)


def _also(checked: CheckedObject, entry: Check, found: Diagnosis) -> tuple[Related, ...]:
    """The other expression that is true for the same object."""
    if not (found.other and found.row and found.row.true(found.other)):
        return ()
    where = checked.at_role(entry, found.other)
    return (Related(f"`{found.other}` is true for this object as well", where),)


def _explained(found: Diagnosis, advice: str) -> tuple[str, str]:
    if found.how in _IN_LIFE:
        return _IN_LIFE[found.how], advice
    match found.how:
        case "vacuous":
            instead = (
                f"Write `{found.detail}`"
                if found.detail
                else "Use `exists`, or test its `size()` as well"
            )
            return "when nothing matches", f"{instead}."
        case "counting":
            help_ = "Name a condition or phase that means failure: every counter starts at 0."
            return "while nothing is ready yet", help_
        case "stage":
            help_ = f"List the values of `{found.detail}` that mean failure."
            return f"for every `{found.detail}` that it does not name", help_
    return (
        "before anything has failed",
        "Name the states that mean failure, not the absence of success.",
    )


def _rules(checked: CheckedObject) -> Iterator[Finding]:
    for place, found in rule_diagnoses(checked, "unhealthy early"):
        yield Finding(
            message="this matcher calls an object without a status unhealthy, although it has only"
            " just been created",
            where=checked.place(place),
            help="Match a state that means failure: an object without a match is Unknown.",
            severity=Severity.INFO,
            counterexample=found.counterexample,
        )
