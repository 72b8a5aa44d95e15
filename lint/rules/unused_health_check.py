"""With `wait: true`, the controller does not look at `healthChecks`.

## What

A Kustomization has both `wait: true` and `healthChecks`. The parents' patches and the
`kustomization.yaml` files on the way count if they are in the repository.

## Why

With `wait: true` Flux waits for the objects that it applies itself, and drops the list. An
object in the list that a Helm chart or an operator creates is not waited for at all.

## Bad

```yaml
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: rook-ceph, namespace: flux-system}
spec:
  interval: 1h
  prune: true
  path: ./rook-ceph
  sourceRef: {kind: GitRepository, name: flux-system}
  wait: true
  healthChecks:
    - {apiVersion: ceph.rook.io/v1, kind: CephCluster, name: rook-ceph, namespace: rook-ceph}
```

## Good

```yaml
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: rook-ceph, namespace: flux-system}
spec:
  interval: 1h
  prune: true
  path: ./rook-ceph
  sourceRef: {kind: GitRepository, name: flux-system}
  healthChecks:
    - {apiVersion: helm.toolkit.fluxcd.io/v2, kind: HelmRelease, name: rook, namespace: rook-ceph}
    - {apiVersion: ceph.rook.io/v1, kind: CephCluster, name: rook-ceph, namespace: rook-ceph}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.checks import CheckedObject
from celvet.lint.kustomize.resource import Resource
from celvet.lint.model import Finding, Path, Severity
from celvet.lint.values import get, list_at

SEVERITY = Severity.WARNING


def check(checked: CheckedObject) -> Iterator[Finding]:
    """Report a list of objects that no form of the declaration uses."""
    kind = checked.kind
    path = kind.waited_list if kind else ()
    if kind is None or checked.partial or not list_at(checked.value, path):
        return
    forms = [form.resource for form in checked.forms()]
    switches = {switch for each in kind.unwaited for switch in each.when}
    if all(_waits_for_everything(form, path, switches) for form in forms):
        switch = min(switches)
        place = forms[0].decided(*switch)
        said = f" ({checked.surroundings.line(place)})" if place else ""
        yield Finding(
            message=f"`{path[-1]}` is void: with `{switch[-1]}: true`{said}, Flux waits for the"
            " objects that it applies, and for no others",
            where=checked.place(path, None, True),
            help=f"Remove `{path[-1]}`, or set `{switch[-1]}: false` and list all that count.",
        )


def _waits_for_everything(resource: Resource, path: Path, switches: set[tuple[str, ...]]) -> bool:
    """Whether the list is there and a switch makes it void, for all that is known."""
    known = all(resource.knows(*each) for each in (path, *switches))
    on = any(get(resource.value, each) is True for each in switches)
    return known and on and bool(list_at(resource.value, path))
