"""No object makes this expression true.

## What

- A condition compared with what no condition has: its `status` is one of the
  texts `True`, `False` and `Unknown`, never a boolean and never in lower case.
- Comparisons that exclude each other, such as one field with two values.

Reported only where a complete search found no object: an expression that is not
followed to its end gets no finding. Where the CRD of the kind is known it decides
what a field may be, and `crd-enum` and `crd-type` report what contradicts it.

## Why

A `current` or `readyExpr` that is never true means waiting until the timeout,
each time. A `failed` that is never true has no effect.

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
      kind: Certificate
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
      kind: Certificate
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
    "text": "Compare with the text.",
    "number": "Compare with a number.",
    "bytes": "Write the text without the `b`.",
    "choice": "Use `||` where either will do.",
    "range": "Leave room for a value between the bounds.",
}


def check(checked: CheckedObject) -> Iterator[Finding]:
    """Report expressions for which a complete search found no object."""
    for entry, found in diagnoses(checked, "never"):
        where = checked.at_role(entry, found.role)
        if _told(checked, where):
            continue
        role = entry.role(found.role)
        why = f", since {found.detail}" if found.detail else ""
        yield Finding(
            message=f"no object makes `{found.role}` true{why}{_consequence(role)}",
            where=where,
            help=_HELP.get(found.how, "Take out what excludes the rest."),
            severity=Severity.INFO if role.answer == "InProgress" else None,
        )


def _consequence(role: Role) -> str:
    return f": {role.never}" if role.never else ""


def _told(checked: CheckedObject, where: Where) -> bool:
    """Whether other rules tell the cause by the CRD, at its place and with what to write."""
    return any(each.where.path == where.path for each in checked.mismatches(*_BY_CRD))
