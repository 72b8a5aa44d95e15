"""The schemas for a file: those of the CRDs in it, then the given ones."""

from __future__ import annotations

from collections.abc import Iterable

from celvet.lint.crds.schema import (
    CrdSchema,
    KnownSchemas,
    LayeredSchemas,
    Schemas,
    by_kind,
    of_definition,
)
from celvet.lint.manifest import KubeObject
from celvet.record import field, record


@record
class CrdLookup:
    """Finds schemas in the CRDs of the file itself, then in those given; caches the answers."""

    schemas: Schemas
    _answers: dict[tuple[str, str], CrdSchema | None] = field(default_factory=dict)

    @classmethod
    def of(cls, objects: Iterable[KubeObject], given: Schemas) -> CrdLookup:
        """A lookup in the CRDs among the objects of a file first, then in `given`."""
        whole = (found.value for found in objects if found.whole)
        own = by_kind(schema for value in whole if (schema := of_definition(value)))
        return cls(LayeredSchemas((KnownSchemas(own), given)) if own else given)

    def find(self, api_version: str, kind: str) -> CrdSchema | None:
        """The schema of a kind; see `Schemas`."""
        wanted = (api_version, kind)
        if wanted not in self._answers:
            self._answers[wanted] = self.schemas.find(api_version, kind)
        return self._answers[wanted]

    @property
    def missed(self) -> frozenset[tuple[str, str]]:
        """The kinds that were looked up and not found."""
        return frozenset(wanted for wanted, found in self._answers.items() if found is None)

    @property
    def problems(self) -> tuple[str, ...]:
        """The schema sources that could not be read so far."""
        return self.schemas.problems
