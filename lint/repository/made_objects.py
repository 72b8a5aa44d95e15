"""The objects that controllers make of others to apply a repository, as with a FluxInstance."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping
from functools import partial

from celvet.lint.kustomize.resource import Resource, SourcePlace, TextDocument
from celvet.lint.kustomize.transformers import transformers
from celvet.lint.model import Path, Value
from celvet.lint.repository.builds import TransformerGroup, kustomization_fields, transform
from celvet.lint.repository.files import FileObject, Files
from celvet.lint.repository.instance import Instance, Template
from celvet.lint.values import group_kind_of, mapping_at, text_at
from celvet.schemas.applier import applier
from celvet.schemas.maker import Maker, maker


def maker_of(value: Mapping[str, Value]) -> Maker | None:
    """The maker of which this is an object, if its controller makes something of it."""
    group_kind = group_kind_of(value)
    kind = maker(group_kind.group, group_kind.kind)
    return kind if kind and text_at(value, (*kind.spec, *kind.needs)) else None


def made_instances(
    obj: FileObject, resource: Resource, files: Files, by: Instance | None = None
) -> Iterator[Instance]:
    """What applies files because of an object in one of its forms; at most one.

    Its place is that of the field that the controller needs for it.
    """
    kind = maker_of(resource.value)
    if kind is None:
        return
    spec = mapping_at(resource.value, kind.spec)
    metadata = mapping_at(resource.value, ("metadata",))
    value = _filled(kind.object, {"metadata": metadata, "spec": spec})
    path = (*obj.path, *kind.spec, *kind.needs[:-1])
    made_object = FileObject(obj.file, obj.document, path, value)
    made = _patched(made_object, kind, resource, files)
    group_kind = group_kind_of(value)
    applying_kind = applier(group_kind.group, group_kind.kind)
    if made and applying_kind:
        yield Instance(made_object, applying_kind, made, by, Template(obj, resource))


def _patched(obj: FileObject, kind: Maker, resource: Resource, files: Files) -> Resource | None:
    """What is made, after the patches that its maker has for it."""
    path = (*kind.spec, *kind.kustomization)
    if not resource.knows(*kind.spec):
        return Resource(obj.value).with_unknown(())
    patches = mapping_at(resource.value, path).get("patches")
    if not patches:
        return Resource(obj.value)

    def at(below: Path) -> SourcePlace:
        return obj.at((*path, *below))

    document = TextDocument({"patches": patches}, at)
    fields = kustomization_fields(files, posixpath.dirname(obj.file), document)
    make = partial(transformers, [fields], lambda further: (), ())
    return transform(obj.value, [TransformerGroup(make)])


def _filled(part: Value, holder: Mapping[str, Value]) -> dict[str, Value]:
    """What is made, with the texts of its maker."""
    return {
        key: _filled(field, holder) if _is_mapping(field) else _text(field, holder)
        for key, field in mapping_at(part).items()
    }


def _is_mapping(field: Value) -> bool:
    return isinstance(field, dict) and "from" not in field


def _text(field: Value, holder: Mapping[str, Value]) -> Value:
    if not isinstance(field, dict):
        return field
    texts = (text_at(holder, tuple(path.split("."))) for path in field["from"])
    return next(filter(None, texts), field.get("default", ""))
