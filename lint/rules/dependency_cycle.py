"""Objects that depend on each other are never reconciled.

## What

A Kustomization or a HelmRelease depends on itself, directly or through others that get into the
same cluster. Names and namespaces are those after the parents' patches and the `kustomization.yaml`
files on the way. An entry with a `readyExpr` does not count: it may be true before the other object
is ready. Outside a git repository, where the files of several repositories may lie side by side,
only an object that names itself is reported. `celvet graph` draws the cycle.

## Why

Flux reconciles an object only when all its dependencies are ready. In a cycle, none ever is.

## Bad

```yaml
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: certs, namespace: flux-system}
spec:
  interval: 1h
  prune: true
  path: ./certs
  sourceRef: {kind: GitRepository, name: flux-system}
  dependsOn:
    - name: certs
```

## Good

```yaml
  dependsOn:
    - name: cert-manager
```
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from celvet.lint.checks import CheckedObject
from celvet.lint.model import Finding, Severity
from celvet.lint.repository.questions import DependencyCycle
from celvet.lint.values import list_at, text_at

if TYPE_CHECKING:
    from celvet.lint.repository.object_form import ObjectForm

SEVERITY = Severity.ERROR


def check(checked: CheckedObject) -> Iterator[Finding]:
    """Report the entry by which an object waits for itself in each of its forms."""
    entries = [entry for entry in checked.dependencies() if not entry.expressions]
    if checked.partial or not entries or not checked.object.name:
        return
    path = entries[0].path[:-1]
    ways = [_way(checked, form, path) for form in checked.forms()]
    if not all(ways):
        return
    # A patch may have renamed the dependency; then the list as a whole stands for it.
    names = [text_at(item, ("name",)) for item in list_at(checked.value, path)]
    index = names.index(ways[0][0]) if ways[0][0] in names else 0
    entry = next((dependency for dependency in entries if dependency.path == (*path, index)), None)
    if entry is None:
        return
    between = ", ".join(f"`{name}`" for name in ways[0][:-1])
    never = f"{checked.controller} never reconciles"
    yield Finding(
        message=f"`{ways[0][-1]}` depends on itself"
        + (f" through {between}: {never} any of them" if between else f": {never} it"),
        where=checked.place(entry.path),
        help="Remove one of the dependencies." if between else "Remove the entry.",
    )


def _way(checked: CheckedObject, form: ObjectForm, path: tuple[str | int, ...]) -> list[str]:
    """The names from a dependency back to the object; empty if none leads there."""
    from celvet.lint.repository.dependencies import dependencies  # loads what follows patches

    resource = form.resource
    if not (resource.knows(*path) and resource.knows("metadata")):
        return []
    if resource.identity in dependencies(resource, path, built_in=True):
        return [resource.identity.name]
    return [resource.name for resource in checked.surroundings.ask(DependencyCycle(form, path))]
