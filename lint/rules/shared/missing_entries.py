"""The kinds that an object waits for without an entry although kstatus misjudges them.

`celvet lint` and `celvet suggest --missing` both ask here, so they give one answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import IntEnum
from typing import TYPE_CHECKING

from celvet.lint.checks import CheckedObject, check_value
from celvet.lint.checks.advice import list_of_entries
from celvet.lint.checks.waiting import among, knows_waits, switches, waiting
from celvet.lint.kustomize.resource import ObjectName
from celvet.lint.model import GroupKind, Path
from celvet.lint.repository.questions import ApparentObjects, AppliedObjects, Dependants
from celvet.lint.values import get, group_kind_of, list_at
from celvet.record import record
from celvet.schemas import kind_facts, load
from celvet.schemas.kind_files import BUILT_IN_GROUPS

if TYPE_CHECKING:
    from celvet.lint.repository.object_form import ObjectForm
    from celvet.schemas import Kind
    from celvet.schemas.facts import LifeState


class Harm(IntEnum):
    """How long kstatus is wrong about a new object, the longest first."""

    ALWAYS = 0
    """It counts as ready in each state, a broken one too."""
    WHILE_COMING = 1
    """It counts as ready in a state on its way up."""
    AT_FIRST = 2
    """It counts as ready until its own controller reports that it is under way."""
    UNSEEN = 3
    """It counts as ready until its own controller has looked at it."""


_WHEN = {
    Harm.ALWAYS: "as soon as it exists",
    Harm.WHILE_COMING: "while it is still starting",
    Harm.AT_FIRST: "at first, until its controller reports progress",
    Harm.UNSEEN: "before its controller has looked at it",
}


@record
class MissingEntry:
    """A kind that lacks an entry, and what follows from that.

    `state` is one in which a new object counts as ready. `path` is the place in the object that
    makes it wait for the kind. `dependants` wait for the object itself.
    """

    kind: GroupKind
    harm: Harm
    state: LifeState
    path: Path
    dependants: Sequence[ObjectName]

    @property
    def is_listed(self) -> bool:
        """Whether the object lists one of the kind."""
        return isinstance(self.path[-1], int)

    @property
    def when(self) -> str:
        """When kstatus counts one of the kind as ready, although it is not."""
        return _WHEN[self.harm]

    @property
    def rank(self) -> tuple[bool, Harm, str]:
        """The place in an order that begins with the most harmful."""
        return not self.dependants, self.harm, str(self.kind)


def missing_entries(checked: CheckedObject) -> list[MissingEntry]:
    """The missing entries of an object that matter to someone, the most harmful first.

    An entry matters if the object lists one of the kind, or if others depend on the object, and so
    start before one of the kind is ready. Most objects are ready within milliseconds.
    """
    dependants = checked.surroundings.ask(Dependants(checked.forms()[0]))
    paths = uncovered_kinds(checked, all_applied=bool(dependants))
    candidates = (_missing_entry(checked, kind, paths[kind], dependants) for kind in paths)
    entries = (entry for entry in candidates if entry)
    return sorted(entries, key=lambda entry: entry.rank)


def _missing_entry(
    checked: CheckedObject, kind: GroupKind, path: Path, dependants: Sequence[ObjectName]
) -> MissingEntry | None:
    from celvet.lint.controllers.kstatus.misjudged import (  # few objects get as far
        existence_only,
        is_awaited,
        ready_too_early,
        sees_progress,
    )

    facts = kind_facts(kind.group, kind.kind, checked.directories)
    facts_here = checked.facts_of_applied(kind)
    if facts is None or facts_here is None:
        return None
    state = ready_too_early(facts_here)
    is_listed = isinstance(path[-1], int)
    is_unseen = existence_only(kind, checked.directories)
    is_awaited_here = dependants and is_awaited(facts if is_unseen else facts_here)
    if state is None or not (is_listed or is_awaited_here):
        return None
    if is_unseen:
        harm = Harm.ALWAYS
    elif not state.object.get("status"):
        harm = Harm.UNSEEN
    else:
        at_first = sees_progress(kind, checked.directories)
        harm = Harm.AT_FIRST if at_first else Harm.WHILE_COMING
    return MissingEntry(kind, harm, state, path, dependants)


def uncovered_kinds(checked: CheckedObject, *, all_applied: bool = True) -> dict[GroupKind, Path]:
    """The kinds outside of Kubernetes that an object waits for and no entry covers.

    Each comes with its place: its first item in the list, else the field that says to wait. Forms
    that the repository does not show are left out; of the others, each waits without an entry. If
    not `all_applied`, an applied kind counts only if the list names it too.
    """
    kind, version = checked.kind, checked.object.api_version.rpartition("/")[2]
    if kind is None or not kind.waits or checked.partial or not list_of_entries(kind, version):
        return {}
    forms = [form for form in checked.forms() if _is_known(form, kind)]
    kinds_by_form = [
        set(_uncovered(form, checked, kind, all_applied=all_applied)) for form in forms
    ]
    kinds = set.intersection(*kinds_by_form) if kinds_by_form else set()
    items = list_at(checked.value, kind.waits)
    places = {group_kind_of(item): (*kind.waits, at) for at, item in reversed([*enumerate(items)])}
    elsewhere = _place_of_wait(checked, kind)
    return {name: places.get(name, elsewhere) for name in sorted(kinds, key=str)}


def _is_known(form: ObjectForm, kind: Kind) -> bool:
    """Whether the repository shows what a form waits for, and by which entries."""
    values = (get(form.resource.value, path) for path in switches(kind))
    return knows_waits(kind, form.resource) and not any("${" in str(value) for value in values)


def _uncovered(
    form: ObjectForm, checked: CheckedObject, kind: Kind, *, all_applied: bool
) -> Iterator[GroupKind]:
    waits_for = waiting(form.resource.value, kind)
    kinds = {*map(group_kind_of, list_at(form.resource.value, kind.waits))}
    if waits_for.everything and (all_applied or kinds):
        applied_objects = checked.surroundings.ask(ApparentObjects(checked.place(()), form))
        applied_kinds = {obj.kind for obj in applied_objects or ()}
        kinds = applied_kinds if all_applied else kinds & applied_kinds
    kinds = {name for name in kinds if name.kind and name.group not in BUILT_IN_GROUPS}
    if not kinds:
        return
    whole_object = check_value(dict(form.resource.value), load(checked.directories))
    entry_kinds = [entry.named for entry in whole_object.health()]
    # An entry with the wrong group is corrected, and no second one is written beside it.
    question = AppliedObjects(form) if entry_kinds and waits_for.everything else None
    applied_objects = checked.surroundings.ask(question) if question else None
    known_kinds = entry_kinds if applied_objects is None else [obj.kind for obj in applied_objects]
    misnamed_kinds = {entry.kind for entry in entry_kinds if entry not in known_kinds}
    for name in kinds:
        is_covered = any(among(entry_kind, [name]) for entry_kind in entry_kinds)
        if not (is_covered or name.kind in misnamed_kinds):
            yield name


def _place_of_wait(checked: CheckedObject, kind: Kind) -> Path:
    """The field by which an object waits for everything, the object if a parent sets it."""
    fields = (path for path in sorted(switches(kind)) if get(checked.value, path) is not None)
    return next(fields, ("kind",))
