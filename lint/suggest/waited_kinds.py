"""The kinds that the objects of files wait for, and those that no entry covers.

Objects are taken in the form in which the repository applies them; unknown forms are skipped.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from celvet.lint.checks import CheckedObject, check_value
from celvet.lint.checks.waiting import waiting
from celvet.lint.healthtest.read.declarations import Declaration, declarations
from celvet.lint.locate import Locator
from celvet.lint.manifest import Manifest
from celvet.lint.model import GroupKind
from celvet.lint.repository.surroundings import Repository, Surroundings, TemplateSurroundings
from celvet.lint.rules.shared.missing_entries import MissingEntry, missing_entries, uncovered_kinds
from celvet.lint.values import group_kind_of, mapping_at
from celvet.record import record, replace
from celvet.schemas import Catalog, kind_facts


@record
class BareWaiter:
    """An object that waits for kinds without an entry; `place` has its file and line.

    `missing_entries` are those that `missing-entry` and `existence-only` report. Of the other
    kinds, `unknown_kinds` are not in the catalogue, and for `minor_kinds` an entry would be better,
    but nobody has to wait for their objects.
    """

    place: str
    missing_entries: Sequence[MissingEntry]
    minor_kinds: frozenset[GroupKind]
    unknown_kinds: frozenset[GroupKind]


def kinds_named_in(manifest: Manifest, catalog: Catalog) -> frozenset[GroupKind]:
    """The kinds that the objects of a file name, in entries or in lists of what they wait for."""
    kinds: set[GroupKind] = set()
    for declaration in declarations(manifest):
        checked = check_value(dict(mapping_at(declaration.value)), catalog)
        kinds |= {
            check.named if check.named.kind else check.group_kind for check in checked.health()
        }
        kinds |= {*map(group_kind_of, waiting(checked.value, checked.kind).listed_objects)}
    return frozenset(kind for kind in kinds if kind.kind)


def waiters(manifest: Manifest, catalog: Catalog, repository: Repository) -> Iterator[BareWaiter]:
    """The objects of a file that wait for kinds without an entry, and those of its ResourceSets."""
    locator, surroundings = Locator(manifest), repository.surroundings_of(manifest.name)
    for declaration in declarations(manifest):
        checked = _checked(declaration, catalog, surroundings)
        kinds = uncovered_kinds(checked)
        if not kinds:
            continue
        entries = missing_entries(checked)
        facts = {kind: kind_facts(*kind, catalog.directories) for kind in kinds}
        # in older releases, an entry that only newer ones fulfil would never succeed
        better = {kind for kind, of in facts.items() if of and of.entry and of.fits_all_releases}
        line = locator.place(declaration.place(())).line
        yield BareWaiter(
            f"{locator.name}:{line} {checked.object.title}",
            entries,
            frozenset(better - {entry.kind for entry in entries}),
            frozenset(kind for kind, of in facts.items() if of is None),
        )


def _checked(
    declaration: Declaration, catalog: Catalog, surroundings: Surroundings
) -> CheckedObject:
    """An object of a file as the rules see it; one that another object holds stays as it is."""
    checked = check_value(dict(mapping_at(declaration.value)), catalog)
    if declaration.holder:
        holder = mapping_at(declaration.holder.value)
        surroundings = TemplateSurroundings(surroundings, holder)
    return replace(checked, surroundings=surroundings, place=declaration.place)


def missing_kinds(all_waiters: Sequence[BareWaiter]) -> dict[GroupKind, tuple[str, ...]]:
    """The kinds that lack an entry, the most harmful first, by who waits for them."""
    entries = [(entry, waiter.place) for waiter in all_waiters for entry in waiter.missing_entries]
    places: dict[GroupKind, dict[str, None]] = {}
    for entry, place in sorted(entries, key=lambda pair: pair[0].rank):
        places.setdefault(entry.kind, {})[place] = None
    return {kind: tuple(sorted(places[kind])) for kind in places}


def unknown_kinds(all_waiters: Sequence[BareWaiter]) -> dict[GroupKind, tuple[str, ...]]:
    """The kinds outside of the catalogue, by who waits for them."""
    places: dict[GroupKind, dict[str, None]] = {}
    for waiter in all_waiters:
        for kind in waiter.unknown_kinds:
            places.setdefault(kind, {})[waiter.place] = None
    return {kind: tuple(places[kind]) for kind in sorted(places, key=str)}
