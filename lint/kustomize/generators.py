"""The ConfigMaps and Secrets that a kustomization generates."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from celvet.lint.kustomize.fields import Fields
from celvet.lint.kustomize.resource import ObjectName, Resource, SourcePlace
from celvet.lint.values import list_at, text_at

GENERATORS = {"configMapGenerator": "ConfigMap", "secretGenerator": "Secret"}
"""The fields with generators, and the kinds of what these generate."""


class Generator(NamedTuple):
    """An entry of a field; `name` is the one before the kustomizations around it change it."""

    field: str
    name: ObjectName
    behavior: str
    place: SourcePlace

    @property
    def creates(self) -> bool:
        """Whether it makes a new object, and does not change one that is there."""
        return self.behavior not in ("merge", "replace")

    @property
    def title(self) -> str:
        """The kind and name of the object."""
        return f"{GENERATORS[self.field]} {self.name.name}"


def generators(fields: Fields) -> Iterator[Generator]:
    """The generators of a kustomization that have a name."""
    for field in GENERATORS:
        for index, entry in enumerate(list_at(fields.value, (field,))):
            if text_at(entry, ("name",)):
                name = Resource({"metadata": entry}).identity
                behavior = text_at(entry, ("behavior",))
                yield Generator(field, name, behavior, fields.at((field, index)))
