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
from typing import TYPE_CHECKING

from celvet.lint.checks.checked_object import Declaration, Expression
from celvet.lint.model import Finding, Severity
from celvet.lint.predict import Diagnosis, diagnoses

if TYPE_CHECKING:
    from celvet.lint.cel import Compiled

SEVERITY = Severity.INFO


def check(declaration: Declaration) -> Iterator[Finding]:
    """Report verdicts by what may be outdated."""
    for entry, found in diagnoses(declaration, "stale"):
        untold = found.how == "condition" and _untold(declaration, entry.expressions[found.role])
        if untold or found.how != "condition":
            reason, help_ = _explained(found)
            yield Finding(
                message=reason,
                where=declaration.at(entry.expressions[found.role]),
                help=help_,
                severity=Severity.WARNING if untold else None,
                counterexample=found.counterexample,
                fix=declaration.fix(entry, found),
            )


def _untold(declaration: Declaration, expression: Expression[Compiled]) -> bool:
    """Whether the CRD has the generation in the conditions and not beside them."""
    schema = declaration.schema_of(*expression.subject)
    field = "observedGeneration"
    inner = schema and schema.at("status", "conditions", None, field)
    return bool(schema and inner and not schema.at("status", field))


def _explained(found: Diagnosis) -> tuple[str, str]:
    if found.how == "gate":
        message = (
            "`readyExpr` replaces Flux's own generation check: just after a change, a dependency"
            " still counts as ready by its old status"
        )
        return message, "Add `dep.metadata.generation == dep.status.observedGeneration`."
    words = "which another expression of this entry compares"
    if found.how == "condition":
        words = "and the CRD has no `status.observedGeneration` that Flux could check"
    message = f"`{found.role}` ignores the `observedGeneration` of conditions, {words}"
    return message, "Compare the condition's `observedGeneration` with `metadata.generation`."
