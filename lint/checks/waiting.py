"""The objects that the controller of a declaration waits for, for all commands and rules.

Mirrors `checkHealth` of kustomize-controller v1.9.5 and the wait of helm-controller v1.6.4, as
the catalogue describes them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from celvet.lint.model import GroupKind, Path, Value
from celvet.lint.values import get, group_kind_of, list_at, text_at
from celvet.record import record, replace
from celvet.schemas import Kind
from celvet.schemas.applier import applier
from celvet.schemas.kind import Unless

if TYPE_CHECKING:
    from celvet.lint.kustomize.resource import Resource

_NONE: Mapping[str, Unless] = MappingProxyType({})
_NAMESPACE = ("metadata", "namespace")


@record
class Waiting:
    """The objects that a declaration waits for: all, or those that are `listed_objects`.

    If it waits for everything, the list does not matter, and the objects in `exceptions`, by
    their `apiVersion/kind`, are left out. Otherwise `reason` says why not, and `help` is a sentence
    with advice. `field` is the field with the list, empty if the kind has none. `paths` are the
    fields that decided, and `place` is the one in another file that set them, as messages name it.
    """

    everything: bool = True
    listed_objects: tuple[Mapping[str, Value], ...] = ()
    reason: str = ""
    help: str = ""
    field: str = ""
    paths: tuple[Path, ...] = ()
    place: str = ""
    exceptions: Mapping[str, Unless] = _NONE

    @property
    def is_empty(self) -> bool:
        """Whether it waits for nothing."""
        return not self.everything and not self.listed_objects

    def covers(self, kind: GroupKind) -> bool:
        """Whether it may wait for objects of a kind; an empty kind is any of the group."""
        return self.everything or among(kind, map(group_kind_of, self.listed_objects))

    def find_objects(self, objects: Sequence[Value]) -> list[tuple[Value, Value]]:
        """The objects that it waits for, each with its name.

        A listed object that is not among `objects` is None, like a missing object.
        """
        if self.everything:
            return [(obj, obj) for obj in objects if not self.exception_for(obj)]
        return [(reference, _find(reference, objects)) for reference in self.listed_objects]

    def object_of_unknown_namespace(self, objects: Sequence[Value]) -> Value:
        """A listed object that has a namespace, while the list does not say which."""
        references = () if self.everything else self.listed_objects
        without = [reference for reference in references if not text_at(reference, _NAMESPACE)]
        matches = (_find(reference, objects) for reference in without)
        return next((obj for obj in matches if text_at(obj, _NAMESPACE)), None)

    def exception_for(self, obj: Value) -> Unless | None:
        """Why it does not wait for this object although it waits for everything."""
        unless = self.exceptions.get(
            "/".join(text_at(obj, (key,)) for key in ("apiVersion", "kind"))
        )
        return unless if unless and is_met(unless, obj) else None


def waiting(value: Mapping[str, Value], kind: Kind | None) -> Waiting:
    """The objects that a declaration waits for: all, unless the catalogue has a reason."""
    path = kind.waited_list if kind else ()
    # An object that is listed twice counts once.
    references = tuple(
        {_key(reference): reference for reference in map(_as_object, list_at(value, path))}.values()
    )
    for unless in kind.wait_exceptions if kind else ():
        if is_met(unless, value):
            switch_value = get(value, next(iter(unless.when)))
            reason = unless.reason.format(
                "not set" if switch_value is None else str(switch_value).lower()
            )
            return Waiting(
                everything=False,
                listed_objects=references,
                reason=reason,
                help=unless.help,
                field=path[-1],
                paths=(*unless.when, path),
            )
    return Waiting(listed_objects=references, exceptions=kind.kind_exceptions if kind else {})


def switches(kind: Kind) -> set[Path]:
    """The fields by which a declaration of a kind waits for everything."""
    return {switch for unless in kind.wait_exceptions for switch in unless.when}


def knows_waits(kind: Kind | None, resource: Resource) -> bool:
    """Whether the repository shows what an object applies and waits for, and its entries.

    The variables of what it applies do not matter.
    """
    if kind is None:
        return False
    applies = applier(kind.group, kind.kind)
    unknown = resource.unknown
    if applies:
        unknown = tuple(path for path in unknown if not below(path, applies.variables))
    return replace(resource, unknown=unknown).knows("spec")


def below(path: Path, prefix: Path) -> bool:
    """Whether a path is a prefix or leads below it."""
    return path[: len(prefix)] == prefix


def drops_list(kind: Kind | None, resource: Resource) -> bool:
    """Whether a declaration lists objects but certainly waits for everything instead."""
    if kind is None:
        return False
    path, fields = kind.waited_list, switches(kind)
    is_known = all(resource.knows(*path) for path in (path, *fields))
    on = any(get(resource.value, path) is True for path in fields)
    return is_known and on and bool(list_at(resource.value, path))


def is_met(unless: Unless, value: Value) -> bool:
    """Whether an object meets the condition for leaving something out."""
    return all(_among(get(value, path), values) for path, values in unless.when.items())


def _among(value: Value, values: Sequence[Value]) -> bool:
    return any(type(candidate) is type(value) and candidate == value for candidate in values)


def _as_object(entry: Value) -> Mapping[str, Value]:
    """A reference as an object that has only its names."""
    names = {key: text_at(entry, (key,)) for key in ("namespace", "name")}
    kinds = {key: text_at(entry, (key,)) for key in ("apiVersion", "kind")}
    return {**kinds, "metadata": {key: text for key, text in names.items() if text}}


def _key(reference: Mapping[str, Value]) -> tuple[GroupKind, str, str]:
    return (
        group_kind_of(reference),
        text_at(reference, _NAMESPACE),
        text_at(reference, ("metadata", "name")),
    )


def among(kind: GroupKind, kinds: Iterable[GroupKind]) -> bool:
    """Whether a kind may be among the known ones; an empty kind stands for any kind of its group.

    A name with an unresolved variable may be anything.
    """
    names = list(kinds)
    if any("${" in candidate.group + candidate.kind for candidate in (*names, kind)):
        return True
    return any(
        kind.group == candidate.group and kind.kind in ("", candidate.kind) for candidate in names
    )


def _find(reference: Mapping[str, Value], objects: Sequence[Value]) -> Value:
    """The first object that a reference names; a namespace missing on one side matches any."""
    return next((obj for obj in objects if obj and _is(reference, obj)), None)


def _is(reference: Mapping[str, Value], obj: Value) -> bool:
    spaces = {text_at(mapping, _NAMESPACE) for mapping in (reference, obj)} - {""}
    names = {text_at(mapping, ("metadata", "name")) for mapping in (reference, obj)}
    return _is_kind(reference, group_kind_of(obj)) and len(names) == 1 and len(spaces) < 2


def _is_kind(reference: Mapping[str, Value], kind: GroupKind) -> bool:
    """Whether the controller finds objects of this kind by a reference; see `is_built_in`."""
    return group_kind_of(reference) in (kind, kind._replace(kind=kind.kind.lower()))
