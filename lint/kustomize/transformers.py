"""The transformers of one kustomization, in the order in which kustomize runs them.

Mirrors `configureBuiltinTransformers` of kustomize 5.8: strategic merge patches, patches,
namespace, prefix, suffix, labels, annotations, JSON patches, replacements. Replicas and images
touch no object that celvet reads.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Any, TypeAlias

from celvet.lint.kustomize import json_patch
from celvet.lint.kustomize.configured import configured, extended, is_followed, is_renamed, paired
from celvet.lint.kustomize.errors import KustomizeError
from celvet.lint.kustomize.merge import merged, written
from celvet.lint.kustomize.replacements import replacement
from celvet.lint.kustomize.resource import FieldChange, Resource, SourcePlace, TextDocument
from celvet.lint.kustomize.selectors import Selector, selector
from celvet.lint.model import Path, Value
from celvet.lint.values import ABSENT, list_at, mapping_at, text_at
from celvet.record import record, replace

Transformer: TypeAlias = Callable[[Resource], Resource | None]
"""Transforms an object; None if it is removed."""
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


@record
class Fields:
    """The fields of a kustomization: a file, or the `spec` of a Flux Kustomization.

    `at` gives the place of a path in it, `source` the text of a file that it names, `read` the
    documents of one, `parse` those of an inline text at a path, `built` the objects of a file or
    directory that it names. All but `at` raise `KustomizeError`.
    """

    value: Mapping[str, Value]
    at: Callable[[Path], SourcePlace]
    source: Callable[[str], str]
    read: Callable[[str], Sequence[TextDocument]]
    parse: Callable[[Path, str], Sequence[TextDocument]]
    built: Callable[[str], Iterable[Resource]]

    def text(self, name: str) -> str:
        """A text field."""
        return text_at(self.value, (name,))


def transformers(
    layers: Sequence[Fields],
    objects: Objects,
    configurations: Sequence[Mapping[str, Value]] = (),
) -> tuple[Transformer, ...]:
    """The transformers of a kustomization file, and of a Flux Kustomization that is merged into it.

    A later layer appends its patches, and its namespace, prefix and suffix replace the earlier ones
    (`GenerateManifest` of fluxcd/pkg/kustomize). A replacement reads `objects` after the
    transformers before it. `configurations` are those of the kustomization and of what it
    includes. Raises `KustomizeError`.
    """
    layers = [each for each in layers if not _INERT.issuperset(each.value)]
    made = tuple(_all_but_replacements(layers, configurations)) if layers else ()
    for fields in layers:
        for entry, place in _replacements(fields):
            made = (*made, replacement(entry, partial(objects, made), place))
        if fields.value.get("transformers"):
            made = (*made, *_external(fields))
    return made


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
        for each in configurations:
            if patches := _configured_patches(fields, path, each):
                yield from patches
                continue
            made = configured(each, fields.at(path))
            yield made or (lambda resource: resource.not_known(()))


def _configured_patches(fields: Fields, path: Path, config: Resource) -> Sequence[Transformer]:
    """A `PatchTransformer`, which has the fields of an entry of `patches`.

    A file is named from the directory of the kustomization that lists the transformer.
    """
    if not is_followed(config) or config.value.get("kind") != "PatchTransformer":
        return ()
    place = fields.at(path)
    there = replace(fields, at=lambda _: place)
    try:
        return [*_entry_patches(there, path, config.value)]
    except KustomizeError:
        return ()


def _configurations(fields: Fields, path: Path, entry: Value) -> Iterable[Resource]:
    if not isinstance(entry, str):
        raise KustomizeError("a transformer is neither a name nor a text")
    if "\n" not in entry:
        return fields.built(entry)
    return [Resource(mapping_at(each.value)) for each in fields.parse(path, entry)]


def _all_but_replacements(
    layers: Sequence[Fields], configurations: Sequence[Mapping[str, Value]]
) -> Iterator[Transformer]:
    for fields in layers:
        yield from _strategic_merges(fields)
    for fields in layers:
        yield from _patches(fields)
    for name, make in (("namespace", _namespaced), ("namePrefix", _named), ("nameSuffix", _named)):
        holder = next((each for each in reversed(layers) if each.text(name)), None)
        if holder:
            yield make(holder, name)
    for fields in layers:
        yield from _metadata(fields)
        yield from _json_patches(fields)
    yield from _extended(layers, configurations)
    for path in (_MARKS[each] for fields in layers for each in _build_metadata(fields)):
        yield lambda resource, path=path: resource.not_known(path)  # type: ignore[misc]


def _extended(
    layers: Sequence[Fields], configurations: Sequence[Mapping[str, Value]]
) -> Iterator[Transformer]:
    """What `configurations` add to the transformers of the kustomization."""
    heeded = {
        section
        for field, sections in _SECTIONS.items()
        if any(each.value.get(field) for each in layers)
        for section in sections
    }
    for each in configurations if heeded else ():
        yield extended(each, heeded)


def _build_metadata(fields: Fields) -> Iterator[str]:
    """The metadata that the build adds to each object."""
    return (each for each in list_at(fields.value, ("buildMetadata",)) if each in _MARKS)


def _patches(fields: Fields) -> Iterator[Transformer]:
    for index, entry in enumerate(list_at(fields.value, ("patches",))):
        yield from _entry_patches(fields, ("patches", index), entry)


def _entry_patches(fields: Fields, path: Path, entry: Value) -> Iterator[Transformer]:
    target = entry.get("target") if isinstance(entry, dict) else None
    chosen = selector(target) if isinstance(target, dict) else None
    documents = _documents(fields, path, entry)
    if chosen and len(documents) > 1:
        raise KustomizeError("a patch with a target has several documents")
    for document in documents:
        yield _patch(document, chosen, mapping_at(entry, ("options",)))


def _documents(fields: Fields, path: Path, entry: Value) -> Sequence[TextDocument]:
    inline, file = text_at(entry, ("patch",)), text_at(entry, ("path",))
    if bool(inline.strip()) == bool(file):
        raise KustomizeError("a patch has either `patch` or `path`")
    text = fields.source(file) if file else inline.strip()
    if text.startswith("["):
        _check_json(text)
    documents = fields.read(file) if file else fields.parse((*path, "patch"), inline)
    # of several lists of operations, kustomize takes the first one
    return documents[:1] if documents and isinstance(documents[0].value, list) else documents


def _check_json(patch: str) -> None:
    """Raise `KustomizeError` unless a patch is JSON, as one with this first letter must be.

    Others may be YAML (`jsonPatchFromBytes` in api/internal/builtins/PatchTransformer.go).
    """
    try:
        json.loads(patch)
    except (ValueError, RecursionError):
        raise KustomizeError("a patch that begins with `[` is not JSON") from None


def _patch(
    document: TextDocument, chosen: Selector | None, options: Mapping[str, Value]
) -> Transformer:
    if isinstance(document.value, list):
        if chosen is None:
            raise KustomizeError("a JSON patch needs a target")
        return _operations(document, chosen.selects, document.value)
    return _strategic(document, chosen, options)


def _strategic(
    document: TextDocument,
    chosen: Selector | None,
    options: Mapping[str, Value],
    *,
    copied: bool = False,
) -> Transformer:
    """A strategic merge patch; without a target, for the object that it names.

    kustomize copies a patch with a target, and those of `patchesStrategicMerge`.
    """
    patch = document.value
    if not isinstance(patch, dict):
        raise KustomizeError("a patch is not a mapping")
    if chosen or copied:
        patch = _with_texts(patch)
    selects = chosen.selects if chosen else _same_as(patch)

    @cache
    def places() -> list[FieldChange]:
        paths = (path for path in written(patch) if path[:1] not in (("apiVersion",), ("kind",)))
        return [FieldChange(document.at(path), path) for path in paths]

    def apply(resource: Resource) -> Resource | None:
        if not selects(resource):
            return resource
        new = merged(resource.value, patch)
        if new is ABSENT:
            return None
        if options.get("allowNameChange"):
            resource = resource.remembered()
        new = _kept(resource, new, options)
        return resource.changed(new, places())

    return apply


def _with_texts(patch: Mapping[str, Value]) -> dict[str, Value]:
    """The copy of a patch: a null among its labels and annotations is a string.

    kustomize copies them as strings (`CopyMergeMetaDataFieldsFrom`).
    """
    metadata = dict(mapping_at(patch, ("metadata",)))
    for field in ("labels", "annotations"):
        if pairs := mapping_at(metadata, (field,)):
            metadata[field] = {key: "null" if v is None else v for key, v in pairs.items()}
    return {**patch, "metadata": metadata}


def _same_as(patch: Mapping[str, Value]) -> Callable[[Resource], bool]:
    """Whether an object is the one that a patch names, now or by an earlier name.

    Raises `KustomizeError` if this is not known.
    """
    named = Resource(patch).identity

    def same(resource: Resource) -> bool:
        kind = all(resource.value.get(key) == patch.get(key) for key in ("apiVersion", "kind"))
        if kind and not all(resource.knows("metadata", key) for key in ("name", "namespace")):
            raise KustomizeError("a patch names an object whose name is not known")
        return kind and named in (*resource.earlier, resource.identity)

    return same


def _kept(
    resource: Resource, new: Mapping[str, Value], options: Mapping[str, Value]
) -> dict[str, Value]:
    """The object after a patch, with the names that no patch changes."""
    metadata = dict(mapping_at(new, ("metadata",)))
    if not options.get("allowNameChange"):
        metadata["name"] = resource.identity.name
    namespace = text_at(resource.value, ("metadata", "namespace"))
    metadata.pop("namespace", None)
    if namespace:
        metadata["namespace"] = namespace
    fixed = ("apiVersion",) if options.get("allowKindChange") else ("apiVersion", "kind")
    return {**new, "metadata": metadata, **{key: resource.value.get(key) for key in fixed}}


def _operations(
    document: TextDocument, selects: Callable[[Resource], bool], operations: Sequence[Value]
) -> Transformer:
    def apply(resource: Resource) -> Resource:
        if not selects(resource):
            return resource
        new: Value = resource.value
        for operation in operations:
            if not all(resource.knows(*path) for path in json_patch.read(new, operation)):
                raise KustomizeError("a JSON patch reads a field that is not known")
            new = json_patch.applied(new, operation)
        if not isinstance(new, dict):
            raise KustomizeError("a JSON patch leaves no mapping")
        if any(new.get(key) != resource.value.get(key) for key in ("apiVersion", "kind")):
            raise KustomizeError("a JSON patch changes the kind")  # later ones may name the old one
        resource = resource.remembered()
        changes = []
        for index, operation in enumerate(operations):
            path = tuple(step for step in json_patch.pointer(operation) if step != "-")
            changes.append(FieldChange(document.at((index,)), path))
        return resource.changed(new, changes)

    return apply


def _strategic_merges(fields: Fields) -> Iterator[Transformer]:
    for index, entry in enumerate(list_at(fields.value, ("patchesStrategicMerge",))):
        path: Path = ("patchesStrategicMerge", index)
        if isinstance(entry, dict):  # a patch in Flux, a file or text in kustomize
            documents: Sequence[TextDocument] = [
                TextDocument(entry, lambda below, path=path: fields.at((*path, *below)))  # type: ignore[misc]
            ]
        elif isinstance(entry, str) and "\n" not in entry:
            documents = fields.read(entry)
        else:
            documents = fields.parse(path, str(entry))
        for document in documents:
            yield _strategic(document, None, {}, copied=True)


def _json_patches(fields: Fields) -> Iterator[Transformer]:
    """`patchesJson6902`, whose target is like that of a patch, with a name."""
    for index, entry in enumerate(list_at(fields.value, ("patchesJson6902",))):
        path: Path = ("patchesJson6902", index)
        target = mapping_at(entry, ("target",))
        if not text_at(target, ("name",)):
            raise KustomizeError("a JSON patch has a target without a name")
        inline = entry.get("patch") if isinstance(entry, dict) else None
        if isinstance(inline, list):  # the form that Flux writes

            def at(below: Path, path: Path = path) -> SourcePlace:
                return fields.at((*path, "patch", *below))

            documents: Sequence[TextDocument] = [TextDocument(inline, at)]
        else:
            documents = _documents(fields, path, entry)
        for document in documents:
            if not isinstance(document.value, list):
                raise KustomizeError("a JSON patch is not a list")
            yield _operations(document, selector(target).selects, document.value)


def _namespaced(fields: Fields, name: str) -> Transformer:
    namespace, place = fields.text(name), fields.at((name,))

    def apply(resource: Resource) -> Resource:
        field = "name" if resource.value.get("kind") == "Namespace" else "namespace"
        return resource.remembered().with_metadata(field, namespace, place)

    return apply


def _named(fields: Fields, name: str) -> Transformer:
    text, place = fields.text(name), fields.at((name,))

    def apply(resource: Resource) -> Resource:
        if not is_renamed(resource):
            return resource
        old = resource.identity.name
        new = f"{text}{old}" if name == "namePrefix" else f"{old}{text}"
        return resource.remembered().with_metadata("name", new, place)

    return apply


def _metadata(fields: Fields) -> Iterator[Transformer]:
    """Labels, then annotations; both take texts only."""
    for index, entry in enumerate(list_at(fields.value, ("labels",))):
        if pairs := mapping_at(entry, ("pairs",)):
            place = fields.at(("labels", index))
            yield paired([*list_at(entry, ("fields",)), _LABELS], pairs, place)
    for name, field in (("commonLabels", "labels"), ("commonAnnotations", "annotations")):
        if pairs := mapping_at(fields.value, (name,)):
            yield added(field, pairs, fields.at((name,)))


def added(field: str, pairs: Mapping[str, Any], place: SourcePlace) -> Transformer:
    """Add labels or annotations, which override those of the object; `place` is their place."""
    return lambda resource: resource.with_metadata(field, dict(pairs), place, under=True)


def _replacements(fields: Fields) -> Iterator[tuple[Value, SourcePlace]]:
    """The replacements of a kustomization, with the places of those that are in it."""
    for index, entry in enumerate(list_at(fields.value, ("replacements",))):
        if isinstance(entry, dict) and (file := text_at(entry, ("path",))):
            for document in fields.read(file):
                listed = document.value if isinstance(document.value, list) else [document.value]
                yield from ((each, document.at(())) for each in listed)
        else:
            yield entry, fields.at(("replacements", index))
