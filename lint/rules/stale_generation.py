"""A verdict trusts a status that is of an older generation of the object.

## What

- An expression of an entry compares the `observedGeneration` of a condition with
  `metadata.generation`, and the one that decides does not.
- The CRD has no `status.observedGeneration`, but its conditions have one, and the
  expression does not look at it. This is a warning.
- A `readyExpr` of a Kustomization or HelmRelease does not compare the generations.

## Why

After a change the conditions are those of the object before it, until its
controller has looked at it. Flux compares `status.observedGeneration` with
`metadata.generation` before it tries an expression, so this matters only where
the kind has no such field. A `readyExpr` takes the place of Flux's own test,
generations included.

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
from typing import TYPE_CHECKING

from celvet.lint.checks import CelExpression, CheckedObject
from celvet.lint.model import Finding, Severity
from celvet.lint.predict import Diagnosis, diagnoses, fix

if TYPE_CHECKING:
    pass

SEVERITY = Severity.INFO


def check(checked: CheckedObject) -> Iterator[Finding]:
    """Report verdicts by what may be outdated."""
    for entry, found in diagnoses(checked, "stale"):
        untold = found.how == "condition" and _untold(checked, entry.find(found.role)[0])
        if untold or found.how != "condition":
            reason, help_ = _explained(found)
            yield Finding(
                message=reason,
                where=checked.at_role(entry, found.role),
                help=help_,
                severity=Severity.WARNING if untold else None,
                counterexample=found.counterexample,
                fix=fix(checked, entry, found),
            )


def _untold(checked: CheckedObject, expression: CelExpression) -> bool:
    """Whether the CRD has the generation in the conditions and not beside them."""
    schema = checked.schema_of(*expression.objects)
    field = "observedGeneration"
    inner = schema and schema.at("status", "conditions", None, field)
    return bool(schema and inner and not schema.at("status", field))


def _explained(found: Diagnosis) -> tuple[str, str]:
    if found.how == "gate":
        message = (
            "`readyExpr` takes the place of the test that compares the generations: a dependency"
            " counts as ready while its status is of the generation before"
        )
        return message, "Add `dep.metadata.generation == dep.status.observedGeneration`."
    words = "which another expression of this entry asks for"
    if found.how == "condition":
        words = "and the CRD has no `status.observedGeneration` by which Flux would notice"
    message = f"`{found.role}` trusts conditions whatever their `observedGeneration`, {words}"
    return message, "Compare the condition's `observedGeneration` with `metadata.generation`."
