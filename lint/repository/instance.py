"""An object that applies files, and the fields that it adds to the kustomization there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from celvet.lint.kustomize.resource import Resource
from celvet.lint.model import Value
from celvet.lint.repository.files import FileObject
from celvet.lint.values import get, mapping_at, text_at
from celvet.record import record
from celvet.schemas.applier import Applier


class Template(NamedTuple):
    """A ResourceSet in one of its forms, from which the operator builds objects."""

    file_object: FileObject
    resource: Resource


@record(eq=False)
class Instance:
    """An object that applies files, as it is in the cluster; `by` is the one that applies it.

    With a `template`, it is built from that, and `by` is the object that applies the template.
    """

    file_object: FileObject
    kind: Applier
    resource: Resource
    by: Instance | None = None
    template: Template | None = None

    @property
    def chain(self) -> Iterator[Instance]:
        """The instance and all above it."""
        instance: Instance | None = self
        while instance:
            yield instance
            instance = instance.by

    @property
    def root(self) -> Instance:
        """The topmost object above."""
        return list(self.chain)[-1]


MERGED = (
    "namePrefix",
    "nameSuffix",
    "patches",
    "components",
    "patchesStrategicMerge",
    "patchesJson6902",
    "ignoreMissingComponents",
)
"""The fields of kustomize that `GenerateManifest` of fluxcd/pkg/kustomize takes from the spec."""


def merged_fields(instance: Instance) -> dict[str, Value]:
    """The fields that an instance merges into the kustomization of its path."""
    kind, value = instance.kind, instance.resource.value
    spec = mapping_at(value, kind.kustomization)
    fields = {key: field for key, field in spec.items() if key in MERGED}
    namespace = text_at(value, kind.namespace)
    return {**fields, "namespace": namespace} if namespace else fields


def knows_merged_fields(instance: Instance) -> bool:
    """Whether the repository shows all fields that an instance merges.

    A namespace with a variable changes no more than the namespaces, which are unknown then.
    """
    kind, knows = instance.kind, instance.resource.knows
    has_namespace = bool(text_at(instance.resource.value, kind.namespace))
    return (has_namespace or knows(*kind.namespace)) and all(
        knows(*kind.kustomization, name) for name in MERGED
    )


def applying_fields(kind: Applier, value: Mapping[str, Value]) -> list[Value]:
    """The fields by which an object applies others, changes them, and waits for them."""
    paths = (kind.path, kind.source, kind.metadata, kind.variables, kind.elsewhere)
    merged_paths = (kind.namespace, *((*kind.kustomization, name) for name in MERGED))
    return [get(value, path) for path in (*paths, *merged_paths, kind.dependencies)]


def changing_fields(kind: Applier) -> set[str]:
    """The names of the fields by which objects of a kind change what they apply."""
    return {*MERGED, kind.namespace[-1], kind.metadata[-1], kind.variables[-1]}
