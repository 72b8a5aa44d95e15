"""The controller refuses a graph of resources whose parts do not fit together.

## What

- A resource has an id that is reserved, taken, or not in lowerCamelCase.
- An expression reads a resource that the graph does not have, or itself; or resources read
  each other in a cycle.
- `readyWhen`, `includeWhen` and `forEach` are not exactly one `${...}`: anything around it is
  refused, even a blank. A brace in single quotes ends the expression.
- `readyWhen` reads anything but its own resource, or `each` in a collection.
- The schema of the instances has an unknown type or marker, or a default with blanks and no
  quotes.
- `omit()` is used outside of a template, or without its feature gate (a warning); a condition of
  the status is not made by `runtime.newCondition`, or not as its macro wants.
- An object has a label that kro keeps for itself, or a namespace where its kind has none.
- A template or a type does not fit the schema of the kind, if a CRD is at hand.
- kro accepts it and fails when an instance is reconciled: `readyWhen` converts a field that the
  schema calls a time, which is a text then; `includeWhen` reads a field that an instance may leave
  out (a warning); `readyWhen` of a collection gives an optional (a warning).

## Why

kro compiles the whole graph when it reconciles a ResourceGraphDefinition. If it refuses one part,
the definition stays `Inactive`: no instance is reconciled, or those that exist keep the revision
before. No webhook says so.

## Bad

```yaml
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: app}
spec:
  schema: {apiVersion: v1alpha1, kind: App, spec: {name: string | required=true}}
  resources:
    - id: web
      template:
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: "${schema.spec.name}"}
      includeWhen:
        - ${schema.spec.nam != ""}
```

## Good

```yaml
      includeWhen:
        - ${schema.spec.name != ""}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.checks import CheckedObject
from celvet.lint.model import Finding, Severity

SEVERITY = Severity.ERROR


def check(checked: CheckedObject) -> Iterator[Finding]:
    """Report why the controller refuses the graph; of one text, the first reason."""
    if not checked.is_graph:
        return
    from celvet.lint.controllers import objections  # few files have a graph

    places = set()
    for objection in objections(checked):
        if objection.path not in places:
            places.add(objection.path)
            refusal = f"so {checked.controller} refuses the graph"
            yield Finding(
                message=f"{objection.message}, {objection.consequence or refusal}",
                where=checked.place(objection.path, objection.span),
                help=objection.help,
                severity=Severity.WARNING if objection.by_schema else None,
            )
