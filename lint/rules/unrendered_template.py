"""The operator does not render a template in `dependsOn`.

## What

The Flux Operator renders `<< inputs.x >>` in `resources`, `resourcesTemplate` and `steps`, but
not in `dependsOn`: there it takes the text literally.

## Why

The operator looks for a dependency with the name `<< inputs.x >>`. No object can have that
name, so the ResourceSet waits for it for ever.

## Bad

```yaml
apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSet
metadata: {name: tenants, namespace: flux-system}
spec:
  dependsOn:
    - apiVersion: cluster.x-k8s.io/v1beta1
      kind: Cluster
      name: << inputs.cluster >>
      namespace: clusters
      ready: true
      readyExpr: status.phase == 'Provisioned'
  inputs:
    - cluster: eu-1
  resources: []
```

## Good

```yaml
  dependsOn:
    - apiVersion: cluster.x-k8s.io/v1beta1
      kind: Cluster
      name: eu-1
      namespace: clusters
      ready: true
      readyExpr: status.phase == 'Provisioned'
  inputs:
    - cluster: eu-1
  resources: []
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from celvet.lint.checks import CheckedObject
from celvet.lint.model import Finding, Path, Severity, Span, Value

SEVERITY = Severity.WARNING


def check(checked: CheckedObject) -> Iterator[Finding]:
    """Report the templates that the controller takes literally."""
    kind = checked.kind
    if kind is None:
        return
    for field, action in kind.literal_templates.items():
        for path, text in _texts(field, checked.get(*field)):
            if match := re.search(action, text):
                yield Finding(
                    message=f"`{match[0]}` is not rendered in `{field[-1]}`, so {kind.controller}"
                    " waits for an object that cannot exist",
                    where=checked.place(path, Span(*match.span())),
                    help="Write the value itself, or move the gate into the objects that"
                    " `resources` creates.",
                )


def _texts(path: Path, value: Value) -> Iterator[tuple[Path, str]]:
    """The texts two levels down: the fields of each element of a list."""
    for index, element in enumerate(value if isinstance(value, list) else ()):
        for key, text in element.items() if isinstance(element, dict) else ():
            if isinstance(text, str):
                yield (*path, index, key), text
