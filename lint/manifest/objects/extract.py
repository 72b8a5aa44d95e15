"""The Kubernetes objects of a document, including those in patches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from celvet.lint.manifest.document import Document, Manifest
from celvet.lint.manifest.objects.kube_object import FieldPlace, KubeObject
from celvet.lint.manifest.objects.patch_operations import assemble
from celvet.lint.manifest.objects.patches import Patch, patches
from celvet.lint.manifest.objects.raw_objects import Nesting, RawObject, is_named, raw_objects
from celvet.lint.model import Path, Value, Where
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
    return (found for found in all_objects(manifest) if found.whole)


def patch_objects(manifest: Manifest, target: Mapping[str, str]) -> Iterator[KubeObject]:
    """The objects of a file that is a patch, all partial.

    `target` has the `kind` and `apiVersion` that the patch is for, if they are known.
    """
    for document in manifest.documents:
        given = {name: (text, Where(document.index)) for name, text in target.items()}
        yield from _Source(document, patch=True).patched(given)


_Given: TypeAlias = dict[str, tuple[str, Where]]
"""The fields that a patch's target gives, each with its text and place."""


@record
class _Source:
    """A document, and the documents and paths of the scalars around it whose text it is.

    `patch` says that it is not an object to be applied.
    """

    document: Document
    outer: tuple[tuple[int, Path], ...] = ()
    patch: bool = False

    def patched(self, given: _Given) -> Iterator[KubeObject]:
        """The content of this document, a patch or its operations."""
        if isinstance(self.document.value, list):
            yield from self._json_patched(self.document.value, (), given)
        else:
            yield from self.objects(given)

    def objects(self, given: _Given) -> Iterator[KubeObject]:
        """The objects of this document; recursion is bounded by how deep texts were read."""
        for part in raw_objects(self.document.value):
            made = self._object(part, given)
            if made:
                yield made
            for patch in () if part.templated else patches(part.value):
                yield from self._patched(part, patch)

    def _object(self, part: RawObject, given: _Given) -> KubeObject | None:
        places: dict[Path, FieldPlace] = {(): FieldPlace((), self._where(part.path))}
        if self.patch and part.nesting != "held":
            return self._partial(part.value, places, given)
        if not is_named(part.value):
            return None
        made = self._made(part.value, part.nesting, places)
        computed = dict.fromkeys(_texts_with(part.value, part.computed), ())
        unresolved = {**computed, **made.unresolved}
        return replace(made, templated=part.templated, unresolved=unresolved)

    def _patched(self, part: RawObject, patch: Patch) -> Iterator[KubeObject]:
        """The content of a patch."""
        path = part.path + patch.path
        given = {
            name: (text, self._where(part.path + place))
            for name, (text, place) in patch.target.items()
        }
        if isinstance(patch.body, dict):
            yield self._partial(patch.body, {(): FieldPlace((), self._where(path))}, given)
        if isinstance(patch.body, list):
            yield from self._json_patched(patch.body, path, given)
        manifest = self.document.inner.get(path)
        for document in manifest.documents if manifest else ():
            outer = (*self.outer, (self.document.index, path))
            yield from _Source(document, outer, patch=True).patched(given)

    def _json_patched(
        self, operations: list[Value], at: Path, given: _Given
    ) -> Iterator[KubeObject]:
        """The object that the operations of a JSON patch write a part of."""
        value, written = assemble(operations)
        if isinstance(value, dict):
            places = {
                path: FieldPlace(
                    path, self._where((*at, number, "value")), self._where((*at, number, "path"))
                )
                for path, number in written
            }
            yield self._partial(value, places, given)

    def _partial(
        self, value: dict[str, Value], places: dict[Path, FieldPlace], given: _Given
    ) -> KubeObject:
        """The object of a patch, completed with the fields of its target."""
        made = self._made(value, "patch", places)
        lacking = {name: found for name, found in given.items() if name not in value}
        added = {name: text for name, (text, _) in lacking.items()}
        known: dict[Path, FieldPlace] = {
            (name,): FieldPlace((name,), where) for name, (_, where) in lacking.items()
        }
        return replace(made, value=added | value, places={**places, **known}, partial=True)

    def _made(
        self,
        value: dict[str, Value],
        nesting: Nesting,
        places: Mapping[Path, FieldPlace],
    ) -> KubeObject:
        made = KubeObject(value, nesting, places)
        waiting = self.document.unresolved
        if not waiting:
            return made
        texts = _texts_with(value, "${")
        found = ((path, waiting.get(_innermost(made.place(path)))) for path in texts)
        return replace(made, unresolved={path: names for path, names in found if names})

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
    """The paths of the texts that hold another one; none hold the empty text."""
    stack: list[tuple[Path, Value]] = [((), value)] if wanted else []
    while stack:
        path, part = stack.pop()
        if isinstance(part, str) and wanted in part:
            yield path
        elif isinstance(part, dict):
            stack += (((*path, name), child) for name, child in part.items())
        elif isinstance(part, list):
            stack += (((*path, index), child) for index, child in enumerate(part))
