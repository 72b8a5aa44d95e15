"""A wait without a `timeout` is over before what it waits for can be ready.

## What

A Kustomization waits for its objects and sets no `timeout`. Flux then takes the `interval` minus 30
seconds, and at least 30 seconds. Among the objects are some that may take longer: a HelmRelease,
whose own timeout is 5 minutes unless it sets another, a database, a package of Crossplane, a
resource of a cloud, or one of a kind that a CompositeResourceDefinition defines.

It is a warning if the wait lasts only 30 seconds. Nothing is said of a `timeout` that the author
wrote; `celvet graph --clock` compares it with those of the HelmReleases.

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
from celvet.lint.model import Finding, Severity
from celvet.lint.repository.questions import ApparentObjects
from celvet.lint.rules.shared.slow_kinds import usual_time
from celvet.lint.values import get, group_kind_of, text_at
from celvet.schemas.applier import Applier, applier

if TYPE_CHECKING:
    from celvet.lint.repository.object_form import ObjectForm

SEVERITY = Severity.WARNING


def check(checked: CheckedObject) -> Iterator[Finding]:
    """Report a default timeout that is shorter than what the objects may take, in each form."""
    kind = checked.kind
    applying_kind = applier(kind.group, kind.kind) if kind else None
    if kind is None or applying_kind is None or checked.partial:
        return
    terms = kind.clock.get("timeout", ())
    forms = checked.forms()
    if not terms or any(_sets(form, terms[0]) for form in forms):
        return
    slow_objects = [_slowest(form, checked, applying_kind) for form in forms]
    if not all(slow_objects):
        return
    title, time = slow_objects[0][0]
    field, least = terms[0].rpartition(".")[2], duration(kind.clock["least"][0])
    wait = checked.timing.timeout or timedelta()
    place = next((path for path in _times_paths(terms) if get(checked.value, path)), ("metadata",))
    yield Finding(
        message=f"without `{field}`, the wait fails after {short(wait)}, while {title} may take"
        f" {short(time)} or more",
        where=checked.place(place),
        help=f"Add `{field}: {short(2 * time)}`.",
        severity=None if wait == least else Severity.INFO,
    )


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
    if form_waiting.everything:
        objects = checked.surroundings.ask(ApparentObjects(checked.place(()), form)) or ()
        names = [(obj.kind, obj.name) for obj in objects]
    wait = timing(resource.value, checked.kind).timeout or timedelta()
    times = [
        (usual_time(kind, checked, applying_kind), f"{kind.kind} `{name}`" if name else kind.kind)
        for kind, name in names
    ]
    longer = sorted((-time, title) for time, title in times if time > wait)
    return [(title, -time) for time, title in longer[:1]]
