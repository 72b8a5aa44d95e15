"""The schemas for a file: those of the CRDs in it, then the given ones."""

from __future__ import annotations

from collections.abc import Iterable

from celvet.lint.crds.schema import (
    CrdSchema,
    KnownSchemas,
    LayeredSchemas,
    Schemas,
    by_kind,
    schemas_in,
)
from celvet.lint.manifest import KubeObject
from celvet.record import field, record


@record
class CrdLookup:
    """Finds schemas in the CRDs of the file itself, then in those given; caches the answers."""

    schemas: Schemas
    _answers: dict[tuple[str, str], CrdSchema | None] = field(default_factory=dict)

    @classmethod
    def of(cls, objects: Iterable[KubeObject], schemas: Schemas) -> CrdLookup:
        """A lookup in the CRDs among the objects of a file first, then in `schemas`."""
        values = (obj.value for obj in objects if obj.whole)
        own_schemas = by_kind(schema for value in values for schema in schemas_in(value))
        return cls(LayeredSchemas((KnownSchemas(own_schemas), schemas)) if own_schemas else schemas)

    def find(self, api_version: str, kind: str) -> CrdSchema | None:
        """The schema of a kind; see `Schemas`."""
        key = (api_version, kind)
        if key not in self._answers:
            self._answers[key] = self.schemas.find(api_version, kind)
        return self._answers[key]

    @property
    def missing_kinds(self) -> frozenset[tuple[str, str]]:
        """The kinds that were looked up and not found."""
        return frozenset(key for key, schema in self._answers.items() if schema is None)

    @property
    def problems(self) -> tuple[str, ...]:
        """The schema sources that could not be read so far."""
        return self.schemas.problems
