"""An object counts as ready before anything has happened to it.

## What

A `current` or `readyExpr` is true in one of these states, which celvet builds from the
fields that the expressions read:

- the status is empty, or there is no condition, or only a condition of another type.
  The usual causes are `filter(...).all(...)`, which is true when nothing matches, and a
  test that something bad is absent
- the counters that it compares are all 0
- every phase that it does not name

`current: "true"` switches the check off, which is an info.

For many kinds, celvet knows the states from the code of their controllers, and uses those instead.

## Why

Whatever depends on the object starts too early, which the expression was written to prevent.

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
      failed: status.conditions.exists(e, e.type == 'Ready' && e.status == 'False')
      current: status.conditions.filter(e, e.type == 'Ready').all(e, e.status == 'True')
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
    - apiVersion: example.com/v1
      kind: Database
      failed: status.conditions.exists(e, e.type == 'Ready' && e.status == 'False')
      current: status.conditions.exists(e, e.type == 'Ready' && e.status == 'True')
```
"""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.checks import CheckedObject
from celvet.lint.checks.advice import sources
from celvet.lint.model import Finding, Severity
from celvet.lint.predict import Diagnosis, advice, diagnoses, fix, rule_diagnoses

SEVERITY = Severity.WARNING

_IN_LIFE = {
    "life": "too early",
    "failing": "despite a failure",
    "choice": "too early",
    "suspended": "while an object is suspended",
    "retried": "despite an error that is tried again",
    "hidden": "despite an error that is tried again",
}
"""The fault in a known state of the kind."""


def check(checked: CheckedObject) -> Iterator[Finding]:
    """Report what lets dependants start before anything has happened."""
    yield from _switched_off(checked)
    for entry, found in diagnoses(checked, "premature"):
        answer, shown = entry.role(found.role).answer, found.counterexample
        if answer != "Failed" and shown:
            reason, help_ = _explained(found, advice(checked, entry, found))
            thing = "a dependency" if answer == "Ready" else "an object"
            yield Finding(
                message=f"`{found.role}` is true {reason}: {thing} {found.state} counts as ready",
                where=checked.at_role(entry, found.role, found.span),
                help=help_,
                related=sources(checked, entry, found.role, found.detail, found.says),
                counterexample=shown,
                fix=fix(checked, entry, found),
                severity=Severity.INFO if found.doubtful else None,
                unlikely=found.how == "hidden",
            )
    yield from _rules(checked)


def _switched_off(checked: CheckedObject) -> Iterator[Finding]:
    """Checks that every object passes."""
    for entry in checked.health():
        role = entry.answering("Current")
        if role in entry.programs and entry.constant(role) is True:
            subject = entry.named.kind or "object"
            yield Finding(
                message=f"`{role}` is always true: every `{subject}` counts as ready as soon as it"
                " is applied",
                where=checked.at_role(entry, role),
                help="Keep it if the check should be off; otherwise test a field of the object.",
                severity=Severity.INFO,
            )


def _explained(found: Diagnosis, advice: str) -> tuple[str, str]:
    if found.how in _IN_LIFE:
        return _IN_LIFE[found.how], advice
    match found.how:
        case "vacuous":
            instead = (
                f"Write `{found.detail}`."
                if found.detail
                else "Use `exists`, or test its `size()` as well."
            )
            return "when nothing matches", instead
        case "counting":
            return "while all counters are 0", "Require a count greater than 0."
        case "stage":
            help_ = f"List the values of `{found.detail}` that mean success."
            return f"for every `{found.detail}` that it does not name", help_
    return "before anything has happened", "Require a condition or value that means success."


def _rules(checked: CheckedObject) -> Iterator[Finding]:
    for place, found in rule_diagnoses(checked, "healthy early"):
        yield Finding(
            message="this rule calls an object without a status Healthy: the next step of the"
            " supply chain may start too early",
            where=checked.place(place),
            help="Add a matcher that only a status can satisfy.",
            counterexample=found.counterexample,
        )
