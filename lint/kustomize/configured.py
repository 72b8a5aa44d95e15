"""The transformers for names, namespaces, labels and annotations that a file configures.

Mirrors `NamespaceTransformerPlugin`, `PrefixTransformerPlugin`, `SuffixTransformerPlugin`,
`LabelTransformerPlugin` and `AnnotationsTransformerPlugin` of kustomize 5.8, and their filters.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

from celvet.lint.kustomize.resource import Resource, SourcePlace
from celvet.lint.model import Path, Value
from celvet.lint.values import group_kind_of, list_at, mapping_at, parts_in, text_at
from celvet.record import record
from celvet.schemas.kind_files import built_in_scope

_PAIRS = {"LabelTransformer": "labels", "AnnotationsTransformer": "annotations"}
_NOT_RENAMED = frozenset({"Namespace", "APIService", "CustomResourceDefinition"})
_NAMESPACE: Path = ("metadata", "namespace")
_SPECS: Path = ("fieldSpecs",)
_NAME: Path = ("metadata", "name")


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
        requirements = (
            (self.group, group),
            (self.version, version),
            (self.kind, value.get("kind")),
        )
        return all(required_text in ("", text) for required_text, text in requirements)

    @property
    def is_plain(self) -> bool:
        """Whether its path leads through mappings only."""
        return not any("[" in str(step) or "\\" in str(step) for step in self.path)


def configured_transformer(
    config: Resource, place: SourcePlace
) -> Callable[[Resource], Resource] | None:
    """The transformer of a configuration; None if it is of another kind, or cannot be followed."""
    value = config.value
    if not can_follow(config):
        return None
    kind = text_at(value, ("kind",))
    if kind == "NamespaceTransformer" and (namespace := text_at(value, _NAMESPACE)):
        return _set_namespace(value, namespace, place)
    if kind in _PAIRS:
        return write_pairs(list_at(value, _SPECS), mapping_at(value, (_PAIRS[kind],)), place)
    if kind == "PrefixTransformer":
        return add_affixes(text_at(value, ("prefix",)), "", list_at(value, _SPECS), place)
    if kind == "SuffixTransformer":
        return add_affixes("", text_at(value, ("suffix",)), list_at(value, _SPECS), place)
    return None


def can_follow(config: Resource) -> bool:
    """Whether a configuration is of kustomize itself and known as a whole."""
    is_builtin = config.value.get("apiVersion") == "builtin"
    return is_builtin and config.knows() and "${" not in str(config.value)


def mark_configured_fields(
    config: Mapping[str, Value], sections: Collection[str]
) -> Callable[[Resource], Resource]:
    """The transformer that marks the fields that a file under `configurations` adds as unknown.

    They name further fields that the namespace, the prefix and so on are written to. Metadata is
    written to without them.
    """
    entries = [section_entries for name in sections for section_entries in list_at(config, (name,))]
    # a section lists fields, or the kinds whose names appear in some fields
    nested_specs = [spec for entry in entries for spec in list_at(entry, _SPECS)]
    specs = _field_specs([*nested_specs, *entries])

    def apply(resource: Resource) -> Resource:
        fields = {spec.path[:1] for spec in specs if spec.selects(resource.value)}
        return resource.with_unknown(*sorted(fields - {("metadata",), ("",)}))

    return apply


def forget_names(
    names: Collection[str], configurations: Sequence[Mapping[str, Value]]
) -> Callable[[Resource], Resource]:
    """The transformer that marks what refers to a generated object: its name gets a hash.

    `names` are those without the hash. References are in the fields that `configurations` list
    under `nameReference`, and anywhere in an object of a built-in kind.
    """
    entries = [entry for config in configurations for entry in list_at(config, ("nameReference",))]
    specs = _field_specs([spec for entry in entries for spec in list_at(entry, _SPECS)])

    def apply(resource: Resource) -> Resource:
        value = resource.value
        paths = [spec.path for spec in specs if spec.selects(value)]
        places = [place for path in paths for place in _places(value, path)]
        kind = group_kind_of(value)
        if built_in_scope(kind.group, kind.kind):
            places += (path for path, _ in parts_in({**value, "metadata": None}))
        return resource.with_unknown(*(place for place in places if text_at(value, place) in names))

    return apply


def _places(value: Value, path: Path, place: Path = ()) -> Iterator[Path]:
    """The places that a path of kustomize leads to, in each item of a list."""
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from _places(item, path, (*place, index))
    elif not path:
        yield place
    elif isinstance(value, Mapping):
        name = str(path[0]).removesuffix("[]")
        yield from _places(value.get(name), path[1:], (*place, name))


def _set_namespace(
    value: Mapping[str, Value], namespace: str, place: SourcePlace
) -> Callable[[Resource], Resource]:
    unset_only = value.get("unsetOnly") is True
    specs = [spec for spec in _field_specs(list_at(value, _SPECS)) if spec.path != _NAMESPACE]

    def apply(resource: Resource) -> Resource:
        if not (unset_only and text_at(resource.value, _NAMESPACE)):
            resource = resource.with_name_remembered().with_metadata("namespace", namespace, place)
        for spec in specs:
            if not (unset_only and text_at(resource.value, spec.path)):
                resource = _write_field(resource, spec, spec.path, namespace, place)
        return resource

    return apply


def add_affixes(
    prefix: str, suffix: str, field_specs: Sequence[Value], place: SourcePlace
) -> Callable[[Resource], Resource]:
    """The transformer that puts a prefix and a suffix around names.

    What it makes of another field is unknown.
    """
    specs = _field_specs(field_specs) if prefix or suffix else ()

    def apply(resource: Resource) -> Resource:
        for spec in specs:
            if not spec.selects(resource.value) or resource.value.get("kind") in _NOT_RENAMED:
                continue
            if spec.path == _NAME:
                resource = resource.with_affixes(prefix, suffix, place)
            else:
                resource = resource.with_unknown(())
        return resource

    return apply


def write_pairs(
    field_specs: Sequence[Value], pairs: Mapping[str, Value], place: SourcePlace
) -> Callable[[Resource], Resource]:
    """The transformer that writes labels or annotations into the listed fields.

    Of several fields, those outside of the metadata are unknown: they share the values with the
    metadata, so that a later transformer that changes one changes the others too.
    """
    specs = _field_specs(field_specs)

    def apply(resource: Resource) -> Resource:
        for spec in specs:
            for key, text in pairs.items():
                path = (*spec.path, key)
                resource = _write_field(resource, spec, path, text, place)
                if len(specs) > 1 and path[0] != "metadata" and spec.selects(resource.value):
                    resource = resource.with_unknown(path)
        return resource

    return apply


def _field_specs(field_specs: Iterable[Value]) -> list[_FieldSpec]:
    return [
        _FieldSpec(
            group=text_at(entry, ("group",)),
            version=text_at(entry, ("version",)),
            kind=text_at(entry, ("kind",)),
            path=tuple(text_at(entry, ("path",)).split("/")),
            create=mapping_at(entry).get("create") is True,
        )
        for entry in field_specs
    ]


def _write_field(
    resource: Resource, spec: _FieldSpec, path: Path, new: Value, place: SourcePlace
) -> Resource:
    """An object with a value at a path, if it is one that the spec is for."""
    if not spec.selects(resource.value):
        return resource
    if not spec.is_plain:
        return resource.with_unknown(())
    required_count = 0 if spec.create else len(spec.path)
    result = resource.with_field(path, new, place, required_count=required_count)
    return resource if result.value == resource.value else result
