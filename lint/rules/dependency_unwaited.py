"""Others depend on a Kustomization that does not wait for what it applies.

## What

A Kustomization has neither `wait: true` nor `healthChecks`, so it is ready as soon as its objects
are applied. Others depend on it, and among its objects are some that need time: HelmReleases,
workloads, databases, packages and definitions of Crossplane, resources of a cloud, or
Kustomizations and ResourceSets that apply more. The dependants do not wait for these.

It is a warning if the Kustomization says nothing of `wait`, or if a parent's patch overrules its
`wait: true`, and an info if it says `wait: false`. It is an info too if only other objects are not
ready at once, such as Certificates, ExternalSecrets and their stores, or policies of Kyverno.
Fields and names are those after the parents' patches. A dependency with a `readyExpr` does not
count. Entries of `healthCheckExprs` without `wait` are the matter of
[ignored-expression](ignored-expression.md). `celvet graph` shows each such dependency.

## Why

`dependsOn` waits for the condition `Ready` of the other Kustomization. Without health checks, that
only says that the API server has accepted the objects: the operator behind a chart may not be
installed yet, its webhook not be up, the database not be running.

## Bad

```yaml
# flux/controllers.yaml
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: controllers, namespace: flux-system}
spec:
  interval: 1h
  prune: true
  path: ./controllers
  sourceRef: {kind: GitRepository, name: flux-system}
---
# flux/issuers.yaml
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: issuers, namespace: flux-system}
spec:
  dependsOn: [{name: controllers}]
  interval: 1h
  prune: true
  path: ./issuers
  sourceRef: {kind: GitRepository, name: flux-system}
---
# controllers/cert-manager.yaml
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: cert-manager, namespace: cert-manager}
spec: {interval: 1h, chartRef: {kind: OCIRepository, name: cert-manager}}
```

## Good

```yaml
  sourceRef: {kind: GitRepository, name: flux-system}
  wait: true
  timeout: 5m
---
# flux/issuers.yaml
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: issuers, namespace: flux-system}
spec:
  dependsOn: [{name: controllers}]
  interval: 1h
  prune: true
  path: ./issuers
  sourceRef: {kind: GitRepository, name: flux-system}
---
# controllers/cert-manager.yaml
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: cert-manager, namespace: cert-manager}
spec: {interval: 1h, chartRef: {kind: OCIRepository, name: cert-manager}}
```
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from typing import TYPE_CHECKING

from celvet.lint.checks import CheckedObject
from celvet.lint.checks.advice import sentence
from celvet.lint.checks.waiting import knows_waits, switches, waiting
from celvet.lint.model import Change, Finding, Fix, GroupKind, Related, Severity
from celvet.lint.repository.object_form import AppliedObject
from celvet.lint.repository.questions import ApparentObjects, Dependants
from celvet.lint.rules.shared.slow_kinds import stages_before_ready, usual_time
from celvet.lint.values import get
from celvet.schemas.applier import Applier, applier

if TYPE_CHECKING:
    from celvet.lint.repository.object_form import ObjectForm

SEVERITY = Severity.WARNING


def check(checked: CheckedObject) -> Iterator[Finding]:
    """Report an object that waits for nothing in each form in which others wait for it."""
    kind = checked.kind
    applying_kind = applier(kind.group, kind.kind) if kind else None
    if kind is None or applying_kind is None or checked.partial or any(checked.health()):
        return
    forms = [form for form in checked.forms() if checked.surroundings.ask(Dependants(form))]
    if not forms or not all(_waits_for_nothing(form, checked) for form in forms):
        return
    dependants = checked.surroundings.ask(Dependants(forms[0]))
    followers = {AppliedObject(checked.object.group_kind, name.name) for name in dependants}
    objects_by_form = [_applied_objects(form, checked) for form in forms]
    # Dependants that the object itself applies do not need the wait, and would block it.
    others_by_form = [objects - followers for objects in objects_by_form]
    slow_by_form = [_slow(objects, checked, applying_kind) for objects in others_by_form]
    is_slow = all(slow_by_form)
    late_by_form = (
        slow_by_form if is_slow else [_ready_later(objects, checked) for objects in others_by_form]
    )
    if not all(late_by_form):
        return
    inner_names = sorted(obj.name for obj in followers.intersection(*objects_by_form))
    # Where a form or a patch sets the switch already, only the author can say which one is right.
    switch = min(switches(kind))
    text = f"{switch[-1]}: true"
    says_so = any(get(form.resource.value, switch) is not None for form in forms)
    written, decider = get(checked.value, switch), checked.waiting.place
    overruled = bool(decider) and written is True
    change = Change(checked.place(applying_kind.path, None, True), text, entry=True)
    more = f" and {len(dependants) - 1} more depend" if len(dependants) > 1 else " depends"
    waited = f"wait for its {_title(late_by_form[0])}"
    fact = f"whose `{text}` is overruled" if overruled else f"which does not {waited}"
    where = checked.place(("metadata", "name") if written is None else switch)
    from celvet.lint.controllers.kstatus.misjudged import existence_only  # few objects get here

    kinds = (obj.kind for obj in late_by_form[0])
    unseen = next((name for name in kinds if existence_only(name, checked.directories)), None)
    help_ = _help(text, kind.waited_list[-1], inner_names, decider=decider, unseen=unseen)
    # Dependants fail without a workload or a database; without a certificate they only wait.
    is_info = not is_slow or (says_so and not overruled)
    yield Finding(
        message=f"`{dependants[0].name}`{more} on `{checked.object.name}`, {fact}",
        where=where,
        related=(Related(f"it does not {waited}", where),) if overruled else (),
        help=f"Remove `{switch[-1]}` from the patch in {decider}." if overruled else help_,
        severity=Severity.INFO if is_info else None,
        fix=None if says_so or inner_names else Fix(f"Add `{text}`.", (change,), safe=False),
    )


def _help(
    text: str, field: str, inner_names: Sequence[str], *, decider: str, unseen: GroupKind | None
) -> str:
    """What to write: `text`, or objects in a list; `inner_names` are dependants in the object.

    `decider` is the place in another file that decides whether it waits, empty if there is none.
    To wait for an `unseen` kind takes an entry.
    """
    listing = f"list in `{field}` what others need"
    if inner_names:
        inner = f"`{inner_names[0]}` too, which waits for this object"
        return sentence(f"{listing}: `{text}` would wait for {inner}")
    if decider:
        return sentence(f"{listing}, since {decider}, decides about `{text.partition(':')[0]}`")
    entry = f"; either needs the entry that `celvet suggest {unseen}` prints" if unseen else ""
    return f"Set `{text}`, or {listing}{entry}."


def _waits_for_nothing(form: ObjectForm, checked: CheckedObject) -> bool:
    resource = form.resource
    return knows_waits(checked.kind, resource) and waiting(resource.value, checked.kind).is_empty


def _applied_objects(form: ObjectForm, checked: CheckedObject) -> frozenset[AppliedObject]:
    """The objects that a form seems to apply."""
    question = ApparentObjects(checked.place(()), form)
    return checked.surroundings.ask(question) or frozenset()


def _slow(
    objects: Set[AppliedObject], checked: CheckedObject, kind: Applier
) -> list[AppliedObject]:
    """The objects that start or install something, and then those that may take minutes."""
    idle = {obj for obj in objects if (obj.kind.group, obj.kind.kind) not in kind.running}
    slow = (obj for obj in idle if usual_time(obj.kind, checked, kind))
    return [*sorted(objects - idle, key=str), *sorted(slow, key=str)]


def _ready_later(objects: Set[AppliedObject], checked: CheckedObject) -> list[AppliedObject]:
    """The objects of which the catalogue says that they are not ready at once, slow ones first."""
    states = {obj: stages_before_ready(obj.kind, checked) for obj in objects}
    late = (obj for obj in objects if states[obj])
    return sorted(late, key=lambda obj: ("coming" not in states[obj], str(obj)))


def _title(objects: Sequence[AppliedObject]) -> str:
    """The first object with a name, and how many more there are."""
    main_object = next((obj for obj in objects if obj.name), objects[0])
    name = f" `{main_object.name}`" if main_object.name else ""
    more = f" and {len(objects) - 1} more" if len(objects) > 1 else ""
    return f"{main_object.kind.kind}{name}{more}"
