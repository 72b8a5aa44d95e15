"""Schemas in the user's files and schema locations, read when they are needed."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from celvet.lint.crds.schema import CrdSchema, LayeredSchemas, Schemas, by_kind, of_document
from celvet.lint.model import GroupKind
from celvet.record import record

if TYPE_CHECKING:
    from celvet.lint.crds.files import CrdFiles
    from celvet.lint.crds.locations import SchemaLocations


@record
class SchemaSources:
    """Where to find schemas; small enough to be sent to another process.

    `paths` are files, directories and archives of CRDs. `locations` are kubeconform templates, used
    for kinds that the paths do not define. Each process caches what it reads. `refusals` are
    reported with the sources that cannot be read.
    """

    paths: tuple[Path, ...] = ()
    locations: tuple[str, ...] = ()
    refusals: tuple[str, ...] = ()

    def find(self, api_version: str, kind: str) -> CrdSchema | None:
        """The schema of a kind; of several CRDs for it, all versions count."""
        return _reader(self).find(api_version, kind)

    @property
    def problems(self) -> tuple[str, ...]:
        """The schema sources that could not be read so far."""
        return (*self.refusals, *_reader(self).problems)

    def check(self) -> None:
        """Raise `LocationError` for an invalid location."""
        if self.locations:
            from celvet.lint.crds.locations import SchemaLocation

            for text in self.locations:
                SchemaLocation.of(text).check()


def sources_of(schemas: Schemas) -> Iterator[SchemaSources]:
    """The files and locations among some sources of schemas."""
    if isinstance(schemas, SchemaSources):
        yield schemas
    elif isinstance(schemas, LayeredSchemas):
        for store in schemas.stores:
            yield from sources_of(store)


@lru_cache(maxsize=4)
def _reader(sources: SchemaSources) -> _SourceReader:
    return _SourceReader(sources)


class _SourceReader:
    """Reads the sources, each of them once."""

    def __init__(self, sources: SchemaSources) -> None:
        self._paths = sources.paths
        self._files: CrdFiles | None = None
        self._locations = _locations(sources.locations)
        self._schemas: dict[tuple[str, str], CrdSchema | None] = {}

    def find(self, api_version: str, kind: str) -> CrdSchema | None:
        key = (api_version, kind)
        if key not in self._schemas:
            self._schemas[key] = self._in_files(GroupKind.of(*key)) or self._find_published(*key)
        return self._schemas[key]

    @property
    def problems(self) -> tuple[str, ...]:
        parts = (part.problems for part in (self._files, self._locations) if part)
        return tuple(problem for part in parts for problem in part)

    def _in_files(self, group_kind: GroupKind) -> CrdSchema | None:
        if not self._paths:
            return None
        if self._files is None:
            from celvet.lint.crds.files import CrdFiles  # archives and their formats

            self._files = CrdFiles.of(self._paths)
        return by_kind(self._files.find(group_kind)).get(group_kind)

    def _find_published(self, api_version: str, kind: str) -> CrdSchema | None:
        document = self._locations.find(api_version, kind) if self._locations else None
        return None if document is None else of_document(api_version, kind, document)


def _locations(texts: tuple[str, ...]) -> SchemaLocations | None:
    if not texts:
        return None
    from celvet.lint.crds.locations import SchemaLocation, SchemaLocations

    return SchemaLocations(tuple(map(SchemaLocation.of, texts)))
