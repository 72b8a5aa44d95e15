"""A wait is over before what it waits for can be ready.

## What

A Kustomization waits for its objects and sets no `timeout`. Flux then takes the `interval` minus 30
seconds, and at least 30 seconds. Among the objects are some that may take longer: a HelmRelease,
whose own timeout is 5 minutes unless it sets another, a database, a package of Crossplane, a
resource of a cloud, or one of a kind that a CompositeResourceDefinition defines.

It is a warning if the wait lasts only 30 seconds. A wait that is almost long enough does not count.
Of a `timeout` that the author wrote, it is said, as an info, if it is a minute at most, or if the
manifest of a HelmRelease, or of a Kustomization that waits, has a longer one.
`celvet graph --clock` compares all timeouts.

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

from collections.abc import Iterator
from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from celvet.lint.checks import CheckedObject
from celvet.lint.checks.timing import short, timing
from celvet.lint.checks.waiting import knows_waits, waiting
from celvet.lint.go.durations import duration
from celvet.lint.model import Finding, GroupKind, Severity
from celvet.lint.repository.questions import ApparentObjects, ApparentResources
from celvet.lint.rules.shared.slow_kinds import usual_time
from celvet.lint.values import get, group_kind_of, text_at
from celvet.schemas import load
from celvet.schemas.applier import Applier, FieldPath, applier

if TYPE_CHECKING:
    from celvet.lint.kustomize.resource import Resource
    from celvet.lint.repository.object_form import ObjectForm

SEVERITY = Severity.WARNING

_ALMOST = 0.8
"""The part of a usual time that is enough: 4m30s for a HelmRelease, by the default of 5m."""

_BRIEF = timedelta(minutes=1)
"""A wait that is too short for whatever takes minutes, even if the author wrote it."""


class _Time(NamedTuple):
    """How long an object may take, and whether that is its own timeout, not one of its kind."""

    time: timedelta
    title: str
    is_own: bool = False


def check(checked: CheckedObject) -> Iterator[Finding]:
    """Report a timeout that is shorter than what the objects may take, in each form."""
    kind = checked.kind
    applying_kind = applier(kind.group, kind.kind) if kind else None
    terms = kind.clock.get("timeout", ()) if kind else ()
    if kind is None or applying_kind is None or checked.partial or not terms:
        return
    path, forms = tuple(terms[0].split(".")), checked.forms()
    is_written = get(forms[0].resource.value, path) is not None
    if not all(_agrees(form.resource, path, is_written=is_written) for form in forms):
        return
    times = [_longest(form, checked, applying_kind, is_written=is_written) for form in forms]
    longest = times[0]
    if longest is None or None in times:
        return
    wait = checked.timing.timeout or timedelta()
    start, verb = ("", "Write") if is_written else (f"without `{path[-1]}`, ", "Add")
    claim, help_ = f"may take {short(longest.time)} or more", f"{short(2 * longest.time)}`."
    if is_written and longest.is_own:
        claim = f"has a timeout of {short(longest.time)}"
        help_ = f"{short(longest.time)}` or more, or shorten the other."
    fields = (tuple(term.partition(" - ")[0].split(".")) for term in terms)
    place = next((field for field in fields if get(checked.value, field)), ("metadata",))
    is_least = wait == duration(kind.clock["least"][0])
    yield Finding(
        message=f"{start}the wait fails after {short(wait)}, while {longest.title} {claim}",
        where=checked.place(place),
        help=f"{verb} `{path[-1]}: {help_}",
        severity=None if is_least and not is_written else Severity.INFO,
    )


def _agrees(resource: Resource, path: FieldPath, *, is_written: bool) -> bool:
    """Whether an object certainly has a timeout, or certainly has none."""
    return resource.knows(*path) and (get(resource.value, path) is not None) == is_written


def _longest(
    form: ObjectForm, checked: CheckedObject, by: Applier, *, is_written: bool
) -> _Time | None:
    """The longest time of an object for which a form waits too briefly, or None."""
    wait = timing(form.resource.value, checked.kind).timeout
    if wait is None or not knows_waits(checked.kind, form.resource):
        return None
    times = _times(form, checked, by)
    # Who writes a timeout has thought about it: only the timeout of an object contradicts that, if
    # no patch gives it to many. But a minute is too short for whatever takes minutes.
    if is_written and wait > _BRIEF:
        longer_times = (time for time in times if time.is_own and time.time > wait)
    else:
        longer_times = (time for time in times if time.time * _ALMOST > wait)
    return max(longer_times, key=lambda time: (time.time, time.title), default=None)


def _times(form: ObjectForm, checked: CheckedObject, by: Applier) -> Iterator[_Time]:
    """How long each object may take for which a form waits."""
    value, place = form.resource.value, checked.place(())
    form_waiting = waiting(value, checked.kind)
    names = {
        (group_kind_of(item), text_at(item, ("metadata", "name")))
        for item in form_waiting.listed_objects
    }
    # With `wait`, the list is not used, but it tells what is applied from another repository.
    if form_waiting.everything:
        names = {*(checked.surroundings.ask(ApparentObjects(place, form)) or names)}
    kinds = {GroupKind(kind.group, kind.kind) for kind in load().kinds if kind.clock}
    bounded_kinds = kinds.intersection(kind for kind, _ in names)
    question = ApparentResources(place, form, sorted(map(str, bounded_kinds)))
    resources = checked.surroundings.ask(question) if bounded_kinds else ()
    bounded = {(group_kind_of(item.value), item.identity.name): item for item in resources}
    for kind, name in names:
        resource = bounded.get((kind, name))
        title, usual = f"{kind.kind} `{name}`" if name else kind.kind, usual_time(kind, checked, by)
        yield (resource and _own_time(resource, title)) or _Time(usual, title)


def _own_time(resource: Resource, title: str) -> _Time | None:
    """The timeout that an object has of its own or by a patch, unless it bounds nothing."""
    value = resource.value
    kind = load().find(text_at(value, ("apiVersion",)), text_at(value, ("kind",)))
    path = tuple(kind.clock["timeout"][0].split(".")) if kind else ()
    bound = duration(text_at(value, path))
    if kind is None or bound is None or (kind.waits and waiting(value, kind).is_empty):
        return None
    return _Time(bound, title, is_own=not resource.unknown and not resource.last_writer(*path))
