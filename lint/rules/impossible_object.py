"""A controller waits for an object that no cluster can have.

## What

- An item of `healthChecks`, or of `dependsOn` of a ResourceSet, whose `apiVersion` lacks the
  version, or whose kind is none of Kubernetes' group that it names. A kind in lower case is found.
  An entry of `healthCheckExprs` for such a kind is reported by
  [ignored-expression](ignored-expression.md).
- An item of `healthChecks` without a namespace, for a kind whose objects are in namespaces. For
  this, celvet must know the scope of the kind, from a CRD or the catalogue.
  [dependency-missing](dependency-missing.md) reports such an item of `dependsOn`.

## Why

The controller looks the object up and finds no such kind. It takes that for an object that is not
there yet: a wait fails at its timeout, and Flux Operator never reconciles the ResourceSet. A wait
for an object without its namespace fails at once.

## Bad

```yaml
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: apps, namespace: flux-system}
spec:
  interval: 1h
  prune: true
  path: ./apps
  sourceRef: {kind: GitRepository, name: flux-system}
  healthChecks:
    - {apiVersion: apps/v1, kind: Deploymnet, name: podinfo, namespace: podinfo}
```

## Good

```yaml
  healthChecks:
    - {apiVersion: apps/v1, kind: Deployment, name: podinfo, namespace: podinfo}
```
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from celvet.lint.checks import CheckedObject
from celvet.lint.checks.absent_kinds import absent_kind
from celvet.lint.checks.waiting import drops_list, knows_waits
from celvet.lint.model import Finding, Path, Severity, Value
from celvet.lint.values import list_at, text_at
from celvet.schemas import Kind

if TYPE_CHECKING:
    from celvet.lint.kustomize.resource import Resource

SEVERITY = Severity.WARNING


def check(checked: CheckedObject) -> Iterator[Finding]:
    """Report the objects that can never be found."""
    if not checked.partial:
        yield from _listed(checked)
        yield from _dependencies(checked)


def _listed(checked: CheckedObject) -> Iterator[Finding]:
    kind = checked.kind
    if kind is None or not any(_uses_list(kind, form.resource) for form in checked.forms()):
        return
    path = kind.waited_list
    for index, reference in enumerate(list_at(checked.value, path)):
        if isinstance(reference, Mapping):
            end = (
                f"{checked.controller} waits for it until the timeout{checked.timing.timeout_text}"
            )
            yield from _absent(checked, (*path, index), reference, end)
            yield from _unplaced(checked, (*path, index), reference)


def _uses_list(kind: Kind, resource: Resource) -> bool:
    """Whether a controller certainly waits for the objects that a declaration lists."""
    return knows_waits(kind, resource) and not drops_list(kind, resource)


def _dependencies(checked: CheckedObject) -> Iterator[Finding]:
    end = f"{checked.controller} never reconciles `{checked.object.name}`"
    for entry in checked.doing("dependency"):
        if "kind" in entry.value:
            yield from _absent(checked, entry.path, entry.value, end)


def _absent(
    checked: CheckedObject, path: Path, reference: Mapping[str, Value], end: str
) -> Iterator[Finding]:
    """A reference to an object of a kind that does not exist."""
    absence = absent_kind(checked, reference, looked_up=True)
    if absence and _is_in_each_form(checked, path, reference):
        yield Finding(
            message=f"{absence.reason}: {end}",
            where=checked.place((*path, absence.field), None, absence.field not in reference),
            help=absence.help,
        )


def _unplaced(
    checked: CheckedObject, path: Path, reference: Mapping[str, Value]
) -> Iterator[Finding]:
    """A reference that lacks the namespace; `WaitForSet` of fluxcd/pkg/ssa refuses the list."""
    version, kind, name = (text_at(reference, (key,)) for key in ("apiVersion", "kind", "name"))
    if reference.get("namespace") or checked.scope_of(version, kind) != "Namespaced":
        return
    if _is_in_each_form(checked, path, reference):
        yield Finding(
            message=f"every {kind} is in a namespace, and `{name}` is listed without one: each wait"
            " fails at once",
            where=checked.place(path),
            help="Add `namespace`.",
        )


def _is_in_each_form(checked: CheckedObject, path: Path, reference: Mapping[str, Value]) -> bool:
    *above, _ = path
    lists = (list_at(form.resource.value, tuple(above)) for form in checked.forms())
    return all(reference in references for references in lists)
