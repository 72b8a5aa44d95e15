"""After a failed wait, Flux retries late, and others wait for it.

## What

A Kustomization waits for its objects, others depend on it, and it has no `retryInterval`: after a
failure Flux tries again when the `interval` is over, which is an hour or more. Of those in one
cluster, only the one on which most depend is reported, and the others are named.
`celvet graph --clock` shows all waits that are retried late, and whom they hold up.

## Why

A health check fails for passing reasons: an image that is pulled slowly, a node that restarts.
The objects recover by themselves, but the Kustomization stays failed, and its dependants blocked,
until the next try. An `interval` of an hour is meant for the normal case.

## Bad

```yaml
# flux/database.yaml
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: database, namespace: flux-system}
spec:
  interval: 1h
  timeout: 5m
  prune: true
  wait: true
  path: ./database
  sourceRef: {kind: GitRepository, name: flux-system}
---
# flux/app.yaml
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: app, namespace: flux-system}
spec:
  dependsOn: [{name: database}]
  interval: 1h
  prune: true
  path: ./app
  sourceRef: {kind: GitRepository, name: flux-system}
```

## Good

```yaml
  interval: 1h
  retryInterval: 2m
  timeout: 5m
  prune: true
  wait: true
  path: ./database
  sourceRef: {kind: GitRepository, name: flux-system}
---
# flux/app.yaml
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: app, namespace: flux-system}
spec:
  dependsOn: [{name: database}]
  interval: 1h
  prune: true
  path: ./app
  sourceRef: {kind: GitRepository, name: flux-system}
```
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING

from celvet.lint.checks import CheckedObject
from celvet.lint.checks.timing import short, timing
from celvet.lint.checks.waiting import knows_waits, switches, waiting
from celvet.lint.model import Change, Finding, Fix, Related, Severity
from celvet.lint.repository.questions import Dependants, Peers
from celvet.lint.values import get

if TYPE_CHECKING:
    from celvet.lint.kustomize.resource import ObjectName, Resource
    from celvet.lint.repository.object_form import ObjectForm

SEVERITY = Severity.INFO

_LATE = timedelta(hours=1)
"""A shorter time may be meant for the retry too."""

_MOST_NAMES = 5


def check(checked: CheckedObject) -> Iterator[Finding]:
    """Report a missing time for retries in each form of the object for which others wait."""
    kind, retries = checked.kind, checked.kind.clock.get("retry", ()) if checked.kind else ()
    if len(retries) < 2 or checked.partial:
        return
    forms = [form for form in checked.forms() if checked.surroundings.ask(Dependants(form))]
    if not forms or not all(_is_late(form.resource, checked) for form in forms):
        return
    dependants = checked.surroundings.ask(Dependants(forms[0]))
    # The first of all late objects speaks for the others, which the finding only names.
    late_names = _late_peers(forms[0], checked)
    if next(late_names, forms[0].resource.identity) != forms[0].resource.identity:
        return
    field, path = retries[0].rpartition(".")[2], tuple(retries[1].split("."))
    retry = timing(forms[0].resource.value, kind).retry or _LATE
    more = f" and {len(dependants) - 1} more" if len(dependants) > 1 else ""
    waits = "waits" if len(dependants) == 1 else "wait"
    text = f"{field}: 2m"
    change = Change(checked.place(path, None, True), text, entry=True)
    where = checked.place(path if get(checked.value, path) else ("metadata", "name"))
    yield Finding(
        message=f"without `{field}`, a failed wait is retried after {short(retry)}, and"
        f" `{dependants[0].name}`{more} {waits} as long",
        where=where,
        help=f"Add `{field}`, as in `{text}`.",
        related=tuple(Related(note, where) for note in _others([*late_names])),
        fix=Fix(f"Add `{text}`.", (change,), safe=False) if get(checked.value, path) else None,
    )


def _late_peers(form: ObjectForm, checked: CheckedObject) -> Iterator[ObjectName]:
    """Those in the same cluster that retry late while others wait, the most followed first."""
    kind = checked.kind
    if kind is None:
        return
    terms = (term.partition(" - ")[0] for terms in kind.clock.values() for term in terms)
    fields = switches(kind).union(tuple(term.split(".")) for term in terms)
    question = Peers(form, [*sorted(fields), kind.waited_list])
    for resource, _ in checked.surroundings.ask(question):
        if _is_late(resource, checked):
            yield resource.identity


def _others(names: Sequence[ObjectName]) -> Iterator[str]:
    if names:
        titles = [*dict.fromkeys(f"`{name.name}`" for name in names)]
        more = f" and {len(titles) - _MOST_NAMES} more" if len(titles) > _MOST_NAMES else ""
        first_names = ", ".join(titles[:_MOST_NAMES])
        yield f"the same holds for {first_names}{more}"


def _is_late(resource: Resource, checked: CheckedObject) -> bool:
    """Whether a form certainly waits, and retries late for want of the field."""
    if not knows_waits(checked.kind, resource):
        return False
    times = timing(resource.value, checked.kind)
    waits = not waiting(resource.value, checked.kind).is_empty
    return bool(waits and times.instead_of and times.retry and times.retry >= _LATE)
