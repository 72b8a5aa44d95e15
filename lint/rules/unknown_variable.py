"""A name that means nothing where it stands.

## What

In `healthCheckExprs`, and in `readyExpr` of a ResourceSet, the names are the
top-level fields of the object under check: `metadata`, `spec`, `status`,
`data`... There is no `self` and no `object`. In `readyExpr` of a Kustomization
or HelmRelease the names are `self` and `dep`, and nothing else.

An error where the controller refuses the name. At sites that are only parsed it
is a warning, since a custom resource may have any top-level field: `self` and
its like, and names that no kind of Kubernetes has.

## Why

At sites that are only parsed nothing is said of an unknown name. Evaluation
fails each time an object is checked, and the reconciliation hangs until its
timeout.

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
      current: self.status.conditions.exists(e, e.type == 'Ready' && e.status == 'True')
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

import difflib
from collections.abc import Iterator

from lint.cel import Compiled, variables
from lint.declaration import Declaration, Expression
from lint.model import Finding, Severity

SEVERITY = Severity.ERROR


_PREFIXES = frozenset({"dep", "obj", "object", "oldObject", "resource", "self", "this"})
"""What other uses of CEL in Kubernetes call the object; no kind has such a field."""

_FIELDS = """
    apiVersion kind metadata spec status
    action addressType aggregationRule allowVolumeExpansion allowedTopologies
    automountServiceAccountToken binaryData caBundle data deprecatedCount description endpoints
    eventTime globalDefault handler imagePullSecrets immutable involvedObject items message
    mountOptions note overhead parameters ports preemptionPolicy provisioner reason reclaimPolicy
    regarding related reportingController results roleRef rules scheduling scope secrets source
    stringData subjects subsets summary template type value volumeBindingMode webhooks
"""
TOP_LEVEL = frozenset(_FIELDS.split())
"""Top-level fields of the kinds of Kubernetes itself, and common ones of custom resources."""


def check(declaration: Declaration) -> Iterator[Finding]:
    """Report names that are refused, and those that hardly any object has."""
    yield from declaration.refusals("unknown-variable")
    for expression in declaration.cel:
        compiled = expression.program
        if not compiled.refusals and not compiled.dialect.variables:
            yield from _check(declaration, expression)


def _check(declaration: Declaration, expression: Expression[Compiled]) -> Iterator[Finding]:
    seen: set[str] = set()
    for name, node in variables(expression.program):
        if name in TOP_LEVEL or name in seen:
            continue
        seen.add(name)
        message, help_ = _explained(name)
        yield Finding(
            message=message,
            where=declaration.at(expression, node.span),
            help=help_,
            severity=Severity.WARNING,
        )


def _explained(name: str) -> tuple[str, str]:
    if name in _PREFIXES:
        message = (
            f"there is no `{name}` here, only the object's own top-level fields: evaluation fails"
        )
        return message, f"Write the field without `{name}.` before it."
    near = difflib.get_close_matches(name, sorted(TOP_LEVEL), n=1, cutoff=0.7)
    return (
        f"`{name}` is no top-level field that objects have as a rule: where it is missing,"
        " evaluation fails",
        f"Write `{near[0]}`." if near else "Begin with `status`, `spec`, `metadata` or `data`.",
    )
