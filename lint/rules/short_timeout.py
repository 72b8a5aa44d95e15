"""A wait is over before what it waits for can be ready.

## What

A Kustomization waits for its objects and sets no `timeout`. Flux then takes the `interval` minus 30
seconds, and at least 30 seconds. Among the objects are some that may take longer: a HelmRelease,
whose own timeout is 5 minutes unless it sets another, a database, a package of Crossplane, a
resource of a cloud, or one of a kind that a CompositeResourceDefinition defines.

It is a warning if the wait lasts only 30 seconds. A wait that is almost long enough does not count.
Of a `timeout` that the author wrote, it is said, as an info, if the manifest of a HelmRelease for
which it waits has a longer one. `celvet graph --clock` compares all timeouts.

## Why

The wait fails although nothing is wrong, Flux sends an alert, and dependants start only after a
retry.

## Bad

```yaml
# flux/cluster.yaml
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: cert-manager, namespace: flux-system}
spec:
  interval: 1m
  prune: true
  wait: true
  path: ./cert-manager
  sourceRef: {kind: GitRepository, name: flux-system}
---
# cert-manager/release.yaml
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: cert-manager, namespace: cert-manager}
spec: {interval: 1h, chartRef: {kind: OCIRepository, name: cert-manager}}
```

## Good

```yaml
  wait: true
  timeout: 10m
  path: ./cert-manager
  sourceRef: {kind: GitRepository, name: flux-system}
---
# cert-manager/release.yaml
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: cert-manager, namespace: cert-manager}
spec: {interval: 1h, chartRef: {kind: OCIRepository, name: cert-manager}}
```
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING

from celvet.lint.checks import CheckedObject
from celvet.lint.checks.timing import short, timing
from celvet.lint.checks.waiting import knows_waits, waiting
from celvet.lint.go.durations import duration
from celvet.lint.model import Finding, GroupKind, Severity
from celvet.lint.repository.questions import ApparentObjects, ApparentResources
from celvet.lint.rules.shared.slow_kinds import usual_time
from celvet.lint.values import get, group_kind_of, text_at
from celvet.schemas import load
from celvet.schemas.applier import Applier, applier

if TYPE_CHECKING:
    from celvet.lint.kustomize.resource import Resource
    from celvet.lint.repository.object_form import ObjectForm

SEVERITY = Severity.WARNING

_ALMOST = 0.8
"""The part of a usual time that is enough: 4m30s for a HelmRelease, by the default of 5m."""


def check(checked: CheckedObject) -> Iterator[Finding]:
    """Report a default timeout that is shorter than what the objects may take, in each form."""
    kind = checked.kind
    applying_kind = applier(kind.group, kind.kind) if kind else None
    if kind is None or applying_kind is None or checked.partial:
        return
    terms = kind.clock.get("timeout", ())
    forms = checked.forms()
    if terms and all(_sets(form, terms[0]) for form in forms):
        yield from _contradictions(checked, applying_kind, tuple(terms[0].split(".")))
    # The rest is about the default: who writes a timeout has thought about it.
    if not terms or any(_sets(form, terms[0]) for form in forms):
        return
    slow_objects = [_slowest(form, checked, applying_kind) for form in forms]
    if not all(slow_objects):
        return
    wait = checked.timing.timeout or timedelta()
    title, time = slow_objects[0][0]
    field, least = terms[0].rpartition(".")[2], duration(kind.clock["least"][0])
    place = next((path for path in _times_paths(terms) if get(checked.value, path)), ("metadata",))
    yield Finding(
        message=f"without `{field}`, the wait fails after {short(wait)}, while {title} may take"
        f" {short(time)} or more",
        where=checked.place(place),
        help=f"Add `{field}: {short(2 * time)}`.",
        severity=None if wait == least else Severity.INFO,
    )


def _contradictions(
    checked: CheckedObject, applying_kind: Applier, path: tuple[str, ...]
) -> Iterator[Finding]:
    """A written timeout that is shorter than that of an object, in each form."""
    resources = [form.resource for form in checked.forms()]
    if not all(knows_waits(checked.kind, item) and item.knows(*path) for item in resources):
        return
    bounded_kinds = (GroupKind(kind.group, kind.kind) for kind in load().kinds if kind.clock)
    kinds = [str(kind) for kind in bounded_kinds if usual_time(kind, checked, applying_kind)]
    bounds = [_longest_bound(form, checked, kinds) for form in checked.forms()]
    longest, wait = bounds[0], checked.timing.timeout or timedelta()
    if longest is not None and None not in bounds:
        time, title = longest
        yield Finding(
            message=f"the wait fails after {short(wait)}, while {title} has a timeout of"
            f" {short(time)}",
            where=checked.place(path if get(checked.value, path) else ("metadata",)),
            help=f"Write `{path[-1]}: {short(time)}` or more, or shorten the other.",
            severity=Severity.INFO,
        )


def _longest_bound(
    form: ObjectForm, checked: CheckedObject, kinds: Sequence[str]
) -> tuple[timedelta, str] | None:
    """The longest timeout in the manifest of what a form awaits, and of what, if it is longer.

    `kinds` have one. One that a patch gives to many objects says little of each.
    """
    place, resource = checked.place(()), form.resource
    wait = timing(resource.value, checked.kind).timeout or timedelta()
    resources = checked.surroundings.ask(ApparentResources(place, form, kinds))
    # Only a timeout that is the author's own, and longer than that of the wait, contradicts it.
    bounds = {}
    for item in resources:
        kind_name, name = text_at(item.value, ("kind",)), item.identity.name
        kind = load().find(text_at(item.value, ("apiVersion",)), kind_name)
        bound = timing(item.value, kind).timeout
        is_own = kind and _sets_itself(item, kind.clock.get("timeout", ("",))[0])
        if is_own and bound and bound > wait:
            bounds[id(item.value)] = bound, f"{kind_name} `{name}`"
    values = [item.value for item in resources]
    waited_objects = waiting(resource.value, checked.kind).find_objects(values)
    longer_bounds = (bounds[id(obj)] for _, obj in waited_objects if id(obj) in bounds)
    return max(longer_bounds, default=None)


def _sets_itself(resource: Resource, term: str) -> bool:
    """Whether an object has a field for which no patch and no variable is responsible."""
    path = tuple(term.split("."))
    is_own = not resource.unknown and not resource.last_writer(*path)
    return is_own and get(resource.value, path) is not None


def _times_paths(terms: Sequence[str]) -> Iterator[tuple[str, ...]]:
    return (tuple(term.partition(" - ")[0].split(".")) for term in terms)


def _sets(form: ObjectForm, term: str) -> bool:
    path = tuple(term.split("."))
    return not form.resource.knows(*path) or get(form.resource.value, path) is not None


def _slowest(
    form: ObjectForm, checked: CheckedObject, applying_kind: Applier
) -> list[tuple[str, timedelta]]:
    """The slowest object that a form waits for too briefly, as the only item, and its time."""
    resource = form.resource
    if not knows_waits(checked.kind, resource):
        return []
    form_waiting = waiting(resource.value, checked.kind)
    names = [
        (group_kind_of(reference), text_at(reference, ("metadata", "name")))
        for reference in form_waiting.listed_objects
    ]
    # With `wait`, the list is not used.
    if form_waiting.everything:
        objects = checked.surroundings.ask(ApparentObjects(checked.place(()), form)) or ()
        names = [(obj.kind, obj.name) for obj in objects]
    if not names:
        return []
    wait = timing(resource.value, checked.kind).timeout or timedelta.max
    times = [
        (usual_time(kind, checked, applying_kind), f"{kind.kind} `{name}`" if name else kind.kind)
        for kind, name in names
    ]
    longer = sorted((-time, title) for time, title in times if time * _ALMOST > wait)
    return [(title, -time) for time, title in longer[:1]]
