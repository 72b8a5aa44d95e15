"""The kinds to suggest entries for: by name, in a file, or of objects."""

from __future__ import annotations

import os.path
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import click

from celvet.lint.crds import Schemas, schemas_in
from celvet.lint.crds.lookup import CrdLookup
from celvet.lint.crds.schema import API_GROUP, KIND
from celvet.lint.engine import Settings
from celvet.lint.healthtest.read.fixtures import Fixtures, require_readable
from celvet.lint.manifest import KubeObject, Manifest, whole_objects
from celvet.lint.manifest.source.files import STDIN
from celvet.lint.model import GroupKind, Value
from celvet.lint.suggest.groups import is_group, of_group
from celvet.lint.suggest.kind_names import UnknownKindError, catalog_kind, parse_kind
from celvet.lint.suggest.suggest import Suggester
from celvet.lint.suggest.suggestion import Suggestion
from celvet.lint.suggest.waited_kinds import kinds_named_in
from celvet.lint.values import group_kind_of, text_at
from celvet.record import record
from celvet.schemas.kind_files import built_in_kinds
from celvet.wrong_input import WrongInputError

_FILES = (".yaml", ".yml", ".json")


@record
class Request:
    """The kinds to suggest entries for, each with given objects, and where their CRDs are."""

    kinds: Mapping[GroupKind, Sequence[Value]]
    crds: Schemas


def by_name(subject: str, settings: Settings) -> Request:
    """The request for a kind, a file or a group; raises `WrongInputError`."""
    try:
        kind = catalog_kind(subject, settings.catalog.directories, built_in_kinds())
        return Request({kind: ()}, settings.crds)
    except UnknownKindError as error:
        if _is_file(subject):
            return _in_file(Path(subject), settings)
        if is_group(subject, settings.catalog):
            return Request({GroupKind(subject, ""): ()}, settings.crds)
        named = parse_kind(subject)
        if named and settings.crds.find(f"{named.group}/v1", named.kind):
            return Request({named: ()}, settings.crds)
        for problem in settings.crds.problems:
            click.echo(f"celvet: {problem}", err=True)
        raise WrongInputError(str(error)) from None


def _is_file(subject: str) -> bool:
    path = Path(subject)
    return path == STDIN or subject.endswith(_FILES) or os.path.exists(subject)  # noqa: PTH110


def _in_file(path: Path, settings: Settings) -> Request:
    """The kinds that the entries and health checks of a file are about.

    Without any, those of the CRDs in it; without these, those of its objects.
    Raises `WrongInputError` for a file that cannot be read.
    """
    manifest = _manifest(path, settings)
    kube_objects = list(whole_objects(manifest))
    objects = _by_kind(kube_objects)
    defined_kinds = [schema.group_kind for obj in kube_objects for schema in schemas_in(obj.value)]
    kinds = sorted(kinds_named_in(manifest, settings.catalog), key=str) or defined_kinds
    if not kinds and GroupKind(API_GROUP, KIND) in objects:
        raise WrongInputError(
            f"`{manifest.name}`: the CRD lacks its group, its kind or a version that is served;"
            " correct it, or name an object with --from-object"
        )
    kinds = kinds or [*_assure_any(objects, manifest)]
    return Request(
        {kind: objects.get(kind, ()) for kind in kinds}, CrdLookup.of(kube_objects, settings.crds)
    )


def of_objects(paths: Iterable[Path], settings: Settings) -> Request:
    """The kinds of some objects; raises `WrongInputError` for a file without any."""
    kube_objects: list[KubeObject] = []
    for path in paths:
        manifest = _manifest(path, settings)
        file_objects = list(whole_objects(manifest))
        _assure_any(_by_kind(file_objects), manifest)
        kube_objects += file_objects
    return Request(_by_kind(kube_objects), settings.crds)


_Objects = Mapping[GroupKind, Sequence[Value]]


def _assure_any(objects: _Objects, manifest: Manifest) -> _Objects:
    if not objects:
        raise WrongInputError(
            f"`{manifest.name}` has no object with `apiVersion` and `kind`;"
            " name a manifest, or what `kubectl get -o yaml` prints"
        )
    return objects


def _manifest(path: Path, settings: Settings) -> Manifest:
    if path.is_dir():
        raise WrongInputError(
            f"`{path}` is a directory; name a file, or use --missing for what it waits for"
        )
    fixtures = Fixtures(Path(), settings.substitutions, settings.catalog)
    manifest = fixtures.manifest(str(path), ())
    require_readable(manifest)
    return manifest


def _by_kind(kube_objects: Iterable[KubeObject]) -> dict[GroupKind, list[Value]]:
    objects: dict[GroupKind, list[Value]] = {}
    for obj in kube_objects:
        if (kind := group_kind_of(obj.value)).kind and text_at(obj.value, ("apiVersion",)):
            objects.setdefault(kind, []).append(obj.value)
    return objects


def suggestions(
    request: Request, settings: Settings, variant: str
) -> Iterator[Suggestion | UnknownKindError]:
    """The suggestion for each kind, or why there is none."""
    suggester = Suggester(settings.catalog, request.crds, variant)
    for kind, objects in request.kinds.items():
        if not kind.kind and variant:
            yield UnknownKindError(f"{kind.group} is a group; name the kind whose variant you want")
            continue
        if not kind.kind:
            yield from of_group(kind.group, settings.catalog)
            continue
        try:
            yield suggester.of(kind, objects)
        except UnknownKindError as error:
            yield error
