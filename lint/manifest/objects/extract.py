"""The Kubernetes objects of a document, including those in patches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from celvet.lint.go.kustomize_scalars import may_differ
from celvet.lint.manifest.document import Document, Manifest
from celvet.lint.manifest.objects.held import Embedded, embedded, holder_of
from celvet.lint.manifest.objects.kube_object import FieldPlace, KubeObject
from celvet.lint.manifest.objects.patch_operations import assemble
from celvet.lint.manifest.objects.patches import Patch, patches
from celvet.lint.manifest.objects.raw_objects import Nesting, RawObject, is_named, raw_objects
from celvet.lint.model import Path, Value, Where
from celvet.lint.values import parts_in
from celvet.record import record, replace


def objects_in(document: Document) -> Iterator[KubeObject]:
    """Yield the objects of a document.

    A list of any kind gives its items, an object that holds others gives those too,
    and its inline patches as partial objects after it. A mapping is an object if it
    has a `kind` or an `apiVersion`; a patch, if it is a mapping.
    """
    yield from _Source(document).objects({})


def all_objects(manifest: Manifest) -> Iterator[KubeObject]:
    """The objects of a file, patches and templates included."""
    for document in manifest.documents:
        yield from objects_in(document)


def whole_objects(manifest: Manifest) -> Iterator[KubeObject]:
    """The objects of a file that are neither patches nor templates."""
    return (obj for obj in all_objects(manifest) if obj.whole)


def patch_objects(manifest: Manifest, target: Mapping[str, str]) -> Iterator[KubeObject]:
    """The objects of a file that is a patch, all partial.

    `target` has the `kind` and `apiVersion` that the patch is for, if they are known.
    """
    for document in _documents_for_kustomize(manifest):
        target_fields = {name: (text, Where(document.index)) for name, text in target.items()}
        yield from _Source(document, patch=True).patch_objects(target_fields)


def _documents_for_kustomize(manifest: Manifest) -> Iterator[Document]:
    """The documents of a patch, which nobody but kustomize reads: `yes` is a text there."""
    differs = may_differ(manifest.text)
    for document in manifest.documents:
        value = document.value_for_kustomize() if differs else document.value
        yield document if value is document.value else replace(document, value=value)


_TargetFields: TypeAlias = dict[str, tuple[str, Where]]
"""The fields that a patch's target gives, each with its text and place."""


