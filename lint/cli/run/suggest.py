"""Finds the kinds that `celvet suggest` is asked about: by name, in files, in repositories."""

from __future__ import annotations

import os.path
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import click

from celvet.lint.cli.run.session import manifests, usage_error
from celvet.lint.crds import Schemas, of_definition
from celvet.lint.crds.lookup import CrdLookup
from celvet.lint.engine import Settings
from celvet.lint.healthtest.model import UnusableTestError
from celvet.lint.healthtest.read.fixtures import Fixtures, require_readable
from celvet.lint.manifest import KubeObject, Manifest, whole_objects
from celvet.lint.manifest.source.files import STDIN
from celvet.lint.model import GroupKind, Value
from celvet.lint.repository.root import root_of
from celvet.lint.repository.surroundings import Repository
from celvet.lint.suggest.named import UnknownKindError, named, spelt
from celvet.lint.suggest.suggest import Suggester
from celvet.lint.suggest.suggestion import Suggestion
from celvet.lint.suggest.waited import named_in, uncovered, waits
from celvet.lint.values import group_kind_of
from celvet.record import record, replace
from celvet.schemas.known_kinds import known_kinds

_FILES = (".yaml", ".yml", ".json")


@record
class Wanted:
    """The kinds to suggest entries for, each with objects at hand, and where their CRDs are."""

    kinds: Mapping[GroupKind, Sequence[Value]]
    crds: Schemas


def by_name(subject: str, settings: Settings) -> Wanted:
    """What a name of a kind, or of a file, asks for; raises `click.UsageError`."""
    known = [GroupKind(*each) for each in known_kinds(settings.catalog.directories)]
    try:
        return Wanted({named(subject, known): ()}, settings.crds)
    except UnknownKindError as error:
        if _is_file(subject):
            return _in_file(Path(subject), settings)
        kind = spelt(subject)
        if kind and settings.crds.find(f"{kind.group}/v1", kind.kind):
            return Wanted({kind: ()}, settings.crds)
        raise click.UsageError(str(error)) from None


def _is_file(subject: str) -> bool:
    path = Path(subject)
    return path == STDIN or subject.endswith(_FILES) or os.path.exists(subject)  # noqa: PTH110


def _in_file(path: Path, settings: Settings) -> Wanted:
    """The kinds that the entries and health checks of a file are about.

    Without any, those of the CRDs in it; without these, those of its objects.
    Raises `click.UsageError` for a file that cannot be read.
    """
    manifest = _manifest(path, settings)
    found = list(whole_objects(manifest))
    objects = _by_kind(found)
    defined = [schema.group_kind for each in found if (schema := of_definition(each.value))]
    kinds = sorted(named_in(manifest, settings.catalog), key=str) or defined or list(objects)
    if not kinds:
        raise click.UsageError(f"{manifest.name} holds no Kubernetes object")
    return Wanted(
        {kind: objects.get(kind, ()) for kind in kinds}, CrdLookup.of(found, settings.crds)
    )


def of_objects(paths: Iterable[Path], settings: Settings) -> Wanted:
    """The kinds of some objects; raises `click.UsageError` for a file without any."""
    found: list[KubeObject] = []
    for path in paths:
        manifest = _manifest(path, settings)
        objects = list(whole_objects(manifest))
        if not objects:
            raise click.UsageError(f"{manifest.name} holds no Kubernetes object")
        found += objects
    return Wanted(_by_kind(found), settings.crds)


def _manifest(path: Path, settings: Settings) -> Manifest:
    fixtures = Fixtures(Path(), settings.substitutions, settings.catalog)
    try:
        manifest = fixtures.manifest(str(path), ())
        require_readable(manifest)
    except UnusableTestError as problem:
        raise usage_error(problem) from None
    return manifest


def _by_kind(found: Iterable[KubeObject]) -> dict[GroupKind, list[Value]]:
    objects: dict[GroupKind, list[Value]] = {}
    for each in found:
        if (kind := group_kind_of(each.value)).kind:
            objects.setdefault(kind, []).append(each.value)
    return objects


def suggested(
    wanted: Wanted, settings: Settings, variant: str
) -> Iterator[Suggestion | UnknownKindError]:
    """The suggestion for each kind, or why there is none."""
    suggester = Suggester(settings.catalog, wanted.crds, variant)
    for kind, objects in wanted.kinds.items():
        try:
            yield suggester.of(kind, objects)
        except UnknownKindError as error:
            yield error


def missing(files: Sequence[Path], settings: Settings) -> Iterator[Suggestion]:
    """The suggestions for kinds that the files wait for and that no entry covers."""
    catalog, around = settings.catalog, Repository(root_of(files))
    found = (wait for each in manifests(files, settings) for wait in waits(each, catalog, around))
    suggester = Suggester(catalog, settings.crds)
    for kind, places in uncovered(found, catalog).items():
        yield replace(suggester.of(kind), waited=places)
