"""A missing dependency keeps Flux from ever reconciling the object.

## What

A Kustomization or a HelmRelease depends on another one of its kind, and none in the repository has
that name in the namespace where Flux looks for it. Names and namespaces are those after the
parents' patches and the `kustomization.yaml` files on the way. Nothing is reported if others may
come from elsewhere: from another repository, a remote base, a chart, an unknown path, or a
ResourceSet with inputs that only the cluster knows. An object of another kind with that name is
pointed out: Flux looks for objects of the same kind alone.

The rule also reports a ResourceSet that depends on a namespaced object without naming its
namespace: Flux Operator does not use that of the ResourceSet. For this, celvet must know the
scope of the kind, from a CRD or the catalogue.

## Why

Before it reconciles an object, Flux looks for each dependency. While one is missing, it only tries
again.

## Bad

```yaml
# flux/cluster.yaml
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: cluster, namespace: flux-system}
spec:
  interval: 1h
  prune: true
  path: ./apps
  sourceRef: {kind: GitRepository, name: flux-system}
---
# apps/cert-manager/ks.yaml
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: cert-manager, namespace: flux-system}
spec:
  interval: 1h
  prune: true
  path: ./apps/cert-manager/app
  sourceRef: {kind: GitRepository, name: flux-system}
---
# apps/issuers/ks.yaml
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: issuers, namespace: flux-system}
spec:
  interval: 1h
  prune: true
  path: ./apps/issuers/app
  sourceRef: {kind: GitRepository, name: flux-system}
  dependsOn:
    - name: cert-manger
---
# apps/kustomization.yaml
resources: [cert-manager/ks.yaml, issuers/ks.yaml]
---
# apps/cert-manager/app/kustomization.yaml
resources: []
---
# apps/issuers/app/kustomization.yaml
resources: []
```

## Good

```yaml
  dependsOn:
    - name: cert-manager
---
# apps/kustomization.yaml
resources: [cert-manager/ks.yaml, issuers/ks.yaml]
---
# apps/cert-manager/app/kustomization.yaml
resources: []
---
# apps/issuers/app/kustomization.yaml
resources: []
```
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, NamedTuple

from celvet.lint.checks import Check, CheckedObject
from celvet.lint.model import Finding, Path, Related, Severity
from celvet.lint.repository.questions import NamesWithout, ObjectsNamed
from celvet.lint.similar import closest_name
from celvet.lint.values import get, text_at
from celvet.schemas import load

if TYPE_CHECKING:
    from celvet.lint.kustomize.resource import ObjectName
    from celvet.lint.repository.object_form import ObjectForm

SEVERITY = Severity.WARNING


def check(checked: CheckedObject) -> Iterator[Finding]:
    """Report the entries that name nothing in any form of the object."""
    if not checked.partial:
        yield from _absent(checked)
        yield from _unplaced(checked)


def _absent(checked: CheckedObject) -> Iterator[Finding]:
    """Entries for an object that no file of the repository creates."""
    for entry in checked.dependencies():
        first_miss, *more_misses = [_missing(checked, entry, form) for form in checked.forms()]
        if first_miss and all(more_misses):
            dependency, names = first_miss
            other_kind = _of_another_kind(checked, dependency, names)
            where = checked.place(entry.path)
            bearer = f"{other_kind.kind} `{other_kind.place}` has that name" if other_kind else ""
            yield Finding(
                message=f"nothing creates a {checked.object.kind} `{dependency.name}` in namespace"
                f" `{dependency.namespace}`: {checked.controller} never reconciles"
                f" `{checked.object.name}`",
                where=where,
                related=(Related(bearer, where),) if bearer else (),
                help=_applying(other_kind, dependency) if other_kind else _help(dependency, names),
            )


class _Bearer(NamedTuple):
    """An object of another kind that has a name, and the one that applies it."""

    kind: str
    place: str
    by: ObjectName


def _of_another_kind(
    checked: CheckedObject, wanted: ObjectName, names: Collection[ObjectName]
) -> _Bearer | None:
    """The object of another kind of the catalogue that may be meant: no other one has the name."""
    if any(reference.name == wanted.name for reference in names):
        return None
    catalog = load(checked.directories)
    for resource, by in checked.surroundings.ask(ObjectsNamed(wanted.name)).items():
        if catalog.find(resource.api_version, resource.kind):
            return _Bearer(resource.kind, f"{resource.namespace}/{resource.name}", by)
    return None


def _applying(bearer: _Bearer, dependency: ObjectName) -> str:
    """The advice to depend on what applies an object."""
    by = f"`{bearer.by.name}`"
    if bearer.by.namespace != dependency.namespace:
        by += f" with `namespace: {bearer.by.namespace}`"
    return f"Write {by}, which applies it, or remove the entry."


def _unplaced(checked: CheckedObject) -> Iterator[Finding]:
    """Entries without a namespace for an object whose kind is namespaced."""
    for entry in checked.doing("dependency"):
        path = (*entry.path, entry.namespace)
        bare = entry.namespace and all(_unwritten(path, form) for form in checked.forms())
        if bare and checked.scope_of(*entry.objects) == "Namespaced":  # last: it may read a CRD
            name = text_at(entry.value, ("name",))
            yield Finding(
                message=f"every {entry.group_kind.kind} is in a namespace, and `{name}` is named"
                f" without one: {checked.controller} waits forever",
                where=checked.place(entry.path),
                help=f"Add `{entry.namespace}`.",
            )


def _unwritten(path: Path, form: ObjectForm) -> bool:
    """Whether a field is certainly empty in a form of the object."""
    return form.resource.knows(*path) and not get(form.resource.value, path)


def _missing(
    checked: CheckedObject, entry: Check, form: ObjectForm
) -> tuple[ObjectName, Collection[ObjectName]] | None:
    """The dependency that an entry names, and the nearest existing one."""
    from celvet.lint.repository.dependencies import (
        dependencies,
        referenced_name,
    )  # loads what follows patches

    path, resource = entry.path[:-1], form.resource
    dependency = referenced_name(entry.value, resource)
    is_listed = resource.knows(*path) and dependency in dependencies(resource, path)
    if not is_listed or "${" in "".join(dependency):
        return None
    names = checked.surroundings.ask(NamesWithout(form, dependency))
    return None if names is None else (dependency, names)


def _help(dependency: ObjectName, names: Collection[ObjectName]) -> str:
    namespaces = {reference.namespace for reference in names if reference.name == dependency.name}
    if len(namespaces) == 1:
        return f"Add `namespace: {namespaces.pop()}`, or remove the entry."
    near = closest_name(
        dependency.name,
        {reference.name for reference in names if reference.namespace == dependency.namespace},
    )
    return f"Write `{near}`, or remove the entry." if near else "Remove the entry."
