"""An object during a build."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from celvet.lint.kustomize.errors import KustomizeError
from celvet.lint.model import Path, Value, Where
from celvet.lint.values import get, mapping_at, text_at
from celvet.record import record

_DEFAULT = "default"
"""The namespace that kustomize takes for none (`EffectiveNamespace` of kyaml/resid)."""


class SourcePlace(NamedTuple):
    """A place in a file of the repository."""

    file: str
    where: Where


class TextDocument(NamedTuple):
    """A document of a file or of an inline patch, with the place of a path in it."""

    value: Value
    at: Callable[[Path], SourcePlace]


class FieldChange(NamedTuple):
    """The origin of a field of an object: the place, and the path of the field."""

    place: SourcePlace
    path: Path


class ObjectName(NamedTuple):
    """The name of an object at a stage of a build; selectors match earlier ones too."""

    namespace: str
    name: str


@record
class Resource:
    """An object, and what kustomize remembers about it.

    `earlier_names` has the names before each change, the first one first. `changes` says who wrote
    which field, in order. `unknown` are the paths whose value the repository does not show.

    Each transformer makes another one, and `replace` would take several times as long.
    """

    value: Mapping[str, Value]
    earlier_names: tuple[ObjectName, ...] = ()
    changes: tuple[FieldChange, ...] = ()
    unknown: tuple[Path, ...] = ()

    @property
    def identity(self) -> ObjectName:
        """The names that the object has at this step of the build."""
        namespace = text_at(self.value, ("metadata", "namespace"))
        return ObjectName(namespace or _DEFAULT, text_at(self.value, ("metadata", "name")))

    @property
    def original_name(self) -> ObjectName:
        """The names that the object had in its file."""
        return self.earlier_names[0] if self.earlier_names else self.identity

    def with_name_remembered(self) -> Resource:
        """The object with its present names added to the earlier ones."""
        return Resource(
            self.value, (*self.earlier_names, self.identity), self.changes, self.unknown
        )

    def with_value(self, value: Mapping[str, Value], changes: Iterable[FieldChange]) -> Resource:
        """The object with another value, which differs by these changes."""
        return Resource(value, self.earlier_names, (*self.changes, *changes), self.unknown)

    def with_field(
        self, path: Path, new: Value, place: SourcePlace, *, required_count: int = 0
    ) -> Resource:
        """The object with a value at a path, if its first fields, as many as needed, are there.

        Raises `KustomizeError` if the path leads through something else than a mapping, or an
        element that is there.
        """
        value = _with(self.value, path, new, required_count)
        return self.with_value(value, [FieldChange(place, path)])

    def with_metadata(
        self, field: str, value: Value, place: SourcePlace, *, under: bool = False
    ) -> Resource:
        """The object with a field of its metadata set; `under` adds the entries of a mapping."""
        metadata = mapping_at(self.value, ("metadata",))
        if under:
            new = {**mapping_at(metadata, (field,)), **value}
            paths: list[Path] = [("metadata", field, key) for key in value]
        else:
            new, paths = value, [("metadata", field)]
        changes = [FieldChange(place, path) for path in paths]
        return self.with_value({**self.value, "metadata": {**metadata, field: new}}, changes)

    def with_affixes(self, prefix: str, suffix: str, place: SourcePlace) -> Resource:
        """The object with a prefix and a suffix around its name."""
        name = f"{prefix}{self.identity.name}{suffix}"
        return self.with_name_remembered().with_metadata("name", name, place)

    def with_unknown(self, *paths: Path) -> Resource:
        """The object with further paths whose value is unknown."""
        return Resource(self.value, self.earlier_names, self.changes, (*self.unknown, *paths))

    def knows(self, *path: str | int) -> bool:
        """Whether nothing at a path, above it or below it is unknown."""
        return not any(path[: len(unknown)] == unknown[: len(path)] for unknown in self.unknown)

    def last_writer(self, *path: str | int) -> SourcePlace | None:
        """The last writer of the value at a path; None if it is the object's own."""
        for change in reversed(self.changes):
            if path[: len(change.path)] == change.path[: len(path)]:
                return change.place
        return None


def _with(value: Value, path: Path, new: Value, required_count: int) -> Any:
    """A copy of a value with another one at a path; mappings that are not there are made."""
    if not path:
        return new
    step, below = path[0], path[1:]
    if isinstance(step, int):
        return [*value[:step], _with(value[step], below, new, required_count), *value[step + 1 :]]
    if value is not None and not isinstance(value, Mapping):
        raise KustomizeError(f"there is no mapping with `{step}`")
    inner = get(value, (step,))
    if required_count > 0 and inner is None:
        return dict(value or {})
    return {**(value or {}), step: _with(inner, below, new, required_count - 1)}


def lack_of_object(value: Value) -> str:
    """The field without which a value is no object for kustomize; a patch needs it too.

    Mirrors `GetValidatedMetadata` of kyaml 0.21.2 (yaml/rnode.go).
    """
    fields = value if isinstance(value, dict) else {}
    kind, metadata = fields.get("kind"), fields.get("metadata")
    if not kind:
        return "kind"
    name = metadata.get("name") if isinstance(metadata, dict) else None
    is_list = isinstance(kind, str) and kind.endswith("List")
    return "" if is_list or name not in (None, "") else "metadata.name"
