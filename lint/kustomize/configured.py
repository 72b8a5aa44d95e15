"""The transformers for namespaces, labels and annotations that a file configures.

Mirrors `NamespaceTransformerPlugin`, `LabelTransformerPlugin` and `AnnotationsTransformerPlugin` of
kustomize 5.8, and their filters.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from celvet.lint.kustomize.errors import KustomizeError
from celvet.lint.kustomize.resource import FieldChange, Resource, SourcePlace
from celvet.lint.model import Path, Value
from celvet.lint.values import list_at, mapping_at, text_at
from celvet.record import record

_PAIRS = {"LabelTransformer": "labels", "AnnotationsTransformer": "annotations"}
_NAMESPACE: Path = ("metadata", "namespace")


@record
class _FieldSpec:
    """A field that a transformer writes, in the objects that it is for."""

    group: str
    version: str
    kind: str
    path: Path
    create: bool

    def selects(self, value: Mapping[str, Value]) -> bool:
        group, _, version = text_at(value, ("apiVersion",)).rpartition("/")
        named = ((self.group, group), (self.version, version), (self.kind, value.get("kind")))
        return all(wanted in ("", found) for wanted, found in named)

    @property
    def is_plain(self) -> bool:
        """Whether its path leads through mappings only."""
        return not any("[" in str(step) or "\\" in str(step) for step in self.path)


def configured(config: Resource, place: SourcePlace) -> Callable[[Resource], Resource] | None:
    """The transformer of a configuration; None if it is of another kind, or cannot be followed."""
    value = config.value
    if value.get("apiVersion") != "builtin" or not config.knows() or "${" in str(value):
        return None
    kind = text_at(value, ("kind",))
    if kind == "NamespaceTransformer" and (namespace := text_at(value, _NAMESPACE)):
        return _namespaced(value, namespace, place)
    if kind in _PAIRS:
        return _paired(value, mapping_at(value, (_PAIRS[kind],)), place)
    return None


def extended(
    config: Mapping[str, Value], sections: Collection[str]
) -> Callable[[Resource], Resource]:
    """The transformer that marks the fields that a file under `configurations` adds as unknown.

    They name further fields that the namespace, the prefix and so on are written to. Metadata is
    written to without them.
    """
    entries = [each for name in sections for each in list_at(config, (name,))]
    # a section lists fields, or the kinds whose names appear in some fields
    nested = [each for each in entries if list_at(each, ("fieldSpecs",))]
    specs = [spec for each in (*nested, {"fieldSpecs": entries}) for spec in _field_specs(each)]

    def apply(resource: Resource) -> Resource:
        written = {each.path[:1] for each in specs if each.selects(resource.value)}
        return resource.not_known(*sorted(written - {("metadata",), ("",)}))

    return apply


def _namespaced(
    value: Mapping[str, Value], namespace: str, place: SourcePlace
) -> Callable[[Resource], Resource]:
    unset_only = value.get("unsetOnly") is True
    specs = [each for each in _field_specs(value) if each.path != _NAMESPACE]

    def apply(resource: Resource) -> Resource:
        if not (unset_only and text_at(resource.value, _NAMESPACE)):
            resource = resource.remembered().with_metadata("namespace", namespace, place)
        for spec in specs:
            if not (unset_only and text_at(resource.value, spec.path)):
                resource = _written(resource, spec, spec.path, namespace, place)
        return resource

    return apply


def _paired(
    value: Mapping[str, Value], pairs: Mapping[str, Value], place: SourcePlace
) -> Callable[[Resource], Resource]:
    specs = _field_specs(value)

    def apply(resource: Resource) -> Resource:
        for spec in specs:
            for key, text in pairs.items():
                resource = _written(resource, spec, (*spec.path, key), text, place)
        return resource

    return apply


def _field_specs(value: Mapping[str, Value]) -> list[_FieldSpec]:
    return [
        _FieldSpec(
            group=text_at(each, ("group",)),
            version=text_at(each, ("version",)),
            kind=text_at(each, ("kind",)),
            path=tuple(text_at(each, ("path",)).split("/")),
            create=mapping_at(each).get("create") is True,
        )
        for each in list_at(value, ("fieldSpecs",))
    ]


def _written(
    resource: Resource, spec: _FieldSpec, path: Path, new: Value, place: SourcePlace
) -> Resource:
    """An object with a value at a path, if it is one that the spec is for."""
    if not spec.selects(resource.value):
        return resource
    if not spec.is_plain:
        return resource.not_known(())
    value = _with(resource.value, path, new, 0 if spec.create else len(spec.path))
    if value == resource.value:
        return resource
    return resource.changed(value, [FieldChange(place, path)])


def _with(value: Mapping[str, Value], path: Path, new: Value, needed: int) -> dict[str, Any]:
    """A mapping with a value at a path, if its first fields, as many as are needed, are there.

    Raises `KustomizeError` if the path leads through a list, in which each element is written to.
    """
    name, below = str(path[0]), path[1:]
    if below and not isinstance(value.get(name) or {}, dict):
        raise KustomizeError(f"`{name}` is not a mapping")
    if needed > 0 and value.get(name) is None:
        return dict(value)
    inner = _with(mapping_at(value, (name,)), below, new, needed - 1) if below else new
    return {**value, name: inner}
