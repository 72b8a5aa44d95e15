"""An object counts as ready before anything has happened to it.

## What

A `current` or `readyExpr` is true in one of these states, which celvet builds from the
fields that the expressions read:

- the status is empty, or there is no condition, or only a condition of another type.
  The usual causes are `filter(...).all(...)`, which is true when nothing matches, and a
  test that something bad is absent
- the counters that it compares are all 0
- every phase that it does not name
- a new resource without a status, for the `successCondition` of a step of Argo Workflows that
  creates one, as `status.phase != Failed` is

`current: "true"` switches the check off, which is an info.

For many kinds, celvet knows the states from the code of their controllers, and uses those instead.
For a kind that it does not know, the finding is an info: its objects may never be in the state.

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
from celvet.lint.model import Finding, Severity
from celvet.lint.predict import diagnoses, rule_diagnoses
from celvet.lint.predict.faults.diagnosis import Premature
from celvet.lint.rules.shared.conditions import early_conditions
from celvet.lint.rules.shared.premature import PrematureWords, premature_finding

SEVERITY = Severity.WARNING

_WORDS = PrematureWords(
    in_life={
        "starting": "while the {} is still starting, so it counts as ready too early",
        "failing": "of a failed {}, so it counts as ready",
        "retried": "despite an error that its controller retries, so the {} counts as ready",
    },
    nothing_matches="so an object counts as ready while it is starting",
    counters_at_zero=(
        "while all counters are 0, so an object counts as ready while it is starting",
        "Require a count greater than 0.",
    ),
    unnamed_stage="even if it means trouble",
    nothing_happened=(
        "before anything has happened, so a new object counts as ready",
        "Require a condition or value that means success.",
    ),
    meaning="success",
)


def check(checked: CheckedObject) -> Iterator[Finding]:
    """Report what lets dependants start before anything has happened."""
    yield from _switched_off(checked)
    for entry, diagnosis in diagnoses(checked, Premature):
        if entry.role(diagnosis.role).answer != "Failed":  # a case for `premature-failed`
            yield premature_finding(checked, entry, diagnosis, _WORDS)
    yield from _rule_findings(checked)
    yield from early_conditions(checked, failed=False)


def _switched_off(checked: CheckedObject) -> Iterator[Finding]:
    """Checks that every object passes."""
    for entry in checked.health():
        role = entry.answering("Current")
        if role in entry.programs and entry.constant(role) is True:
            subject = entry.named.kind or "object"
            # Flux looks at no expression before the controller has observed the generation.
            observes = entry.dialect is not None and entry.dialect.observes
            exception = " once its generation has been observed" if observes else ""
            yield Finding(
                message=f"`{role}` is always true: each `{subject}` counts as ready{exception}",
                where=checked.at_role(entry, role),
                help="If the check should be off, suppress this; otherwise test a field.",
                severity=Severity.INFO,
            )


def _rule_findings(checked: CheckedObject) -> Iterator[Finding]:
    for place, diagnosis in rule_diagnoses(checked, "healthy early"):
        yield Finding(
            message="this rule calls an object without a status Healthy, so the next step may start"
            " too early",
            where=checked.place(place),
            help="Add a matcher that only a status can satisfy.",
            counterexample=diagnosis.counterexample,
        )
