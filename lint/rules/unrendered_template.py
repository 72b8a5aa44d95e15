"""A template in `dependsOn`, where nothing renders it.

## What

The Flux Operator renders `<< inputs.x >>` in `resources`, `resourcesTemplate`
and `steps`. It does not in `dependsOn`: the text is taken as it stands.

## Why

The dependency is looked up under the name `<< inputs.x >>`, which no object
has. The ResourceSet waits for it for ever.

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
apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSet
metadata: {name: tenants, namespace: flux-system}
spec:
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


_ACTION = re.compile(r"<<.*?>>", re.DOTALL)


def check(checked: CheckedObject) -> Iterator[Finding]:
    """Report the texts under `dependsOn` that hold a template."""
    if checked.kind is None or checked.kind.system != "resourceset":
        return
    for path, text in _texts(("spec", "dependsOn"), checked.get("spec", "dependsOn")):
        found = _ACTION.search(text)
        if found:
            yield Finding(
                message=f"`{found[0]}` is not rendered in `dependsOn`: the operator takes it"
                f" as it stands, and waits for something that cannot be",
                where=checked.place(path, Span(*found.span())),
                help="Write the value itself, or move the gate into the objects that `resources`"
                " makes.",
            )


def _texts(path: Path, value: Value) -> Iterator[tuple[Path, str]]:
    """The texts two levels down: the fields of each dependency."""
    for index, dependency in enumerate(value if isinstance(value, list) else ()):
        for key, text in dependency.items() if isinstance(dependency, dict) else ():
            if isinstance(text, str):
                yield (*path, index, key), text