@record
class _Source:
    """A document, and the documents and paths of the scalars around it whose text it is.

    `patch` says that it is not an object to be applied.
    """

    document: Document
    outer: tuple[tuple[int, Path], ...] = ()
    patch: bool = False

    def patch_objects(self, target_fields: _TargetFields) -> Iterator[KubeObject]:
        """The objects that this document, a patch or its operations, writes a part of."""
        if isinstance(self.document.value, list):
            yield from self._object_of_operations(self.document.value, (), target_fields)
        else:
            yield from self.objects(target_fields)

    def objects(self, target_fields: _TargetFields) -> Iterator[KubeObject]:
        """The objects of this document; recursion is bounded by how deep texts were read."""
        for part in raw_objects(self.document.value):
            obj = self._object(part, target_fields)
            if obj:
                yield obj
            for patch in () if part.templated else patches(part.value):
                yield from self._objects_of_patch(part, patch)
            for item in () if part.templated else embedded(part.value):
                yield from self._objects_embedded(part, item)

    def _objects_embedded(self, part: RawObject, item: Embedded) -> Iterator[KubeObject]:
        """The objects of a text, or the one of which there is only a field."""
        path, holder = part.path + item.path, holder_of(part.value)
        if isinstance(item.value, dict):
            places: dict[Path, FieldPlace] = {
                (): FieldPlace((), self._where(part.path)),
                (item.field,): FieldPlace((item.field,), self._where(path)),
            }
            yield self._build(item.value, "held", places)
        manifest = self.document.inner.get(path)
        for document in manifest.documents if manifest else ():
            outer = (*self.outer, (self.document.index, path))
            for obj in _Source(document, outer).objects({}):
                texts = dict.fromkeys(_texts_with(obj.value, holder.computed if holder else ""), ())
                yield replace(obj, unresolved={**texts, **obj.unresolved})

    def _object(self, part: RawObject, target_fields: _TargetFields) -> KubeObject | None:
        places: dict[Path, FieldPlace] = {(): FieldPlace((), self._where(part.path))}
        if self.patch and part.nesting != "held":
            return self._partial_object(part.value, places, target_fields)
        if not is_named(part.value):
            return None
        obj = self._build(part.value, part.nesting, places)
        computed_texts = dict.fromkeys(_texts_with(part.value, part.computed), ())
        unresolved_texts = {**computed_texts, **obj.unresolved}
        return replace(obj, templated=part.templated, unresolved=unresolved_texts)

    def _objects_of_patch(self, part: RawObject, patch: Patch) -> Iterator[KubeObject]:
        """The objects that an inline patch of an object writes a part of."""
        path = part.path + patch.path
        target_fields = {
            name: (text, self._where(part.path + place))
            for name, (text, place) in patch.target.items()
        }
        if isinstance(patch.body, dict):
            yield self._partial_object(
                patch.body, {(): FieldPlace((), self._where(path))}, target_fields
            )
        if isinstance(patch.body, list):
            yield from self._object_of_operations(patch.body, path, target_fields)
        # A patch in a text is a manifest of its own, with places within the text.
        manifest = self.document.inner.get(path)
        for document in _documents_for_kustomize(manifest) if manifest else ():
            outer = (*self.outer, (self.document.index, path))
            yield from _Source(document, outer, patch=True).patch_objects(target_fields)

    def _object_of_operations(
        self, operations: list[Value], at: Path, target_fields: _TargetFields
    ) -> Iterator[KubeObject]:
        """The object that the operations of a JSON patch write a part of."""
        value, writes = assemble(operations)
        if isinstance(value, dict):
            places = {
                path: FieldPlace(
                    path, self._where((*at, number, "value")), self._where((*at, number, "path"))
                )
                for path, number in writes
            }
            yield self._partial_object(value, places, target_fields)

    def _partial_object(
        self, value: dict[str, Value], places: dict[Path, FieldPlace], target_fields: _TargetFields
    ) -> KubeObject:
        """The object of a patch, completed with the fields of its target."""
        # A field that the patch leaves out is that of its target, which has a place of its own.
        obj = self._build(value, "patch", places)
        absent_fields = {
            name: text_and_place
            for name, text_and_place in target_fields.items()
            if name not in value
        }
        values = {name: text for name, (text, _) in absent_fields.items()}
        target_places: dict[Path, FieldPlace] = {
            (name,): FieldPlace((name,), where) for name, (_, where) in absent_fields.items()
        }
        return replace(obj, value=values | value, places={**places, **target_places}, partial=True)

    def _build(
        self, value: dict[str, Value], nesting: Nesting, places: Mapping[Path, FieldPlace]
    ) -> KubeObject:
        obj = KubeObject(value, nesting, places)
        # Paths of a document become paths of the object, which may be in an inner text.
        waiting_scalars = self.document.unresolved
        if not waiting_scalars:
            return obj
        texts = _texts_with(value, "${")
        names_by_path = ((path, waiting_scalars.get(_innermost(obj.place(path)))) for path in texts)
        return replace(obj, unresolved={path: names for path, names in names_by_path if names})

    def _where(self, path: Path) -> Where:
        """The place in the file of a path of this document."""
        where = Where(self.document.index, path)
        for index, outer in reversed(self.outer):
            where = Where(index, outer, inner=where)
        return where


def _innermost(where: Where) -> Path:
    while where.inner:
        where = where.inner
    return where.path


def _texts_with(value: Value, wanted: str) -> Iterator[Path]:
    """The paths of the texts in a value that contain `wanted`; none contain the empty text."""
    parts = parts_in(value) if wanted else ()
    return (path for path, part in parts if isinstance(part, str) and wanted in part)
