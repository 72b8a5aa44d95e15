"""The controller never evaluates this expression.

## What

- A ResourceSet dependency has `readyExpr` but not `ready: true`.
- A Kustomization has an entry in `healthCheckExprs`, but neither `wait: true` nor an
  object of that group and kind in `healthChecks`.
- A Kustomization with `wait: true` has an entry for a kind, but its path has no object of that
  kind. Flux does not wait for objects that a chart or an operator creates.
- A HelmRelease has `healthCheckExprs`, but waiting is disabled for install and upgrade,
  or left to Helm (`waitStrategy.name: legacy`).
- An entry of `healthCheckExprs` can match no object: its `apiVersion` lacks the version
  (`example.com`), its kind is in lower case or has a space, or the core group has no such kind.
- An annotation switches off the probes of a rukpak BundleDeployment.

## Why

The manifest looks as if the controller waited for something, but it does not: dependants
start at once, and the expression can be wrong for years. Yet an expression that Flux refuses still
stalls the object.

## Bad

```yaml
apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSet
metadata: {name: tenants, namespace: flux-system}
spec:
  dependsOn:
    - apiVersion: v1
      kind: Secret
      name: gate
      namespace: flux-system
      readyExpr: string(base64.decode(data.gate)) == 'opened'
  resources: []
```

## Good

```yaml
  dependsOn:
    - apiVersion: v1
      kind: Secret
      name: gate
      namespace: flux-system
      ready: true
      readyExpr: string(base64.decode(data.gate)) == 'opened'
  resources: []
```
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from celvet.lint.checks import Check, CheckedObject, Waiting
from celvet.lint.checks.absent_kinds import absent_kind
from celvet.lint.checks.advice import well_judged
from celvet.lint.checks.waiting import among, drops_list, is_met, switches
from celvet.lint.model import Change, Confidence, Finding, Fix, Related, Severity, Where
from celvet.lint.repository.questions import ApparentResources, AppliedObjects, SeeminglyApplied
from celvet.lint.rules.shared.listed_objects import Fate, ignored_objects
from celvet.lint.values import get, group_kind_of, text_at

if TYPE_CHECKING:
    from celvet.lint.repository.object_form import ObjectForm

SEVERITY = Severity.WARNING
UNUSED = True

_OFF = (None, False)
"""Values that switch a boolean field off; an unresolved `${VAR}` does not."""


def check(checked: CheckedObject) -> Iterator[Finding]:
    """Report the expressions that another field of the object switches off."""
    if not checked.partial:
        yield from _switched_off(checked)
        yield from _void(checked)
        yield from _unwaited(checked)
        yield from _without_objects(checked)
    yield from _matchless(checked)


def _switched_off(checked: CheckedObject) -> Iterator[Finding]:
    """`checkDependencies` of Flux Operator tests `dep.Ready` before `dep.ReadyExpr`."""
    for entry in checked.checks:
        if not entry.switch or entry.value.get(entry.switch) not in _OFF:
            continue
        for expression in entry.expressions:
            where = checked.place(expression.path, None, True)
            yield Finding(
                message=f"`{expression.role}` is never evaluated: {checked.controller} uses it only"
                f" together with `{entry.switch}: true`",
                where=where,
                help=f"Add `{entry.switch}: true` next to it.",
                fix=_fix(entry, where),
            )


def _fix(entry: Check, where: Where) -> Fix | None:
    """Insert the field before the expression, unless it is there with another value."""
    text = f"{entry.switch}: true"
    change = Change(where, text, entry=True)
    return None if entry.switch in entry.value else Fix(f"Add `{text}`.", (change,), safe=False)


def _void(checked: CheckedObject) -> Iterator[Finding]:
    """Fields that another field of the object overrides."""
    for path, unless in checked.kind.unused_fields.items() if checked.kind else ():
        if get(checked.value, path) and is_met(unless, checked.value):
            yield Finding(message=unless.reason, where=checked.place(path), help=unless.help)


def _unwaited(checked: CheckedObject) -> Iterator[Finding]:
    """Entries about objects for which the controller does not wait."""
    for entry in checked.health():
        if entry.answering("Current") not in entry or checked.looks_at(entry):
            continue
        waiting = checked.waiting
        where = checked.place(entry.path)
        notes = [f"{waiting.place} decides that"] if waiting.place else []
        message = f"{checked.controller} never uses this entry: {waiting.reason}"
        if waiting.field:
            message += f", and `{waiting.field}` lists no such object"
        if any(expression.program.refusals for expression in entry.cel):
            notes.append(f"what {checked.controller} refuses there still stalls the object")
        help_ = _listing(checked, entry, waiting.field) or waiting.help
        related = tuple(Related(note, where) for note in notes)
        yield Finding(message=message, where=where, help=help_, related=related)


def _without_objects(checked: CheckedObject) -> Iterator[Finding]:
    """Entries for kinds without an applied object, if Flux waits only for applied ones.

    Where the files may be of several repositories, that keeps other findings back.
    """
    lost_objects = [item for item in ignored_objects(checked) if item.fate is Fate.LOST]
    for entry in checked.health():
        forms = [*zip(checked.forms(), checked.waitings, strict=True)]
        # What only seems so is not reported, but explains why other findings about the entry are
        # kept back.
        certain = all(_applies_none(checked, entry, *form) for form in forms)
        if certain or all(_applies_none(checked, entry, *form, seemingly=True) for form in forms):
            where = checked.place(entry.path)
            notes = (
                f"{item.maker} applies {item.title}"
                for item in lost_objects
                if item.maker and among(entry.named, [group_kind_of(item.value)])
            )
            yield Finding(
                message=f"{checked.controller} never uses this entry: it applies no"
                f" `{_title(entry)}` that it could wait for",
                where=where,
                help=_instead(checked, entry),
                related=tuple(Related(note, where) for note in notes),
                confidence=Confidence.HIGH if certain else Confidence.NONE,
            )


def _title(entry: Check) -> str:
    """The kind of an entry with its group, or the group alone."""
    return str(entry.named) if entry.named.kind else f"*.{entry.named.group}"


def _applies_none(
    checked: CheckedObject,
    entry: Check,
    form: ObjectForm,
    waiting: Waiting,
    *,
    seemingly: bool = False,
) -> bool:
    is_listed = _lists(waiting, entry)
    if not waiting.everything or (is_listed and not drops_list(checked.kind, form.resource)):
        return False
    question = SeeminglyApplied(form) if seemingly else AppliedObjects(form)
    resources = checked.surroundings.ask(question)
    return resources is not None and not among(
        entry.named, (resource.kind for resource in resources)
    )


def _lists(waiting: Waiting, entry: Check) -> bool:
    return among(entry.named, map(group_kind_of, waiting.listed_objects))


def _instead(checked: CheckedObject, entry: Check) -> str:
    """The advice for an entry without objects; the author wants to wait for a listed object."""
    if version := _version_of_namesake(checked, entry):
        return f"Write `apiVersion: {version}`: the applied `{entry.named.kind}` is of that group."
    if checked.kind and _lists(checked.waiting, entry):
        field = checked.kind.waited_list[-1]
        switch = min(switches(checked.kind))[-1]
        instead = f"Set `{switch}: false` so that {checked.controller} uses `{field}`"
        return f"{instead}, or remove this entry."
    return "Move it to where such an object is applied, or remove it."


def _version_of_namesake(checked: CheckedObject, entry: Check) -> str:
    """The `apiVersion` of an applied object whose kind has the same name in another group.

    Empty if there is none, or if another entry is for that kind.
    """
    covered_kinds = [other.named for other in checked.health() if other is not entry]
    for form in checked.forms():
        applied_objects = checked.surroundings.ask(AppliedObjects(form)) or ()
        kinds = {
            str(obj.kind)
            for obj in applied_objects
            if obj.kind.kind == entry.named.kind and not among(obj.kind, covered_kinds)
        }
        question = ApparentResources(checked.place(()), form, sorted(kinds))
        for resource in checked.surroundings.ask(question) if kinds else ():
            return text_at(resource.value, ("apiVersion",))
    return ""


def _listing(checked: CheckedObject, entry: Check, field: str) -> str:
    """The help if objects can be listed: `wait` would activate every entry at once."""
    if not (field and entry.named.kind):
        return ""
    if sort := well_judged(checked, entry):
        kind = entry.named.kind
        judge = checked.controller
        return f"Remove the entry: `{kind}` is {sort}, which {judge} judges well without one."
    version = text_at(entry.value, ("apiVersion",))
    name, namespace = _only_name(checked, entry)
    names = f"apiVersion: {version}, kind: {entry.named.kind}, name: {name}"
    if checked.scope_of(*entry.objects) != "Cluster":
        names += f", namespace: {namespace}"
    return f"Add `- {{{names}}}` to `{field}`."


def _only_name(checked: CheckedObject, entry: Check) -> tuple[str, str]:
    """The name and the namespace of the only applied object of the kind, else dots."""
    question = ApparentResources(checked.place(()), checked.forms()[0], [str(entry.named)])
    resources = checked.surroundings.ask(question)
    names = {resource.identity for resource in resources if resource.knows("metadata")}
    name = names.pop() if len(names) == 1 else None
    if name is None or "${" in "".join(name):
        return "...", "..."
    return name.name, name.namespace or "..."


def _matchless(checked: CheckedObject) -> Iterator[Finding]:
    """Entries that name a kind that no object has."""
    for entry in checked.doing("health-check"):
        absence = absent_kind(checked, entry.value, looked_up=False)
        # An object that is listed by the same name is under check by that name.
        if absence and not _lists(checked.waiting, entry):
            yield Finding(
                message=f"{absence.reason}: this entry covers no object",
                where=checked.place((*entry.path, absence.field), None, True),
                help=absence.help,
            )
