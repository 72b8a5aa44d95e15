"""A `readyExpr` of a ResourceSet reads data that the operator hides from it.

## What

A `readyExpr` that can be true only because of

- `data` of a Secret in another namespace than the ResourceSet
- the annotation `kubectl.kubernetes.io/last-applied-configuration`

## Why

The operator reads dependencies with its own permissions. To leak nothing, it removes the
data of a Secret in another namespace, and that annotation from every object, before it
evaluates the expression. The dependency never counts as ready, and no message says why.

## Bad

```yaml
apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSet
metadata: {name: tenants, namespace: flux-system}
spec:
  resources: []
  dependsOn:
    - apiVersion: v1
      kind: Secret
      name: gate
      namespace: platform
      ready: true
      readyExpr: string(base64.decode(data.gate)) == 'opened'
```

## Good

```yaml
apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSet
metadata: {name: tenants, namespace: flux-system}
spec:
  resources: []
  dependsOn:
    - apiVersion: v1
      kind: ConfigMap
      name: gate
      namespace: platform
      ready: true
      readyExpr: data.gate == 'opened'
```
"""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.checks import Check, CheckedObject
from celvet.lint.model import Finding, GroupKind, Path, Severity
from celvet.lint.predict import CheckModel, blocked_by_redaction, models

SEVERITY = Severity.WARNING

_APPLIED: Path = ("metadata", "annotations", "kubectl.kubernetes.io/last-applied-configuration")


def check(checked: CheckedObject) -> Iterator[Finding]:
    """Report gates that are true only on objects with the removed data."""
    if checked.kind is None or checked.kind.kind != "ResourceSet":
        return
    for entry, model in models(checked):
        if _elsewhere(checked, entry):
            message = "the operator removes `data` from a Secret in another namespace"
            help_ = "Move the Secret to the namespace of the ResourceSet, or use a ConfigMap."
            yield from _found(checked, entry, model, ("data",), message, help_)
        message = (
            "the operator removes the annotation `kubectl.kubernetes.io/last-applied-configuration`"
        )
        yield from _found(checked, entry, model, _APPLIED, message, "Test another field.")


def _elsewhere(checked: CheckedObject, entry: Check) -> bool:
    """Whether this is a Secret in a namespace that is known and is another one."""
    own, other = checked.object.namespace, entry.value.get("namespace")
    told = isinstance(other, str) and own and not any(mark in other for mark in ("<<", "${"))
    return entry.named == GroupKind("", "Secret") and bool(told) and other != own


def _found(  # noqa: PLR0913, PLR0917 - a finding in parts
    checked: CheckedObject,
    entry: Check,
    model: CheckModel,
    hidden: Path,
    message: str,
    help_: str,
) -> Iterator[Finding]:
    row = blocked_by_redaction(model, hidden, f"as the operator shows it, without `{hidden[-1]}`")
    if row:
        yield Finding(
            message=f"{message} before it evaluates `readyExpr`: the dependency never counts"
            " as ready",
            where=checked.at_role(entry, model.role("Ready")),
            help=help_,
            counterexample=row.counterexample,
        )
