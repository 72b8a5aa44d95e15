"""The kinds that the objects of files wait for, and those that no entry covers.

Objects are taken in the form in which the repository applies them; unknown forms are skipped.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from celvet.lint.checks import check_value
from celvet.lint.checks.waiting import Waiting, among, knows_waits, switches, waiting
from celvet.lint.healthtest.read.declarations import Declaration, declarations
from celvet.lint.kustomize.resource import Resource
from celvet.lint.locate import Locator
from celvet.lint.manifest import Manifest
from celvet.lint.model import GroupKind, Value
from celvet.lint.repository.object_form import ObjectForm
from celvet.lint.repository.questions import ApparentObjects, ObjectForms
from celvet.lint.repository.surroundings import Repository, Surroundings
from celvet.lint.values import get, group_kind_of, object_ref_of
from celvet.record import record
from celvet.schemas import Catalog, Kind, KindFacts
from celvet.schemas.kind_files import BUILT_IN_GROUPS


@record
class WaitedKinds:
    """What an object waits for in one of its forms; `place` has its file and line.

    `entry_kinds` are the kinds of its entries, the kind empty for a whole group.
    """

    place: str
    kinds: frozenset[GroupKind]
    entry_kinds: frozenset[GroupKind]


def kinds_named_in(manifest: Manifest, catalog: Catalog) -> frozenset[GroupKind]:
    """The kinds that the objects of a file name, in entries or in lists of what they wait for."""
    kinds: set[GroupKind] = set()
    for declaration in declarations(manifest):
        health = check_value(dict(declaration.value), catalog).health()
        kinds |= {check.named if check.named.kind else check.group_kind for check in health}
        kinds |= _listed_kinds(waiting(declaration.value, _kind(declaration.value, catalog)))
    return frozenset(kind for kind in kinds if kind.kind)


def waits(manifest: Manifest, catalog: Catalog, repository: Repository) -> Iterator[WaitedKinds]:
    """What the objects of a file wait for, including those of its ResourceSets."""
    locator, surroundings = Locator(manifest), repository.surroundings_of(manifest.name)
    for declaration in declarations(manifest):
        kind = _kind(declaration.value, catalog)
        if kind is None:
            continue
        for form in _forms(declaration, surroundings):
            if not _is_known(form.resource, kind):
                continue
            if waited_kinds := _kinds_waited_for(declaration, form, kind, surroundings):
                line = locator.place(declaration.place(())).line
                place = f"{locator.name}:{line} {object_ref_of(form.resource.value).title}"
                yield WaitedKinds(place, waited_kinds, _entry_kinds(form.resource.value, catalog))


def _kinds_waited_for(
    declaration: Declaration, form: ObjectForm, kind: Kind, surroundings: Surroundings
) -> frozenset[GroupKind]:
    """The kinds that a form of an object waits for.

    An object inside another one that nothing here applies may have a source that the other one also
    contains.
    """
    waits_for = waiting(form.resource.value, kind)
    if not waits_for.everything:
        return _listed_kinds(waits_for)
    if declaration.holder and form.by is None:
        return frozenset()
    objects = surroundings.ask(ApparentObjects(declaration.place(()), form)) or ()
    return frozenset(obj.kind for obj in objects)


def uncovered_kinds(waiters: Iterable[WaitedKinds]) -> dict[GroupKind, tuple[str, ...]]:
    """The kinds outside of Kubernetes that no entry covers, by who waits for them."""
    places: dict[GroupKind, dict[str, None]] = {}
    for waiter in waiters:
        for kind in waiter.kinds:
            is_covered = any(among(entry, [kind]) for entry in waiter.entry_kinds)
            if not is_covered and kind.group not in BUILT_IN_GROUPS:
                places.setdefault(kind, {})[waiter.place] = None
    return {kind: tuple(places[kind]) for kind in sorted(places, key=str)}


def _kind(value: Value, catalog: Catalog) -> Kind | None:
    reference = object_ref_of(value)
    return catalog.find(reference.api_version, reference.kind)


def _listed_kinds(waits_for: Waiting) -> frozenset[GroupKind]:
    return frozenset(kind for kind in map(group_kind_of, waits_for.listed_objects) if kind.kind)


def _entry_kinds(value: Value, catalog: Catalog) -> frozenset[GroupKind]:
    checked_object = check_value(dict(value), catalog)
    return frozenset(check.named for check in checked_object.health())


def _forms(declaration: Declaration, surroundings: Surroundings) -> Iterator[ObjectForm]:
    """The forms in which an object gets into the cluster.

    One that another object holds stays as it is. If something changes that other one, nothing is
    known.
    """
    if declaration.holder is None:
        yield from surroundings.ask(ObjectForms(dict(declaration.value)))
        return
    for form in surroundings.ask(ObjectForms(dict(declaration.holder.value))):
        if form.resource.knows("spec") and form.resource.last_writer("spec") is None:
            yield ObjectForm(Resource(declaration.value), form.by)


def _is_known(resource: Resource, kind: Kind) -> bool:
    """Whether the repository shows what an object waits for, and by which entries."""
    values = (get(resource.value, path) for path in switches(kind))
    return knows_waits(kind, resource) and not any("${" in str(value) for value in values)


def is_better_with_entry(facts: KindFacts) -> bool:
    """Whether a kind is better off with an entry.

    In older releases, an entry that only newer ones fulfil would never succeed.
    """
    return bool(facts.entry and facts.fits_all_releases)
