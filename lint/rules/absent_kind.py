"""A controller waits for an object of a kind that no cluster has.

## What

An item of `healthChecks`, or of `dependsOn` of a ResourceSet, whose `apiVersion` lacks the version,
or whose kind is none of Kubernetes' group that it names. A kind in lower case is found. An entry of
`healthCheckExprs` for such a kind is reported by [ignored-expression](ignored-expression.md).

## Why

The controller looks the object up and finds no such kind. It takes that for an object that is not
there yet: a wait fails at its timeout, and Flux Operator never reconciles the ResourceSet.

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
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: apps, namespace: flux-system}
spec:
  interval: 1h
  prune: true
  path: ./apps
  sourceRef: {kind: GitRepository, name: flux-system}
  healthChecks:
    - {apiVersion: apps/v1, kind: Deployment, name: podinfo, namespace: podinfo}
```
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from celvet.lint.checks import CheckedObject
from celvet.lint.checks.absent_kinds import absent_kind
from celvet.lint.checks.waiting import drops_list
from celvet.lint.model import Finding, Path, Severity, Value
from celvet.lint.values import list_at

SEVERITY = Severity.WARNING


def check(checked: CheckedObject) -> Iterator[Finding]:
    """Report the objects that can never be found."""
    if not checked.partial:
        yield from _listed(checked)
        yield from _dependencies(checked)


def _listed(checked: CheckedObject) -> Iterator[Finding]:
    path = checked.kind.waited_list if checked.kind else ()
    if all(drops_list(checked.kind, form.resource) for form in checked.forms()):
        return
    for index, each in enumerate(list_at(checked.value, path)):
        if isinstance(each, Mapping):
            end = f"{checked.controller} waits for it until the timeout{checked.timing.after}"
            yield from _absent(checked, (*path, index), each, end)


def _dependencies(checked: CheckedObject) -> Iterator[Finding]:
    end = f"{checked.controller} never reconciles `{checked.object.name}`"
    for entry in checked.doing("dependency"):
        if "kind" in entry.value:
            yield from _absent(checked, entry.path, entry.value, end)


def _absent(
    checked: CheckedObject, path: Path, reference: Mapping[str, Value], end: str
) -> Iterator[Finding]:
    """A finding if the reference stands in each form of the object."""
    *above, _ = path
    forms = (list_at(form.resource.value, tuple(above)) for form in checked.forms())
    if all(reference in each for each in forms) and (
        found := absent_kind(checked, reference, looked_up=True)
    ):
        yield Finding(
            message=f"{found.reason}: {end}",
            where=checked.place((*path, found.field), None, found.field not in reference),
            help=found.help,
        )
