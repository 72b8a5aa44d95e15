"""An expression accepts a status that belongs to an older generation of the object.

## What

- One expression of an entry compares the `observedGeneration` of a condition with
  `metadata.generation`, and the one that decides does not.
- The kind has no `status.observedGeneration`, but its conditions have one, and the expression
  does not compare it. celvet knows this for the kinds of the catalogue, and for others with a
  CRD, where it is a warning.
- `current` is true for a known kind just after a change, though its status has an older generation
  that Flux does not compare.
- A `readyExpr` of a Kustomization or HelmRelease does not compare the generations.

## Why

After a change, the conditions still describe the object as it was, until its controller has
processed the change. Flux compares `status.observedGeneration` with `metadata.generation`
before it tries an expression, so this matters only if the kind has no such field. A
`readyExpr` replaces Flux's own check, including the generations.

## Bad

```yaml
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: apps}
spec:
  interval: 1h
  prune: true
  sourceRef: {kind: GitRepository, name: flux-system}
  dependsOn:
    - name: infra
      readyExpr: dep.status.conditions.exists(e, e.type == 'Healthy' && e.status == 'True')
```

## Good

```yaml
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: apps}
spec:
  interval: 1h
  prune: true
  sourceRef: {kind: GitRepository, name: flux-system}
  dependsOn:
    - name: infra
      readyExpr: >-
        dep.metadata.generation == dep.status.observedGeneration &&
        dep.status.conditions.exists(e, e.type == 'Healthy' && e.status == 'True')
```
"""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.checks import CelExpression, Check, CheckedObject
from celvet.lint.model import Finding, Severity
from celvet.lint.predict import Diagnosis, advice, diagnoses, fix

SEVERITY = Severity.INFO


def check(checked: CheckedObject) -> Iterator[Finding]:
    """Report verdicts that may rest on an outdated status."""
    for entry, found in diagnoses(checked, "stale"):
        if severity := _severity(checked, entry, found):
            message, help_ = _explained(found, checked.controller)
            known = "" if found.how == "gate" else advice(checked, entry, found)
            yield Finding(
                message=message,
                where=checked.at_role(entry, found.role),
                help=known or help_,
                severity=severity,
                counterexample=found.counterexample,
                fix=fix(checked, entry, found),
            )


def _severity(checked: CheckedObject, entry: Check, found: Diagnosis) -> Severity | None:
    """None if the controller may compare the generations itself."""
    if found.how in ("gate", "life"):
        return SEVERITY
    if facts := checked.facts_of(entry):
        return SEVERITY if facts.generation_in == ("conditions",) else None
    if found.how in ("mixed", "compared"):
        return SEVERITY
    alone = _only_in_conditions(checked, entry.find(found.role)[0])
    return Severity.WARNING if alone else None


def _only_in_conditions(checked: CheckedObject, expression: CelExpression) -> bool:
    """Whether the CRD has `observedGeneration` in the conditions only."""
    schema = checked.schema_of(*expression.objects)
    field = "observedGeneration"
    inner = schema and schema.at("status", "conditions", None, field)
    return bool(schema and inner and not schema.at("status", field))


def _explained(found: Diagnosis, controller: str) -> tuple[str, str]:
    if found.how == "gate":
        message = (
            f"`{found.role}` replaces {controller}'s own generation check: just after a change, a"
            " dependency still counts as ready by its old status"
        )
        return message, f"Add `{found.detail}`."
    if found.how == "life":
        message = (
            f"after a change, `{found.role}` is true too early: an object in the state"
            f" `{found.detail}` counts as ready"
        )
        return message, ""
    if found.how == "compared":
        message = (
            f"just after a change, `{found.role}` judges an object by its old status: it is true of"
            " a condition with an older `observedGeneration`"
        )
        return message, "Let it be true only of conditions of the present generation."
    words = "which another expression of this entry compares"
    if found.how == "condition":
        words = f"and the kind has no `status.observedGeneration` that {controller} could check"
    message = (
        f"just after a change, `{found.role}` judges an object by its old status: it ignores the"
        f" `observedGeneration` of conditions, {words}"
    )
    return message, "Compare the condition's `observedGeneration` with `metadata.generation`."
