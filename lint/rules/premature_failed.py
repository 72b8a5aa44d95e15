"""An object fails the reconciliation before anything has happened to it.

## What

A `failed` that holds in one of these states, each built from what the
expressions read:

- with an empty status, no condition, or only a condition of another type; mostly
  because of `filter(...).all(...)`, which is true when nothing matches
- while the counters that it compares are still 0
- in every phase but those that it names

An info where the controller of the kind is known to write the condition that is
asked for before any other.

## Why

Flux ends the wait at the first `Failed` and fails the whole reconciliation. An
object that would get healthy a moment later is not given that moment. Where
another condition always comes together with the one that is asked for, nothing
happens; where one comes first, each new object fails the rollout.

## Bad

```yaml
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: sealed-secrets}
spec:
  interval: 1h
  prune: true
  wait: true
  sourceRef: {kind: GitRepository, name: flux-system}
  healthCheckExprs:
    - apiVersion: bitnami.com/v1alpha1
      kind: SealedSecret
      failed: status.conditions.filter(e, e.type == 'Synced').all(e, e.status == 'False')
      current: status.conditions.filter(e, e.type == 'Synced').all(e, e.status == 'True')
```

## Good

```yaml
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: sealed-secrets}
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

from celvet.lint.checks import Check, CheckedObject
from celvet.lint.model import Finding, Related, Severity
from celvet.lint.predict import Diagnosis, diagnoses, fix, rule_diagnoses

SEVERITY = Severity.WARNING


def check(checked: CheckedObject) -> Iterator[Finding]:
    """Report `failed` that ends the wait before anything has happened."""
    for entry, found in diagnoses(checked, "premature"):
        if entry.role(found.role).answer == "Failed" and found.counterexample:
            reason, help_ = _explained(found)
            state = found.counterexample.description
            yield Finding(
                message=f"`failed` is true {reason}: an object {state} fails the reconciliation"
                f" at once{_doubt(found)}",
                where=checked.at_role(entry, found.role, found.span),
                help=help_,
                related=_also(checked, entry, found),
                counterexample=found.counterexample,
                fix=fix(checked, entry, found),
                severity=Severity.INFO if found.unmet else None,
            )
    yield from _rules(checked)


def _doubt(found: Diagnosis) -> str:
    return "; none is known to come like that" if found.unmet else ""


def _also(checked: CheckedObject, entry: Check, found: Diagnosis) -> tuple[Related, ...]:
    """The other expression that is true of nothing, which this one still hides."""
    if not found.other:
        return ()
    where = checked.at_role(entry, found.other)
    return (Related(f"`{found.other}` is true of it as well", where),)


def _explained(found: Diagnosis) -> tuple[str, str]:
    match found.how:
        case "vacuous":
            instead = (
                f"Write `{found.detail}`"
                if found.detail
                else "Use `exists`, or ask for its `size()` too"
            )
            return "when nothing matches", f"{instead}."
        case "counting":
            help_ = "Name a condition or phase that tells of a failure; 0 is where all begin."
            return "while nothing is ready yet", help_
        case "stage":
            help_ = f"List the values of `{found.detail}` that tell of a failure."
            return f"for every `{found.detail}` that is not named", help_
    return "before anything has failed", "Name what tells of a failure, not the lack of success."


def _rules(checked: CheckedObject) -> Iterator[Finding]:
    for place, found in rule_diagnoses(checked, "unhealthy early"):
        yield Finding(
            message="an object without a status is unhealthy by this matcher, though it has only"
            " just begun",
            where=checked.place(place),
            help="Match what tells of a failure; an object that nothing matches is Unknown.",
            severity=Severity.INFO,
            counterexample=found.counterexample,
        )
