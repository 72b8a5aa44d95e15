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

from celvet.lint.checks.checked_object import Declaration, Entry
from celvet.lint.model import Finding, GroupKind, Path, Severity
from celvet.lint.predict import Subject, kept_shut, subjects

SEVERITY = Severity.WARNING

_APPLIED: Path = ("metadata", "annotations", "kubectl.kubernetes.io/last-applied-configuration")


def check(declaration: Declaration) -> Iterator[Finding]:
    """Report gates that only what is hidden could open."""
    if declaration.kind.kind != "ResourceSet":
        return
    for entry, subject in subjects(declaration):
        if _elsewhere(declaration, entry):
            message = "the operator removes `data` from a Secret in another namespace"
            help_ = "Move the Secret to the namespace of the ResourceSet, or use a ConfigMap."
            yield from _found(declaration, entry, subject, ("data",), message, help_)
        message = (
            "the operator removes the annotation `kubectl.kubernetes.io/last-applied-configuration`"
        )
        yield from _found(declaration, entry, subject, _APPLIED, message, "Test another field.")


def _elsewhere(declaration: Declaration, entry: Entry) -> bool:
    """Whether this is a Secret in a namespace that is told and is another one."""
    own, other = declaration.object.namespace, entry.value.get("namespace")
    told = isinstance(other, str) and own and not any(mark in other for mark in ("<<", "${"))
    return entry.group_kind == GroupKind("", "Secret") and bool(told) and other != own


def _found(  # noqa: PLR0913, PLR0917 - a finding in parts
    declaration: Declaration,
    entry: Entry,
    subject: Subject,
    hidden: Path,
    message: str,
    help_: str,
) -> Iterator[Finding]:
    row = kept_shut(subject, hidden, f"as the operator shows it, without `{hidden[-1]}`")
    if row:
        yield Finding(
            message=f"{message} before it evaluates `readyExpr`: the dependency never counts"
            " as ready",
            where=declaration.at(entry.expressions["readyExpr"]),
            help=help_,
            counterexample=row.counterexample,
        )
