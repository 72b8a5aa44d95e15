"""A `readyExpr` of a ResourceSet reads data that the operator hides from it.

## What

A `readyExpr` that can be true only because of

- `data` of a Secret in another namespace than the ResourceSet
- the annotation `kubectl.kubernetes.io/last-applied-configuration`

## Why

The operator reads dependencies with its own permissions. To prevent leaks, it removes the
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
from celvet.lint.model import Finding, Related, Severity, field_path
from celvet.lint.predict import CheckModel, blocked_by_redaction, models
from celvet.lint.values import text_at
from celvet.schemas.dialect import Hidden

SEVERITY = Severity.WARNING


def check(checked: CheckedObject) -> Iterator[Finding]:
    """Report gates that are true only on objects with a field that the controller removes."""
    if not any(entry.dialect and entry.dialect.hides for entry in checked.checks):
        return
    for entry, model in models(checked):
        other_namespace = _in_other_namespace(checked, entry)
        for hidden_path in model.dialect.hidden_fields(*entry.objects, elsewhere=other_namespace):
            yield from _blocked(checked, entry, model, hidden_path)


def _in_other_namespace(checked: CheckedObject, entry: Check) -> bool:
    """Whether the object is known to be in another namespace."""
    own_namespace, named_namespace = checked.object.namespace, text_at(entry.value, ("namespace",))
    are_known = (
        own_namespace
        and named_namespace
        and not any(mark in named_namespace for mark in ("<<", "${"))
    )
    return bool(are_known) and named_namespace != own_namespace


def _blocked(
    checked: CheckedObject, entry: Check, model: CheckModel, hidden: Hidden
) -> Iterator[Finding]:
    field, role = field_path(hidden.path), entry.role(model.dialect.needs)
    row = blocked_by_redaction(model, hidden.path, f"as the controller shows it, without `{field}`")
    if row:
        kind = hidden.of.rpartition("/")[2]
        of = f" of a {kind} in another namespace" if hidden.elsewhere else ""
        where = checked.at_role(entry, role.name)
        yield Finding(
            message=f"{checked.controller} hides `{hidden.path[-1]}`{of}, so `{role.name}` is never"
            " true",
            where=where,
            related=(Related(role.never, where),),
            help=hidden.help,
            counterexample=row.counterexample,
        )
