"""With `wait: true`, the controller does not look at `healthChecks`.

## What

A Kustomization has both `wait: true` and `healthChecks`. The parents' patches and the
`kustomization.yaml` files on the way count if they are in the repository. The finding is an info
if the repository shows that the Kustomization itself applies all objects of the list.

## Why

With `wait: true` Flux waits for the objects that it applies itself, and drops the list. It does
not wait at all for a listed object that a Helm chart or an operator creates, and waits in any case
for one that the Kustomization applies.

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

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from celvet.lint.checks import CheckedObject
from celvet.lint.checks.waiting import drops_list, switches
from celvet.lint.model import Finding, Severity, Value
from celvet.lint.repository.questions import ApparentObjects, AppliedObjects, PlaceLabel
from celvet.lint.values import group_kind_of, list_at, text_at

if TYPE_CHECKING:
    from celvet.lint.repository.object_form import AppliedObject

SEVERITY = Severity.WARNING
UNUSED = True


def check(checked: CheckedObject) -> Iterator[Finding]:
    """Report a list of objects that no form of the declaration uses."""
    kind = checked.kind
    path = kind.waited_list if kind else ()
    items = list_at(checked.value, path)
    if kind is None or checked.partial or not items:
        return
    forms = [form.resource for form in checked.forms()]
    if all(drops_list(kind, form) for form in forms):
        switch = min(switches(kind))
        place = forms[0].last_writer(*switch)
        source = f" ({checked.surroundings.ask(PlaceLabel(place))})" if place else ""
        needless = _applies_all(checked, items)
        only, inclusion = ("", ", including these") if needless else ("only ", "")
        instead = (
            "" if needless else f", or set `{switch[-1]}: false` and list every object that matters"
        )
        yield Finding(
            message=f"{_effect(checked, items, path[-1], needless=needless)}: with"
            f" `{switch[-1]}: true`{source}, {checked.controller} waits {only}for the objects that"
            f" it applies{inclusion}",
            where=checked.place(path, None, True),
            help=f"Remove `{path[-1]}`{instead}.",
            severity=Severity.INFO if needless else None,
        )


def _effect(checked: CheckedObject, items: Sequence[Value], field: str, *, needless: bool) -> str:
    """The effect of the list, with the first object that is certainly not waited for."""
    if needless:
        return f"`{field}` is redundant"
    forms = checked.forms()
    resources_by_form = [checked.surroundings.ask(AppliedObjects(form)) for form in forms]
    missing = [
        item
        for item in items
        if all(
            resources is not None and not any(_may_be(item, resource) for resource in resources)
            for resources in resources_by_form
        )
    ]
    if not missing:
        return f"`{field}` has no effect"
    first_item = f"{text_at(missing[0], ('kind',))} `{text_at(missing[0], ('name',))}`"
    suffix = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
    return f"{checked.controller} does not wait for {first_item}{suffix} of `{field}`"


def _applies_all(checked: CheckedObject, items: Sequence[Value]) -> bool:
    """Whether each form that can be seen seems to apply every object of the list."""
    where = checked.place(())
    forms = [checked.surroundings.ask(ApparentObjects(where, form)) for form in checked.forms()]
    known_forms = [resources for resources in forms if resources is not None]
    return bool(known_forms) and all(
        (group_kind_of(item), text_at(item, ("name",))) in resources
        for resources in known_forms
        for item in items
    )


def _may_be(item: Value, resource: AppliedObject) -> bool:
    """Whether a reference may name an object; a name with an unresolved variable may be any."""
    name = text_at(item, ("name",))
    same_name = name == resource.name or not resource.name or "${" in name
    return same_name and group_kind_of(item) == resource.kind
