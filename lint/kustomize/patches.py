"""The patches of a kustomization: strategic merge patches and JSON patches, inline or in files.

Mirrors `PatchTransformer`, `PatchStrategicMergeTransformer` and `PatchJson6902Transformer` of
kustomize 5.8, and for objects without a built-in schema `kyaml/yaml/merge2`: mappings are merged,
lists and scalars replaced, null and `$patch: delete` remove.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import Any

from celvet.lint.kustomize import patch_operations
from celvet.lint.kustomize.configured import can_follow
from celvet.lint.kustomize.errors import KustomizeError, RefusedChangeError
from celvet.lint.kustomize.fields import Fields, Transformer
from celvet.lint.kustomize.resource import (
    FieldChange,
    Resource,
    SourcePlace,
    TextDocument,
    lack_of_object,
)
from celvet.lint.kustomize.selectors import Selector, selector
from celvet.lint.model import Path, Value
from celvet.lint.values import ABSENT, list_at, mapping_at, text_at
from celvet.record import replace
from celvet.regex import regex

_DIRECTIVE = "$patch"
_JSON_PATCHES = "patchesJson6902"
_OPERATIONS = regex(r"(?:\s|#.*\n|---.*\n)*(?:-\s|\[)")
"""How a JSON patch begins; a strategic merge patch is a mapping."""


def may_be_refused(fields: Fields) -> bool:
    """Whether a layer may have a JSON patch or a replacement, refused where it finds nothing."""
    for entry in list_at(fields.value, ("patches",)):
        text, file = text_at(entry, ("patch",)), text_at(entry, ("path",))
        with suppress(KustomizeError):
            text = fields.source(file) if file else text
        if _OPERATIONS.match(text):
            return True
    return bool(fields.value.get(_JSON_PATCHES) or fields.value.get("replacements"))


def misread_patch(fields: Fields) -> tuple[str, SourcePlace] | None:
    """Why kustomize cannot read a patch, and its place."""
    for field in ("patches", _JSON_PATCHES):
        for index, entry in enumerate(list_at(fields.value, (field,))):
            path: Path = (field, index)
            reason = _misreading(fields, path, entry) if isinstance(entry, dict) else ""
            if reason:
                return reason, fields.at(path)
    with suppress(KustomizeError):
        for document in _merge_documents(fields):
            lack = "" if document.value is None else lack_of_object(document.value)
            if lack:
                return f"a patch has no `{lack}`", document.at(())
    return None


def _misreading(fields: Fields, path: Path, entry: Mapping[str, Value]) -> str:
    is_json = path[0] == _JSON_PATCHES
    if isinstance(entry.get("patch"), dict | list):  # Flux makes a text of its own JSON patches
        return "" if is_json else "a `patch` is not a text"
    if bool(text_at(entry, ("patch",)).strip()) == bool(text_at(entry, ("path",))):
        return "a patch needs either `patch` or `path`"
    try:
        values = [document.value for document in _documents(fields, path, entry)]
    except KustomizeError as error:
        return str(error) if isinstance(error, RefusedChangeError) else ""
    if is_json and any(isinstance(value, dict) for value in values):
        return "a JSON patch is not a list"
    return _unfit_documents([*filter(None, values)], targeted=entry.get("target") is not None)


def _unfit_documents(values: Sequence[Value], *, targeted: bool) -> str:
    if values and isinstance(values[0], list):
        return "" if targeted else "a JSON patch has no `target`"
    if lack := next(filter(None, map(lack_of_object, values)), ""):
        return f"a patch has no `{lack}`"
    return "a patch with a `target` has several objects" if targeted and len(values) > 1 else ""


def patches(fields: Fields) -> Iterator[Transformer]:
    """`patches`, of both forms."""
    for index, entry in enumerate(list_at(fields.value, ("patches",))):
        yield from _entry_patches(fields, ("patches", index), entry)


def _entry_patches(fields: Fields, path: Path, entry: Value) -> Iterator[Transformer]:
    target = entry.get("target") if isinstance(entry, dict) else None
    target_selector = selector(target) if isinstance(target, dict) else None
    documents = _documents(fields, path, entry)
    if target_selector and len(documents) > 1:
        raise KustomizeError("a patch with a target has several documents")
    for document in documents:
        yield _patch(document, target_selector, mapping_at(entry, ("options",)))


def _documents(fields: Fields, path: Path, entry: Value) -> Sequence[TextDocument]:
    inline, file = text_at(entry, ("patch",)), text_at(entry, ("path",))
    if bool(inline.strip()) == bool(file):
        raise KustomizeError("a patch has either `patch` or `path`")
    text = fields.source(file) if file else inline.strip()
    if text.startswith("["):
        _check_json(text)
    documents = fields.read_documents(file) if file else fields.parse((*path, "patch"), inline)
    # of several lists of operations, kustomize takes the first one
    return documents[:1] if documents and isinstance(documents[0].value, list) else documents


def _check_json(patch: str) -> None:
    """Raise `KustomizeError` unless a patch is JSON, as one with this first letter must be.

    Others may be YAML (`jsonPatchFromBytes` in api/internal/builtins/PatchTransformer.go).
    """
    try:
        json.loads(patch)
    except (ValueError, RecursionError):
        raise RefusedChangeError("a patch that begins with `[` is not JSON") from None


def _patch(
    document: TextDocument, target_selector: Selector | None, options: Mapping[str, Value]
) -> Transformer:
    if isinstance(document.value, list):
        if target_selector is None:
            raise KustomizeError("a JSON patch needs a target")
        return _operations(document, target_selector.selects, document.value)
    return _strategic(document, target_selector, options)


def _strategic(
    document: TextDocument,
    target_selector: Selector | None,
    options: Mapping[str, Value],
    *,
    is_copy: bool = False,
) -> Transformer:
    """A strategic merge patch; without a target, for the object that it names.

    kustomize copies a patch with a target, and those of `patchesStrategicMerge`.
    """
    patch = document.value
    if not isinstance(patch, dict):
        raise KustomizeError("a patch is not a mapping")
    if patch.get(_DIRECTIVE) == "replace":
        # kustomize drops the object that the merge makes, and keeps the old one
        return _leave_unchanged
    if target_selector or is_copy:
        patch = _with_texts(patch)
    selects = target_selector.selects if target_selector else _selects_named(patch)

    @cache
    def places() -> list[FieldChange]:
        paths = (
            path for path in _written_paths(patch) if path[:1] not in (("apiVersion",), ("kind",))
        )
        return [FieldChange(document.at(path), path) for path in paths]

    def apply(resource: Resource) -> Resource | None:
        if not selects(resource):
            return resource
        new = _merge(resource.value, patch)
        if new is ABSENT:
            return None
        if options.get("allowNameChange"):
            resource = resource.with_name_remembered()
        new = _keep_names(resource, new, options)
        return resource.with_value(new, places())

    return apply


def _leave_unchanged(resource: Resource) -> Resource:
    return resource


def _with_texts(patch: Mapping[str, Value]) -> dict[str, Value]:
    """The copy of a patch: a null among its labels and annotations is a string.

    kustomize copies them as strings (`CopyMergeMetaDataFieldsFrom`).
    """
    metadata = dict(mapping_at(patch, ("metadata",)))
    for field in ("labels", "annotations"):
        if pairs := mapping_at(metadata, (field,)):
            metadata[field] = {key: "null" if v is None else v for key, v in pairs.items()}
    return {**patch, "metadata": metadata}


def _selects_named(patch: Mapping[str, Value]) -> Callable[[Resource], bool]:
    """Whether an object is the one that a patch names, now or by an earlier name.

    Raises `KustomizeError` if this is not known.
    """
    patch_name = Resource(patch).identity

    def same(resource: Resource) -> bool:
        kind = all(resource.value.get(key) == patch.get(key) for key in ("apiVersion", "kind"))
        if kind and not all(resource.knows("metadata", key) for key in ("name", "namespace")):
            raise KustomizeError("a patch names an object whose name is not known")
        return kind and patch_name in (*resource.earlier_names, resource.identity)

    return same


def _keep_names(
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
    fixed_keys = ("apiVersion",) if options.get("allowKindChange") else ("apiVersion", "kind")
    return {**new, "metadata": metadata, **{key: resource.value.get(key) for key in fixed_keys}}


def _operations(
    document: TextDocument, selects: Callable[[Resource], bool], operations: Sequence[Value]
) -> Transformer:
    def apply(resource: Resource) -> Resource:
        if not selects(resource):
            return resource
        new: Value = resource.value
        for operation in operations:
            if not all(
                resource.knows(*path) for path in patch_operations.paths_read(new, operation)
            ):
                raise KustomizeError("a JSON patch reads a field that is not known")
            new = patch_operations.apply_operation(new, operation)
        if not isinstance(new, dict):
            raise KustomizeError("a JSON patch leaves no mapping")
        if any(new.get(key) != resource.value.get(key) for key in ("apiVersion", "kind")):
            raise KustomizeError("a JSON patch changes the kind")  # later ones may name the old one
        # kustomize keeps the name before each JSON patch, by which later patches still find it
        resource = resource.with_name_remembered()
        changes = []
        for index, operation in enumerate(operations):
            path = tuple(step for step in patch_operations.path_written(operation) if step != "-")
            changes.append(FieldChange(document.at((index,)), path))
        return resource.with_value(new, changes)

    return apply


def strategic_merges(fields: Fields) -> Iterator[Transformer]:
    """`patchesStrategicMerge`, each for the object that it names."""
    for document in _merge_documents(fields):
        yield _strategic(document, None, {}, is_copy=True)


def untargeted_merges(fields: Fields) -> Iterator[TextDocument]:
    """The strategic merge patches for the object that they name, which kustomize has to find."""
    yield from _merge_documents(fields)
    for index, entry in enumerate(list_at(fields.value, ("patches",))):
        if isinstance(entry, dict) and entry.get("target") is None:
            yield from _documents(fields, ("patches", index), entry)


def _merge_documents(fields: Fields) -> Iterator[TextDocument]:
    for index, entry in enumerate(list_at(fields.value, ("patchesStrategicMerge",))):
        path: Path = ("patchesStrategicMerge", index)
        if isinstance(entry, dict):  # a patch in Flux, a file or text in kustomize
            documents: Sequence[TextDocument] = [
                TextDocument(entry, lambda below, path=path: fields.at((*path, *below)))  # type: ignore[misc]
            ]
        elif isinstance(entry, str) and "\n" not in entry:
            documents = fields.read_documents(entry)
        else:
            documents = fields.parse(path, str(entry))
        yield from documents


def json_patches(fields: Fields) -> Iterator[Transformer]:
    """`patchesJson6902`, whose target is like that of a patch, with a name."""
    for index, entry in enumerate(list_at(fields.value, (_JSON_PATCHES,))):
        path: Path = (_JSON_PATCHES, index)
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


def configured_patches(fields: Fields, path: Path, config: Resource) -> Sequence[Transformer]:
    """A `PatchTransformer`, which has the fields of an entry of `patches`.

    A file is named from the directory of the kustomization that lists the transformer.
    """
    if not can_follow(config) or config.value.get("kind") != "PatchTransformer":
        return ()
    place = fields.at(path)
    anchored_fields = replace(fields, at=lambda _: place)
    try:
        return [*_entry_patches(anchored_fields, path, config.value)]
    except KustomizeError:
        return ()


def _merge(old: Value, patch: Value) -> Any:
    """The value with the patch merged into it; `ABSENT` if the patch removes it."""
    if patch is None:
        return ABSENT
    if not isinstance(patch, dict):
        _require_like(old, patch)
        return patch
    directive = patch.get(_DIRECTIVE, "merge")
    if directive == "delete":
        return ABSENT
    if directive not in ("merge", "replace"):
        raise KustomizeError(f"unknown patch directive `{directive}`")
    _require_like(old, patch)
    old_fields = old if isinstance(old, dict) and directive == "merge" else {}
    fields = dict(old_fields)
    for key, value in patch.items():
        if key == _DIRECTIVE:
            continue
        new = _merge(old_fields.get(key, ABSENT), value)
        if new is ABSENT:
            fields.pop(key, None)
        else:
            fields[key] = new
    return fields


def _written_paths(patch: Value, path: Path = ()) -> list[Path]:
    """The paths of the values that a patch sets or removes."""
    if not isinstance(patch, dict) or not patch or _DIRECTIVE in patch:
        return [path]
    return [below for key, value in patch.items() for below in _written_paths(value, (*path, key))]


def _require_like(old: Value, new: Value) -> None:
    """Raise `KustomizeError` if one is a mapping, a list or a scalar and the other is not."""
    if old is ABSENT or old is None:
        return
    mapping = isinstance(old, dict) != isinstance(new, dict)
    if mapping or isinstance(old, list) != isinstance(new, list):
        raise KustomizeError("a patch replaces a value by one of another form")
