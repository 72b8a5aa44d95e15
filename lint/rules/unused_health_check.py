"""With `wait: true`, the controller does not look at `healthChecks`.

## What

A Kustomization has both `wait: true` and `healthChecks`. The parents' patches and the
`kustomization.yaml` files on the way count if they are in the repository.

The finding is a warning if a listed object is certainly not waited for: the repository shows all
objects that the Kustomization applies, the listed one is not among them, and nothing that is waited
for can create it. Otherwise it is an info. Nothing is reported if an applied kind needs an entry;
[missing-entry](missing-entry.md) says so.

## Why

With `wait: true` Flux waits for the objects that it applies itself, and drops the list. That
includes a HelmRelease, which is ready only when its objects are, unless it sets `disableWait`, an
ExternalSecret with its Secret, and so on. It does not include an object that a script or the
controller in a Deployment creates.

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
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from celvet.lint.checks import CheckedObject
from celvet.lint.checks.waiting import drops_list, switches
from celvet.lint.model import Finding, GroupKind, Path, Related, Severity, Value
from celvet.lint.repository.dependencies import dependencies
from celvet.lint.repository.questions import (
    ApparentObjects,
    AppliedObjects,
    ObjectsNamed,
    PlaceLabel,
)
from celvet.lint.rules.shared.missing_entries import missing_entries
from celvet.lint.values import group_kind_of, list_at, text_at
from celvet.schemas import kind_facts
from celvet.schemas.applier import applier
from celvet.schemas.kind_files import BUILT_IN_GROUPS, is_made_by_others

if TYPE_CHECKING:
    from celvet.lint.kustomize.resource import ObjectName
    from celvet.lint.repository.object_form import AppliedObject, ObjectForm

SEVERITY = Severity.WARNING
UNUSED = True


class _Fate(Enum):
    """What becomes of a listed object."""

    APPLIED = "it is applied, and so waited for"
    MADE = "something that is waited for may create it"
    UNKNOWN = "the repository does not show it"
    LOST = "it is not waited for"


class _Item(NamedTuple):
    """An object of the list; `maker` is what creates it, or may, empty if nothing is known to."""

    value: Value
    fate: _Fate
    maker: str = ""

    @property
    def title(self) -> str:
        return f"{text_at(self.value, ('kind',))} `{text_at(self.value, ('name',))}`"


def check(checked: CheckedObject) -> Iterator[Finding]:
    """Report a list of objects that no form of the declaration uses."""
    kind = checked.kind
    path = kind.waited_list if kind else ()
    values = list_at(checked.value, path)
    if kind is None or checked.partial or not values:
        return
    if not all(drops_list(kind, form.resource) for form in checked.forms()):
        return
    items = [_item(checked, value) for value in values]
    if all(item.fate is _Fate.APPLIED for item in items) and any(
        entry.is_listed for entry in missing_entries(checked)
    ):
        return  # the list shows a wish that an entry fulfils, and `missing-entry` offers it
    yield _finding(checked, items, path, min(switches(kind)))


def _finding(
    checked: CheckedObject, items: Sequence[_Item], path: Path, switch_path: Path
) -> Finding:
    fates, field, switch = {item.fate for item in items}, str(path[-1]), str(switch_path[-1])
    place = checked.forms()[0].resource.last_writer(*switch_path)
    source = f"{checked.surroundings.ask(PlaceLabel(place))} sets `{switch}`" if place else ""
    then = "waits for these objects anyway" if fates == {_Fate.APPLIED} else "ignores the list"
    where = checked.place(path, None, True)
    notes = [source, *_notes(items)] if source else _notes(items)
    return Finding(
        message=f"{_effect(checked, items, field)}: with `{switch}: true`,"
        f" {checked.controller} {then}",
        where=where,
        help=_help(checked, items, field, switch),
        severity=None if _Fate.LOST in fates else Severity.INFO,
        related=tuple(Related(note, where) for note in notes),
    )


def _effect(checked: CheckedObject, items: Sequence[_Item], field: str) -> str:
    """The effect of the list, with the first object that is certainly not waited for."""
    lost_items = [item for item in items if item.fate is _Fate.LOST]
    if lost_items:
        return f"{checked.controller} does not wait for {_titles(lost_items)} of `{field}`"
    applied = all(item.fate is _Fate.APPLIED for item in items)
    redundant = applied and not any(_unread_kinds(checked, items))
    return f"`{field}` is redundant" if redundant else f"`{field}` has no effect"


def _unread_kinds(checked: CheckedObject, items: Sequence[_Item]) -> Iterator[GroupKind]:
    """The kinds without an entry of which it is not known how Flux judges them.

    An author may list an object because Flux misjudges it.
    """
    for kind in dict.fromkeys(group_kind_of(item.value) for item in items):
        covering_kinds = (kind, GroupKind(kind.group, ""))
        is_covered = any(entry.named in covering_kinds for entry in checked.health())
        is_read = kind_facts(kind.group, kind.kind, checked.directories)
        if not (kind.group in BUILT_IN_GROUPS or is_covered or is_read):
            yield kind


def _help(checked: CheckedObject, items: Sequence[_Item], field: str, switch: str) -> str:
    fates = {item.fate for item in items}
    if fates & {_Fate.LOST, _Fate.UNKNOWN}:
        return f"Remove `{field}`, or set `{switch}: false` and list every object that matters."
    unread_kind = next(_unread_kinds(checked, items), None)
    if unread_kind and fates == {_Fate.APPLIED}:
        hint = f"find out whether `{unread_kind.kind}` needs an entry"
        return f"Remove `{field}`, and {hint}: `celvet suggest {unread_kind}`."
    return f"Remove `{field}`."


def _notes(items: Sequence[_Item]) -> Iterator[str]:
    """Why no object is known to be lost, where not all are applied."""
    if any(item.fate is _Fate.LOST for item in items):
        for item in items:
            if item.fate is _Fate.LOST and item.maker:
                yield f"{item.maker} applies {item.title}"
        return
    unseen_items = [item for item in items if item.fate is _Fate.UNKNOWN]
    if unseen_items:
        yield f"the repository does not show whether {_titles(unseen_items)} is applied"
    for maker in dict.fromkeys(item.maker for item in items if item.maker):
        products = _titles([item for item in items if item.maker == maker])
        yield f"{products} may come from {maker}, which is waited for"


def _titles(items: Sequence[_Item]) -> str:
    return f"{items[0].title}{f' and {len(items) - 1} more' if len(items) > 1 else ''}"


def _item(checked: CheckedObject, value: Value) -> _Item:
    """A listed object, with the best fate that it has in any form."""
    fates = [_fate(checked, value, form) for form in checked.forms()]
    order = [*_Fate]
    return min(fates, key=lambda item: order.index(item.fate))


def _fate(checked: CheckedObject, value: Value, form: ObjectForm) -> _Item:
    kind, name = group_kind_of(value), text_at(value, ("name",))
    apparent_objects = checked.surroundings.ask(ApparentObjects(checked.place(()), form))
    if apparent_objects is not None and (kind, name) in apparent_objects:
        return _Item(value, _Fate.APPLIED)
    applied_objects = checked.surroundings.ask(AppliedObjects(form))
    if applied_objects is None or any(_may_be(value, resource) for resource in applied_objects):
        return _Item(value, _Fate.UNKNOWN)
    if other := _applying_dependency(checked, value, form):
        return _Item(value, _Fate.LOST, f"`{other.name}`")
    from celvet.lint.rules.shared.makers import waited_makers  # few lists need a closer look

    waited = waited_makers(checked, form, [*applied_objects])
    makers = [maker for maker in waited if maker.may_make(kind)]
    if makers:
        maker = max(makers, key=lambda maker: maker.likeliness(name))
        return _Item(value, _Fate.MADE, maker.title)
    is_derived = is_made_by_others(kind.group, kind.kind)
    return _Item(value, _Fate.UNKNOWN if is_derived else _Fate.LOST)


def _applying_dependency(
    checked: CheckedObject, item: Value, form: ObjectForm
) -> ObjectName | None:
    """The dependency that applies a listed object, so that nothing here creates it."""
    applying_kind = applier(checked.kind.group, checked.kind.kind) if checked.kind else None
    path = applying_kind.dependencies if applying_kind else ()
    names = {*dependencies(form.resource, path)} if path else set()
    objects = checked.surroundings.ask(ObjectsNamed(text_at(item, ("name",)))) if names else {}
    namesakes = (by for ref, by in objects.items() if ref.group_kind == group_kind_of(item))
    return next((by for by in namesakes if by in names), None)


def _may_be(item: Value, resource: AppliedObject) -> bool:
    """Whether a reference may name an object; a name with an unresolved variable may be any."""
    name = text_at(item, ("name",))
    same_name = name == resource.name or not resource.name or "${" in name
    return same_name and group_kind_of(item) == resource.kind
