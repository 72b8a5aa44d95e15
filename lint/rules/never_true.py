"""No object can make this expression true.

## What

- A condition is compared with a value that no condition has: its `status` is one of the
  strings `True`, `False` and `Unknown`, never a boolean and never in lower case.
- Comparisons contradict each other, such as one field with two values.
- The controller of the kind never writes the phase or the condition, or no longer does. celvet
  knows the values of many kinds from the code of their controllers.

An expression is reported only if a complete search found no object for which it is true.
If the CRD of the kind is known, it decides which values a field may have, and `crd-enum`
and `crd-type` report what contradicts it.

## Why

A `current` or `readyExpr` that is never true makes every reconciliation wait until its
timeout. A `failed` that is never true has no effect.

## Bad

```yaml
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: certs}
spec:
  interval: 1h
  prune: true
  wait: true
  sourceRef: {kind: GitRepository, name: flux-system}
  healthCheckExprs:
    - apiVersion: cert-manager.io/v1
      kind: ClusterIssuer
      failed: status.conditions.exists(e, e.type == 'Ready' && e.status == 'False')
      current: status.conditions.exists(e, e.type == 'Ready' && e.status == true)
```

## Good

```yaml
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: certs}
spec:
  interval: 1h
  prune: true
  wait: true
  sourceRef: {kind: GitRepository, name: flux-system}
  healthCheckExprs:
    - apiVersion: cert-manager.io/v1
      kind: ClusterIssuer
      failed: status.conditions.exists(e, e.type == 'Ready' && e.status == 'False')
      current: status.conditions.exists(e, e.type == 'Ready' && e.status == 'True')
```
"""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.checks import CheckedObject
from celvet.lint.model import Finding, Severity, Where
from celvet.lint.predict import diagnoses
from celvet.schemas.dialect import Role

SEVERITY = Severity.WARNING
_BY_CRD = ("crd-enum", "crd-type")


_HELP = {
    "text": "Compare with the string.",
    "number": "Compare with a number.",
    "bytes": "Write the string without the `b`.",
    "choice": "Use `||` if either value will do.",
    "range": "Leave room for a value between the bounds.",
}


def check(checked: CheckedObject) -> Iterator[Finding]:
    """Report expressions for which a complete search found no object."""
    for entry, found in diagnoses(checked, "never"):
        where = checked.at_role(entry, found.role)
        help_ = _HELP.get(found.how, "Remove the comparison that contradicts the others.")
        if found.how == "unwritten":
            help_ = checked.advice(entry, found.role)
        if _told(checked, where):
            continue
        role = entry.role(found.role)
        facts = checked.facts_of(entry)
        idle = role.answer == "Failed" and facts is not None and not facts.fails
        why = f", since {found.detail}" if found.detail else ""
        yield Finding(
            message=f"`{found.role}` is never true{why}{_consequence(role, idle)}",
            where=where,
            help=help_,
            severity=Severity.INFO if idle or role.answer == "InProgress" else None,
        )


def _consequence(role: Role, idle: bool) -> str:
    if idle:
        return ": it has no effect"
    return f": {role.never}" if role.never else ""


def _told(checked: CheckedObject, where: Where) -> bool:
    """Whether other rules tell the cause by the CRD, at its place and with what to write."""
    return any(each.where.path == where.path for each in checked.mismatches(*_BY_CRD))
