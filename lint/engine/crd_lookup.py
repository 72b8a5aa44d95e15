"""What is known of kinds while one file is judged."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from celvet.lint.crds import (
    CrdSchema,
    KnownSchemas,
    LayeredSchemas,
    Schemas,
    by_kind,
    of_definition,
)
from celvet.lint.manifest import KubeObject


@dataclass(frozen=True, slots=True)
class Knowledge:
    """The CRDs in the file itself, then those that the user gave; remembers what was asked."""

    schemas: Schemas
    _answers: dict[tuple[str, str], CrdSchema | None] = field(default_factory=dict)

    @classmethod
    def of(cls, objects: Iterable[KubeObject], given: Schemas) -> Knowledge:
        """What the objects of a file define, before what was given."""
        whole = (found.value for found in objects if found.whole)
        own = by_kind(schema for value in whole if (schema := of_definition(value)))
        return cls(LayeredSchemas((KnownSchemas(own), given)) if own else given)

    def find(self, api_version: str, kind: str) -> CrdSchema | None:
        """The schema of a kind; see `celvet.lint.crds.Schemas`."""
        asked = (api_version, kind)
        if asked not in self._answers:
            self._answers[asked] = self.schemas.find(api_version, kind)
        return self._answers[asked]

    @property
    def missed(self) -> frozenset[tuple[str, str]]:
        """The kinds asked for of which nothing is known."""
        return frozenset(asked for asked, found in self._answers.items() if found is None)

    @property
    def problems(self) -> tuple[str, ...]:
        """What could not be read so far."""
        return self.schemas.problems
