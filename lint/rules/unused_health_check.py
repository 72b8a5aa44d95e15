"""With `wait: true`, the controller does not look at `healthChecks`.

## What

A Kustomization has both `wait: true` and `healthChecks`. The parents' patches and the
`kustomization.yaml` files on the way count if they are in the repository.

The finding is a warning if a listed object is certainly not waited for: the repository shows all
objects that the Kustomization applies, the listed one is not among them, and nothing that is waited
for can create it. Otherwise it is an info. Nothing is reported if an applied kind needs an entry,
as [missing-entry](missing-entry.md) says, or if the objects that are not waited for have entries
that are never used, as [ignored-expression](ignored-expression.md) says.

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

from celvet.lint.checks import CheckedObject
from celvet.lint.checks.waiting import among, switches
from celvet.lint.model import Finding, GroupKind, Path, Related, Severity
from celvet.lint.repository.questions import AppliedObjects, PlaceLabel
from celvet.lint.rules.shared.listed_objects import Fate, ListedObject, ignored_objects
from celvet.lint.rules.shared.missing_entries import missing_entries
from celvet.lint.values import group_kind_of
from celvet.schemas import kind_facts
from celvet.schemas.kind_files import BUILT_IN_GROUPS

SEVERITY = Severity.WARNING
UNUSED = True


def check(checked: CheckedObject) -> Iterator[Finding]:
    """Report a list of objects that no form of the declaration uses."""
    kind = checked.kind
    items = [] if checked.partial else ignored_objects(checked)
    if kind is None or not items:
        return
    if all(item.fate is Fate.APPLIED for item in items) and any(
        entry.is_listed for entry in missing_entries(checked)
    ):
        return  # the list shows a wish that an entry fulfils, and `missing-entry` offers it
    lost_objects = [item for item in items if item.fate is Fate.LOST]
    if not lost_objects or not all(_has_dead_entry(checked, item) for item in lost_objects):
        yield _finding(checked, items, kind.waited_list, min(switches(kind)))


def _has_dead_entry(checked: CheckedObject, item: ListedObject) -> bool:
    """Whether an entry for the kind is never used either, of which `ignored-expression` tells."""
    questions = map(AppliedObjects, checked.forms())
    applied_kinds = {
        obj.kind for question in questions for obj in checked.surroundings.ask(question) or ()
    }
    kinds = [group_kind_of(item.value)]
    return any(
        among(entry.named, kinds) and not among(entry.named, applied_kinds)
        for entry in checked.health()
    )


def _finding(
    checked: CheckedObject, items: Sequence[ListedObject], path: Path, switch_path: Path
) -> Finding:
    fates, field, switch = {item.fate for item in items}, str(path[-1]), str(switch_path[-1])
    place = checked.forms()[0].resource.last_writer(*switch_path)
    source = f"{checked.surroundings.ask(PlaceLabel(place))} sets `{switch}`" if place else ""
    then = "waits for these objects anyway" if fates == {Fate.APPLIED} else "ignores the list"
    where = checked.place(path, None, True)
    notes = [source, *_notes(items)] if source else _notes(items)
    return Finding(
        message=f"{_effect(checked, items, field)}: with `{switch}: true`,"
        f" {checked.controller} {then}",
        where=where,
        help=_help(checked, items, field, switch),
        severity=None if Fate.LOST in fates else Severity.INFO,
        related=tuple(Related(note, where) for note in notes),
    )


def _effect(checked: CheckedObject, items: Sequence[ListedObject], field: str) -> str:
    """The effect of the list, with the first object that is certainly not waited for."""
    lost_items = [item for item in items if item.fate is Fate.LOST]
    if lost_items:
        return f"{checked.controller} does not wait for {_titles(lost_items)} of `{field}`"
    are_applied = all(item.fate is Fate.APPLIED for item in items)
    redundant = are_applied and not any(_unread_kinds(checked, items))
    return f"`{field}` is redundant" if redundant else f"`{field}` has no effect"


def _unread_kinds(checked: CheckedObject, items: Sequence[ListedObject]) -> Iterator[GroupKind]:
    """The kinds without an entry of which it is not known how Flux judges them.

    An author may list an object because Flux misjudges it.
    """
    for kind in dict.fromkeys(group_kind_of(item.value) for item in items):
        covering_kinds = (kind, GroupKind(kind.group, ""))
        is_covered = any(entry.named in covering_kinds for entry in checked.health())
        is_read = kind_facts(*kind, checked.directories)
        if not (kind.group in BUILT_IN_GROUPS or is_covered or is_read):
            yield kind


def _help(checked: CheckedObject, items: Sequence[ListedObject], field: str, switch: str) -> str:
    fates = {item.fate for item in items}
    if fates & {Fate.LOST, Fate.UNKNOWN}:
        return f"Set `{switch}: false` and list every object that matters, or remove `{field}`."
    unread_kind = next(_unread_kinds(checked, items), None)
    if unread_kind and fates == {Fate.APPLIED}:
        hint = f"find out whether `{unread_kind.kind}` needs an entry"
        return f"Remove `{field}`, and {hint}: `celvet suggest {unread_kind}`."
    return f"Remove `{field}`."


def _notes(items: Sequence[ListedObject]) -> Iterator[str]:
    """Why no object is known to be lost, where not all are applied."""
    if any(item.fate is Fate.LOST for item in items):
        for item in items:
            if item.fate is Fate.LOST and item.maker:
                yield f"{item.maker} applies {item.title}"
        return
    unseen_items = [item for item in items if item.fate is Fate.UNKNOWN]
    if unseen_items:
        yield f"the repository does not show who applies {_titles(unseen_items)}"
    for maker in dict.fromkeys(item.maker for item in items if item.maker):
        products = _titles([item for item in items if item.maker == maker])
        yield f"{products} may come from {maker}, which is waited for"


def _titles(items: Sequence[ListedObject]) -> str:
    return f"{items[0].title}{f' and {len(items) - 1} more' if len(items) > 1 else ''}"
