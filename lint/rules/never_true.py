"""No object makes this expression true.

## What

- A condition compared with what no condition has: its `status` is one of the
  texts `True`, `False` and `Unknown`, never a boolean and never in lower case.
- Comparisons that exclude each other, such as one field with two values.

Reported only where a complete search found no object: an expression that is not
followed to its end gets no finding.

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

from lint.declaration import Declaration
from lint.lifecycle import diagnoses
from lint.model import Finding, Severity

SEVERITY = Severity.WARNING


_HARM = {
    "inProgress": "it has no effect",
    "failed": "a broken object is noticed at the timeout only",
    "current": "the object never gets ready",
    "readyExpr": "the dependency never counts as ready",
}


def check(declaration: Declaration) -> Iterator[Finding]:
    """Report expressions for which a complete search found no object."""
    for entry, found in diagnoses(declaration, "never"):
        why = f", since {found.detail}" if found.detail else ""
        yield Finding(
            message=f"no object makes `{found.role}` true{why}: {_HARM[found.role]}",
            where=declaration.at(entry.expressions[found.role]),
            help="Compare with the text." if found.detail else "Use `||` where either will do.",
            severity=Severity.INFO if found.role == "inProgress" else None,
        )
