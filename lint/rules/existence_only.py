"""Flux counts the object as ready as soon as it exists.

## What

- `healthChecks` lists an object of a kind whose status means nothing to kstatus, such as
  Dragonfly or HTTPRoute, and no entry of `healthCheckExprs` covers the kind.
- A ResourceSet depends on such an object with `ready: true` but without `readyExpr`.
- A ResourceSet depends on a Kustomization, a HelmRelease, a workload, a database or another object
  that needs time, without `ready: true`.

celvet knows [these kinds](../kinds/README.md) from the code of their controllers: kstatus finds
their objects ready in each state.

## Why

Without an expression, Flux asks kstatus, which reads the conditions `Ready`, `Reconciling` and
`Stalled`, and `status.observedGeneration`. An object with none of these counts as ready while it
comes up and while it is broken, so its dependants start too early.

## Bad

```yaml
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: cache, namespace: flux-system}
spec:
  interval: 1h
  prune: true
  path: ./cache
  sourceRef: {kind: GitRepository, name: flux-system}
  healthChecks:
    - {apiVersion: dragonflydb.io/v1alpha1, kind: Dragonfly, name: cache, namespace: cache}
```

## Good

```yaml
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: cache, namespace: flux-system}
spec:
  interval: 1h
  timeout: 5m
  prune: true
  path: ./cache
  sourceRef: {kind: GitRepository, name: flux-system}
  healthChecks:
    - {apiVersion: dragonflydb.io/v1alpha1, kind: Dragonfly, name: cache, namespace: cache}
  healthCheckExprs:
    - apiVersion: dragonflydb.io/v1alpha1
      kind: Dragonfly
      current: >-
        has(status.phase) && status.phase in ['Ready', 'ready'] &&
        !(has(status.isRollingUpdate) && status.isRollingUpdate)
```
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from celvet.lint.checks import Check, CheckedObject, check_value
from celvet.lint.checks.advice import insertion
from celvet.lint.checks.waiting import among, knows_waits
from celvet.lint.model import Finding, Fix, GroupKind, Path, Severity, Value
from celvet.lint.rules.shared.slow_kinds import usual_time
from celvet.lint.values import group_kind_of, list_at
from celvet.schemas import load
from celvet.schemas.applier import appliers
from celvet.schemas.kind_files import BUILT_IN_GROUPS

if TYPE_CHECKING:
    from celvet.lint.repository.object_form import ObjectForm

SEVERITY = Severity.INFO


def check(checked: CheckedObject) -> Iterator[Finding]:
    """Report the objects whose existence is all that a controller waits for."""
    if not checked.partial:
        yield from _listed(checked)
        yield from _dependencies(checked)


def _listed(checked: CheckedObject) -> Iterator[Finding]:
    path = checked.kind.waited_list if checked.kind else ()
    for index, item in enumerate(list_at(checked.value, path)):
        kind = group_kind_of(item) if isinstance(item, dict) else GroupKind("", "")
        if _is_unseen(checked, kind) and not _is_covered(checked, path, item):
            help_ = f"Add the entry that `celvet suggest {kind}` prints."
            yield _finding(checked, (*path, index), kind, help_, insertion(checked, kind, path))


def _dependencies(checked: CheckedObject) -> Iterator[Finding]:
    for entry in checked.doing("dependency"):
        if not entry.switch or entry.expressions:
            continue
        role = entry.dialect.needs if entry.dialect else ""
        # With the switch off the object need only exist, whatever its kind; with it on, kstatus
        # judges it.
        is_off = entry.value.get(entry.switch) in (None, False)
        if is_off and _needs_time(checked, entry):
            is_unseen = _is_unseen(checked, entry.named)
            also = f", and a `{role}` that reads its status" if is_unseen else ""
            yield Finding(
                message=f"this waits only until the {entry.named.kind} exists, not until it is"
                " ready",
                where=checked.place(entry.path),
                help=f"Add `{entry.switch}: true`{also}.",
            )
        elif entry.on and entry.dialect and _is_unseen(checked, entry.named):
            help_ = f"Add a `{role}` that reads its status."
            yield _finding(checked, entry.path, entry.named, help_)


def _needs_time(checked: CheckedObject, entry: Check) -> bool:
    """Whether an object of the kind that a dependency names is ready some time after it exists."""
    kind = entry.named
    return any(kind in item.running or bool(usual_time(kind, checked, item)) for item in appliers())


def _finding(
    checked: CheckedObject, path: Path, kind: GroupKind, help_: str, fix: Fix | None = None
) -> Finding:
    return Finding(
        message=f"this waits only until the {kind.kind} exists, since {checked.controller} cannot"
        " judge it",
        where=checked.place(path),
        help=help_,
        fix=fix,
    )


def _is_unseen(checked: CheckedObject, kind: GroupKind) -> bool:
    """Whether kstatus finds each object of a kind ready; those of built-in kinds are left to it."""
    from celvet.lint.controllers.kstatus.misjudged import (
        existence_only,  # few objects list others
    )

    return kind.group not in BUILT_IN_GROUPS and existence_only(kind, checked.directories)


def _is_covered(checked: CheckedObject, path: Path, item: Value) -> bool:
    """Whether in a form an entry is for the kind of a listed object, or the list is not used.

    So it is taken if a form is not known.
    """
    return any(_is_covered_in(form, checked, path, item) for form in checked.forms())


def _is_covered_in(form: ObjectForm, checked: CheckedObject, path: Path, item: Value) -> bool:
    resource = form.resource
    if not knows_waits(checked.kind, resource) or item not in list_at(resource.value, path):
        return True
    whole_object = check_value(dict(resource.value), load(checked.directories))
    entries = [entry.named for entry in whole_object.health()]
    return whole_object.waiting.everything or any(
        among(entry_kind, [group_kind_of(item)]) for entry_kind in entries
    )
