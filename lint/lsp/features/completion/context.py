"""What a path of a document is about: the object there, and the schemas of the value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from celvet.lint.checks.objects import kind_of_objects
from celvet.lint.manifest import Document, objects_in
from celvet.lint.model import Path, Value
from celvet.lint.validation import Site
from celvet.lint.values import mapping_at, object_ref_of
from celvet.record import record
from celvet.schemas import Catalog, Kind
from celvet.schemas.kind import Schema
from celvet.schemas.walk import ANY_KEY, CONDITIONS, ITEM, children


@record
class Context:
    """What the cursor is in: an object, and the path in it.

    `kind` is None as long as the object is not of a known kind. `schemas` say
    what the value at the path may be.
    """

    object: Mapping[str, Value]
    kind: Kind | None
    path: Path
    schemas: tuple[Schema, ...]

    @property
    def objects(self) -> tuple[str, str]:
        """`apiVersion` and `kind` of the objects that an expression here reads."""
        root = self.kind.schema if self.kind else {}
        for size in range(len(self.path) - 1, -1, -1):
            for schema in _schemas(root, self.path[:size]):
                if mark := schema.get("x-check"):
                    named = mark.get("objects", "")
                    return kind_of_objects(named, self.path[:size], self.object)
        return kind_of_objects("", self.path[:-1], self.object)

    @property
    def beside(self) -> Mapping[str, Value]:
        """The mapping in which the value at the path stands."""
        return mapping_at(self.object, self.path[:-1])

    @property
    def names_objects(self) -> bool:
        """Whether the mapping around the path says which kind of objects a check is about."""
        schemas = _schemas(self.kind.schema, self.path[:-1]) if self.kind and self.path else ()
        return any("x-check" in schema for schema in schemas)

    def site(self, text: str, catalog: Catalog) -> Site | None:
        """The site that a text would be here; None where no expression belongs."""
        for schema in self.schemas:
            if found := schema.get("x-expression"):
                return Site(self.path, text, catalog.dialects[found["dialect"]], found["role"])
        return None


def context(document: Document, path: Path, catalog: Catalog) -> Context:
    """The innermost object around a path of a document; without any, the document's root."""
    about: Mapping[str, Value] = document.value if isinstance(document.value, Mapping) else {}
    below = path
    for found in objects_in(document):
        start = found.where.path
        if found.where.inner is None and not found.partial and path[: len(start)] == start:
            about, below = found.value, path[len(start) :]
    reference = object_ref_of(about)
    kind = catalog.find(reference.api_version, reference.kind)
    return Context(about, kind, below, _schemas(kind.schema, below) if kind else ())


def _schemas(root: Schema, path: Path) -> tuple[Schema, ...]:
    """What describes the value at a path, whether or not a condition holds."""
    found = [*_alike(root)]
    for step in path:
        inside = [_child(schema, step) for schema in found]
        found = [each for child in inside if child is not None for each in _alike(child)]
    return tuple(found)


def _alike(schema: Schema) -> Iterator[Schema]:
    """A schema and those inside that describe the same value."""
    yield schema
    for keyword, segment, below in children(schema):
        if segment is None and keyword not in CONDITIONS:
            yield from _alike(below)


def _child(schema: Schema, step: str | int) -> Schema | None:
    segments = {segment: below for _, segment, below in children(schema) if segment is not None}
    if isinstance(step, int):
        return segments.get(ITEM)
    return segments.get(step, segments.get(ANY_KEY))
