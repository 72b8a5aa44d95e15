"""An expression accepts a status that belongs to an older generation of the object.

## What

- One expression of an entry compares the `observedGeneration` of a condition with
  `metadata.generation`, and the one that decides does not.
- The CRD has no `status.observedGeneration`, but its conditions have one, and the expression
  does not compare it. This is a warning.
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

from celvet.lint.checks import CelExpression, CheckedObject
from celvet.lint.model import Finding, Severity
from celvet.lint.predict import Diagnosis, diagnoses, fix

SEVERITY = Severity.INFO


def check(checked: CheckedObject) -> Iterator[Finding]:
    """Report verdicts that may rest on an outdated status."""
    for entry, found in diagnoses(checked, "stale"):
        unnoticed = found.how == "condition" and _only_in_conditions(
            checked, entry.find(found.role)[0]
        )
        if unnoticed or found.how != "condition":
            controller = checked.kind.controller if checked.kind else ""
            message, help_ = _explained(found, controller)
            yield Finding(
                message=message,
                where=checked.at_role(entry, found.role),
                help=help_,
                severity=Severity.WARNING if unnoticed else None,
                counterexample=found.counterexample,
                fix=fix(checked, entry, found),
            )


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
    words = "which another expression of this entry compares"
    if found.how == "condition":
        words = f"and the CRD has no `status.observedGeneration` that {controller} could check"
    message = f"`{found.role}` ignores the `observedGeneration` of conditions, {words}"
    return message, "Compare the condition's `observedGeneration` with `metadata.generation`."
