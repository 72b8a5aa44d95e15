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

    `covered` are the kinds of its entries, the kind empty for a whole group.
    """

    place: str
    kinds: frozenset[GroupKind]
    covered: frozenset[GroupKind]


def named_in(manifest: Manifest, catalog: Catalog) -> frozenset[GroupKind]:
    """The kinds that the objects of a file name, in entries or in lists of what they wait for."""
    found: set[GroupKind] = set()
    for each in declarations(manifest):
        health = check_value(dict(each.value), catalog).health()
        found |= {it.named if it.named.kind else it.group_kind for it in health}
        found |= _listed(waiting(each.value, _kind(each.value, catalog)))
    return frozenset(each for each in found if each.kind)


def waits(manifest: Manifest, catalog: Catalog, repository: Repository) -> Iterator[WaitedKinds]:
    """What the objects of a file wait for, including those of its ResourceSets."""
    locator, around = Locator(manifest), repository.surroundings_of(manifest.name)
    for each in declarations(manifest):
        kind = _kind(each.value, catalog)
        if kind is None:
            continue
        for form in _forms(each, around):
            if not _is_known(form.resource, kind):
                continue
            if found := _waited(each, form, kind, around):
                line = locator.place(each.place(())).line
                place = f"{locator.name}:{line} {object_ref_of(form.resource.value).title}"
                yield WaitedKinds(place, found, _covered(form.resource.value, catalog))


def _waited(
    each: Declaration, form: ObjectForm, kind: Kind, around: Surroundings
) -> frozenset[GroupKind]:
    """The kinds that a form of an object waits for.

    An object inside another one that nothing here applies may have a source that the other one also
    contains.
    """
    found = waiting(form.resource.value, kind)
    if not found.everything:
        return _listed(found)
    if each.holder and form.by is None:
        return frozenset()
    return frozenset(
        found.kind for found in around.ask(ApparentObjects(each.place(()), form)) or ()
    )


def uncovered(found: Iterable[WaitedKinds]) -> dict[GroupKind, tuple[str, ...]]:
    """The kinds outside of Kubernetes that no entry covers, by who waits for them."""
    places: dict[GroupKind, dict[str, None]] = {}
    for each in found:
        for kind in each.kinds:
            covered = any(among(entry, [kind]) for entry in each.covered)
            if not covered and kind.group not in BUILT_IN_GROUPS:
                places.setdefault(kind, {})[each.place] = None
    return {kind: tuple(places[kind]) for kind in sorted(places, key=str)}


def _kind(value: Value, catalog: Catalog) -> Kind | None:
    reference = object_ref_of(value)
    return catalog.find(reference.api_version, reference.kind)


def _listed(found: Waiting) -> frozenset[GroupKind]:
    return frozenset(each for each in map(group_kind_of, found.listed_objects) if each.kind)


def _covered(value: Value, catalog: Catalog) -> frozenset[GroupKind]:
    checked = check_value(dict(value), catalog)
    return frozenset(each.named for each in checked.health())


def _forms(each: Declaration, around: Surroundings) -> Iterator[ObjectForm]:
    """The forms in which an object gets into the cluster.

    One that another object holds stays as it is. If something changes that other one, nothing is
    known.
    """
    if each.holder is None:
        yield from around.ask(ObjectForms(dict(each.value)))
        return
    for form in around.ask(ObjectForms(dict(each.holder.value))):
        if form.resource.knows("spec") and form.resource.last_writer("spec") is None:
            yield ObjectForm(Resource(each.value), form.by)


def _is_known(resource: Resource, kind: Kind) -> bool:
    """Whether the repository shows what an object waits for, and by which entries."""
    known = (get(resource.value, path) for path in switches(kind))
    return knows_waits(kind, resource) and not any("${" in str(each) for each in known)


def misjudged(facts: KindFacts) -> bool:
    """Whether a kind is better off with an entry.

    In older releases, an entry that only newer ones fulfil would never succeed.
    """
    return bool(facts.entry and facts.fits_all_releases)
