"""Flux counts an object as ready too early, and no entry covers its kind.

## What

- `healthChecks` lists an object of a kind that kstatus misjudges while it comes up, such as
  PostgresCluster of Crunchy Data, and no entry of `healthCheckExprs` covers the kind. For a kind
  that is ready in each state, see [existence-only](existence-only.md).
- Other Kustomizations depend on one with `wait: true`, and kstatus can read nothing from any
  object that it applies: they count as ready at once. This is reported only in a git repository
  that shows all of these objects.

celvet knows [these kinds](../kinds/README.md) from the code of their controllers. The finding shows
a state in which the object counts as ready, and its fix adds the entry of the catalogue.
`celvet suggest --missing` lists all kinds that a repository waits for without an entry.

## Why

Without an entry, Flux asks kstatus, which reads the conditions `Ready`, `Reconciling` and
`Stalled`, and `status.observedGeneration`. An object that has none of them, or not yet, counts as
ready. Flux looks at once after it has applied the object, so dependants start too early.

## Bad

```yaml
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: database, namespace: flux-system}
spec:
  interval: 1h
  timeout: 5m
  prune: true
  path: ./database
  sourceRef: {kind: GitRepository, name: flux-system}
  healthChecks:
    - {apiVersion: postgresql.cnpg.io/v1, kind: Cluster, name: db, namespace: database}
```

## Good

```yaml
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: database, namespace: flux-system}
spec:
  interval: 1h
  timeout: 5m
  prune: true
  path: ./database
  sourceRef: {kind: GitRepository, name: flux-system}
  healthCheckExprs:
    - apiVersion: postgresql.cnpg.io/v1
      kind: Cluster
      failed: >-
        has(status.phase) && status.phase in
        ['Cluster is unrecoverable and needs manual intervention', 'Invalid cluster definition',
        'Cluster cannot execute instance online upgrade due to missing architecture binary',
        'Not enough disk space']
      current: has(status.phase) && status.phase == 'Cluster in healthy state'
  healthChecks:
    - {apiVersion: postgresql.cnpg.io/v1, kind: Cluster, name: db, namespace: database}
```
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from celvet.lint.checks import CheckedObject, check_value
from celvet.lint.checks.advice import insertion, list_of_entries
from celvet.lint.checks.waiting import among, knows_waits, switches
from celvet.lint.model import Counterexample, Finding, GroupKind, Path, Related, Severity
from celvet.lint.repository.questions import AppliedObjects, Dependants
from celvet.lint.values import get, group_kind_of, list_at
from celvet.schemas import kind_facts, load
from celvet.schemas.kind_files import BUILT_IN_GROUPS

if TYPE_CHECKING:
    from celvet.lint.repository.object_form import ObjectForm
    from celvet.schemas.facts import LifeState

SEVERITY = Severity.INFO


def check(checked: CheckedObject) -> Iterator[Finding]:
    """Report the kinds that lack an entry, each once."""
    kind, version = checked.kind, checked.object.api_version.rpartition("/")[2]
    if kind and kind.waits and not checked.partial and list_of_entries(kind, version):
        yield from _listed(checked, kind.waits)
        yield from _gates(checked, min(switches(kind)))


def _listed(checked: CheckedObject, path: Path) -> Iterator[Finding]:
    reported_kinds: set[GroupKind] = set()
    for index, item in enumerate(list_at(checked.value, path)):
        kind = group_kind_of(item) if isinstance(item, dict) else GroupKind("", "")
        state = None if kind in reported_kinds else _misjudged(checked, kind)
        reported_kinds.add(kind)
        if state and all(_lacks(form, checked, path, kind) for form in checked.forms()):
            yield _finding(checked, (*path, index), kind, state)


def _misjudged(checked: CheckedObject, kind: GroupKind) -> LifeState | None:
    """A state in which kstatus is wrong about a kind; none if it is wrong in all of them."""
    if kind.group in BUILT_IN_GROUPS:
        return None
    from celvet.lint.controllers.kstatus.misjudged import (
        existence_only,  # few objects list others
        ready_too_early,
    )

    always = existence_only(kind, checked.directories)
    return None if always else ready_too_early(kind, checked.directories)


def _lacks(form: ObjectForm, checked: CheckedObject, path: Path, kind: GroupKind) -> bool:
    """Whether a form certainly waits for a listed object of a kind without an entry."""
    listed_kinds = map(group_kind_of, list_at(form.resource.value, path))
    if not (knows_waits(checked.kind, form.resource) and kind in listed_kinds):
        return False
    waits, entries = _judged(form, checked)
    return not waits and not any(among(entry_kind, [kind]) for entry_kind in entries)


def _judged(form: ObjectForm, checked: CheckedObject) -> tuple[bool, list[GroupKind]]:
    """Whether a form waits for everything that it applies, and the kinds of its entries."""
    whole_object = check_value(dict(form.resource.value), load(checked.directories))
    return whole_object.waiting.everything, [entry.named for entry in whole_object.health()]


def _gates(checked: CheckedObject, switch: Path) -> Iterator[Finding]:
    """The kinds that an object applies of which nothing shows that they are ready."""
    if get(checked.value, switch) is not True:
        return
    kinds_by_form = [_unjudged(form, checked, switch) for form in checked.forms()]
    dependants = checked.surroundings.ask(Dependants(checked.forms()[0]))
    if not all(kinds_by_form):
        return
    from celvet.lint.controllers.kstatus.misjudged import ready_too_early

    for kind in sorted(kinds_by_form[0], key=str):
        state = ready_too_early(kind, checked.directories, looked_at=True)
        if state:
            suffix = f" and {len(dependants) - 1} more" if len(dependants) > 1 else ""
            then = f", and lets `{dependants[0].name}`{suffix} start"
            yield _finding(checked, switch, kind, state, then)


def _unjudged(form: ObjectForm, checked: CheckedObject, switch: Path) -> Collection[GroupKind]:
    """The kinds that a form applies, if others wait for it and kstatus can judge none of them."""
    resource = form.resource
    on = knows_waits(checked.kind, resource) and get(resource.value, switch) is True
    if not on or not checked.surroundings.ask(Dependants(form)):
        return ()
    from celvet.lint.controllers.kstatus.misjudged import says_nothing

    kinds = {resource.kind for resource in checked.surroundings.ask(AppliedObjects(form)) or ()}
    if not all(says_nothing(kind, checked.directories) for kind in kinds):
        return ()
    _, entries = _judged(form, checked)
    return () if any(among(entry_kind, kinds) for entry_kind in entries) else kinds


def _finding(
    checked: CheckedObject, path: Path, kind: GroupKind, state: LifeState, then: str = ""
) -> Finding:
    status = state.object.get("status")
    when = "while it is still coming up" if status else "before its own controller has looked at it"
    where = checked.place(path)
    field = path[:-1] if isinstance(path[-1], int) else path
    facts = kind_facts(kind.group, kind.kind, checked.directories)
    note = facts.content["kstatus"].get("says", "") if facts else ""
    return Finding(
        message=f"no entry covers `{kind.kind}`, so {checked.controller} counts one as ready {when}"
        f"{then}",
        where=where,
        help=f"Add the entry that `celvet suggest {kind}` prints.",
        related=(Related(f"kstatus: {note}", where),) if note else (),
        counterexample=Counterexample(
            state.name, f"in the state `{state.name}`", dict(state.object), "Current"
        ),
        fix=insertion(checked, kind, field),
    )
