"""The transformers of one kustomization, in the order in which kustomize runs them.

Mirrors `configureBuiltinTransformers` of kustomize 5.8: strategic merge patches, patches,
namespace, prefix, suffix, labels, annotations, JSON patches, replacements. Replicas and images
touch no object that celvet reads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias

from celvet.lint.kustomize.configured import (
    add_affixes,
    configured_transformer,
    forget_names,
    mark_configured_fields,
    write_pairs,
)
from celvet.lint.kustomize.errors import KustomizeError
from celvet.lint.kustomize.fields import Fields, Transformer
from celvet.lint.kustomize.generators import GENERATORS
from celvet.lint.kustomize.patches import (
    configured_patches,
    json_patches,
    patches,
    strategic_merges,
)
from celvet.lint.kustomize.replacements import replacement
from celvet.lint.kustomize.resource import Resource, SourcePlace
from celvet.lint.model import Path, Value
from celvet.lint.values import list_at, mapping_at, text_at

Objects: TypeAlias = Callable[[Sequence[Transformer]], Iterable[Resource]]
"""The objects of a build after some transformers."""

_MARKS: Mapping[str, Path] = {
    "managedByLabel": ("metadata", "labels", "app.kubernetes.io/managed-by"),
    "originAnnotations": ("metadata", "annotations", "config.kubernetes.io/origin"),
    "transformerAnnotations": (
        "metadata",
        "annotations",
        "alpha.config.kubernetes.io/transformations",
    ),
}
"""The fields that `buildMetadata` may add; their values depend on the build."""

_INERT = frozenset(("apiVersion", "kind", "metadata", "resources", "bases", "components"))
"""The fields of a kustomization that transform no object; many have no other."""
_LABELS = {"path": "metadata/labels", "create": True}

_SECTIONS: Mapping[str, Sequence[str]] = {
    "namespace": ("namespace",),
    "namePrefix": ("namePrefix", "nameReference"),
    "nameSuffix": ("nameSuffix", "nameReference"),
    "labels": ("commonLabels", "labels", "templateLabels"),
    "commonLabels": ("commonLabels",),
    "commonAnnotations": ("commonAnnotations",),
}
"""The sections of a file under `configurations` that affect a field of a kustomization."""


def transformers(
    layers: Sequence[Fields], objects: Objects, configurations: Sequence[Mapping[str, Value]] = ()
) -> tuple[Transformer, ...]:
    """The transformers of a kustomization file, and of a Flux Kustomization that is merged into it.

    A later layer appends its patches, and its namespace, prefix and suffix replace the earlier ones
    (`GenerateManifest` of fluxcd/pkg/kustomize). A replacement reads `objects` after the
    transformers before it. `configurations` are those of the kustomization and of what it
    includes. Raises `KustomizeError`.
    """
    layers = [*filter(_transforms, layers)]
    steps = tuple(_all_but_replacements(layers, configurations)) if layers else ()
    for fields in layers:
        for entry, place in _replacements(fields):
            steps = (*steps, replacement(entry, partial(objects, steps), place))
        if fields.value.get("transformers"):
            steps = (*steps, *_external(fields))
    return steps


def transforms(layers: Iterable[Fields]) -> bool:
    """Whether there may be a transformer."""
    return any(map(_transforms, layers))


def _transforms(fields: Fields) -> bool:
    return not _INERT.issuperset(fields.value)


def _external(fields: Fields) -> Iterator[Transformer]:
    """The transformers that the field `transformers` configures, each by its name or inline.

    If `configured` does not know one, its result is unknown.
    """
    for index, entry in enumerate(list_at(fields.value, ("transformers",)) or [None]):
        path: Path = ("transformers", index)
        try:
            configurations = [*_configurations(fields, path, entry)]
        except KustomizeError:
            configurations = [Resource({})]
        for configuration in configurations:
            if steps := configured_patches(fields, path, configuration):
                yield from steps
                continue
            yield configured_transformer(configuration, fields.at(path)) or (
                lambda resource: resource.with_unknown(())
            )


def _configurations(fields: Fields, path: Path, entry: Value) -> Iterable[Resource]:
    if not isinstance(entry, str):
        raise KustomizeError("a transformer is neither a name nor a text")
    if "\n" not in entry:
        return fields.build(entry)
    return [Resource(mapping_at(document.value)) for document in fields.parse(path, entry)]


def _all_but_replacements(
    layers: Sequence[Fields], configurations: Sequence[Mapping[str, Value]]
) -> Iterator[Transformer]:
    for fields in layers:
        yield from strategic_merges(fields)
    for fields in layers:
        yield from patches(fields)
    for name, make in (
        ("namespace", _set_namespace),
        ("namePrefix", _add_affix),
        ("nameSuffix", _add_affix),
    ):
        holder = next((fields for fields in reversed(layers) if fields.text(name)), None)
        if holder:
            yield make(holder, name)
    for fields in layers:
        yield from _metadata(fields)
        yield from json_patches(fields)
    yield from _mark_fields(layers, configurations)
    if names := {name for fields in layers for name in _hashed_names(fields)}:
        yield forget_names(names, configurations)
    for path in (_MARKS[mark] for fields in layers for mark in _build_metadata(fields)):
        yield lambda resource, path=path: resource.with_unknown(path)  # type: ignore[misc]


def _mark_fields(
    layers: Sequence[Fields], configurations: Sequence[Mapping[str, Value]]
) -> Iterator[Transformer]:
    """What `configurations` add to the transformers of the kustomization."""
    sections = {
        section
        for field, sections in _SECTIONS.items()
        if any(fields.value.get(field) for fields in layers)
        for section in sections
    }
    for configuration in configurations if sections else ():
        yield mark_configured_fields(configuration, sections)


def _hashed_names(fields: Fields) -> Iterator[str]:
    """The names of generated objects, to which kustomize adds a hash of their data."""
    no_hash = "disableNameSuffixHash"
    if mapping_at(fields.value, ("generatorOptions",)).get(no_hash) is True:
        return
    for generator in GENERATORS:
        for entry in list_at(fields.value, (generator,)):
            if mapping_at(entry, ("options",)).get(no_hash) is not True:
                yield text_at(entry, ("name",))


def _build_metadata(fields: Fields) -> Iterator[str]:
    """The metadata that the build adds to each object."""
    return (mark for mark in list_at(fields.value, ("buildMetadata",)) if mark in _MARKS)


def _set_namespace(fields: Fields, name: str) -> Transformer:
    namespace, place = fields.text(name), fields.at((name,))

    def apply(resource: Resource) -> Resource:
        field = "name" if resource.value.get("kind") == "Namespace" else "namespace"
        return resource.with_name_remembered().with_metadata(field, namespace, place)

    return apply


def _add_affix(fields: Fields, name: str) -> Transformer:
    text = fields.text(name)
    prefix, suffix = (text, "") if name == "namePrefix" else ("", text)
    return add_affixes(prefix, suffix, [{"path": "metadata/name"}], fields.at((name,)))


def _metadata(fields: Fields) -> Iterator[Transformer]:
    """Labels, then annotations; both take texts only."""
    for index, entry in enumerate(list_at(fields.value, ("labels",))):
        if pairs := mapping_at(entry, ("pairs",)):
            place = fields.at(("labels", index))
            yield write_pairs([*list_at(entry, ("fields",)), _LABELS], pairs, place)
    for name, field in (("commonLabels", "labels"), ("commonAnnotations", "annotations")):
        if pairs := mapping_at(fields.value, (name,)):
            yield add_metadata(field, pairs, fields.at((name,)))


def add_metadata(field: str, pairs: Mapping[str, Any], place: SourcePlace) -> Transformer:
    """Add labels or annotations, which override those of the object; `place` is their place."""
    return lambda resource: resource.with_metadata(field, dict(pairs), place, under=True)


def _replacements(fields: Fields) -> Iterator[tuple[Value, SourcePlace]]:
    """The replacements of a kustomization, with the places of those that are in it."""
    for index, entry in enumerate(list_at(fields.value, ("replacements",))):
        if isinstance(entry, dict) and (file := text_at(entry, ("path",))):
            for document in fields.read_documents(file):
                entries = document.value if isinstance(document.value, list) else [document.value]
                yield from ((listed_entry, document.at(())) for listed_entry in entries)
        else:
            yield entry, fields.at(("replacements", index))
