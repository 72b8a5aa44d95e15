"""A Kubernetes object with the places of its fields."""

from __future__ import annotations

from collections.abc import Mapping

from celvet.lint.manifest.objects.raw_objects import Nesting
from celvet.lint.model import Path, Span, Value, Where
from celvet.record import field, record, replace


@record
class FieldPlace:
    """The position of a part of an object: its path in the object, the place of its value.

    `key` is the place that names the part, if that is not the key of a mapping but the `path` of a
    JSON patch operation.
    """

    path: Path
    where: Where
    key: Where | None = None


@record
class KubeObject:
    """One object of a document.

    `partial` objects are patches: a missing field proves nothing. A `templated` one is rendered by
    the controller of its holder, and not applied like this. `places` has the place of each part by
    its path, the object's own place first; an object written in one piece has only one.
    `unresolved` are the paths of the texts with variables that have no value, with the names of
    these, or with a value that a controller computes, without names; no rule applies to such a
    text.
    """

    value: dict[str, Value]
    nesting: Nesting
    places: Mapping[Path, FieldPlace]
    partial: bool = False
    templated: bool = False
    unresolved: Mapping[Path, tuple[str, ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, value: dict[str, Value]) -> KubeObject:
        """An object that is not in a file: its places are paths in itself."""
        return cls(value, "document", {(): FieldPlace((), Where())})

    @property
    def whole(self) -> bool:
        """Whether it will be applied like this: it is neither a patch nor a template."""
        return not (self.partial or self.templated)

    @property
    def where(self) -> Where:
        """The place of the object as a whole."""
        return self._first.where

    def holds(self, other: KubeObject) -> bool:
        """Whether this object contains another one of the file."""
        outer, inner = self.where, other.where
        is_below = inner.path[: len(outer.path)] == outer.path and outer.path != inner.path
        return outer.document == inner.document and is_below

    def place(self, path: Path, span: Span | None = None, on_key: bool = False) -> Where:
        """The place of the value that is, or would be, at a path of the object."""
        above = (self.places.get(path[:size]) for size in range(len(path), -1, -1))
        field_place = next(filter(None, above), None)
        if field_place is None:
            return self._first.key or self.where
        if on_key and field_place.key and len(path) == len(field_place.path):
            return field_place.key
        return _place_below(field_place.where, path[len(field_place.path) :], span, on_key)

    @property
    def _first(self) -> FieldPlace:
        return next(iter(self.places.values()))


def _place_below(where: Where, path: Path, span: Span | None, on_key: bool) -> Where:
    """A place further down, in the innermost text."""
    if where.inner:
        return replace(where, inner=_place_below(where.inner, path, span, on_key))
    return Where(where.document, where.path + path, span, on_key)
