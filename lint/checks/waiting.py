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
    """The objects that a declaration waits for: all, or those that are `listed`.

    If it waits for everything, the list does not matter, and the objects that are `passed`, by
    their `apiVersion/kind`, are left out. Otherwise `reason` says why not, and `help` is a sentence
    with advice. `field` is the field with the list, empty if the kind has none. `paths` are the
    fields that decided.
    """

    everything: bool = True
    listed: tuple[Mapping[str, Value], ...] = ()
    reason: str = ""
    help: str = ""
    field: str = ""
    paths: tuple[Path, ...] = ()
    passed: Mapping[str, Unless] = _NONE

    def covers(self, kind: GroupKind) -> bool:
        """Whether it may wait for objects of a kind; an empty kind is any of the group."""
        return self.everything or among(kind, map(group_kind_of, self.listed))

    def looked_at(self, objects: Sequence[Value]) -> list[tuple[Value, Value]]:
        """The objects that it waits for, each with its name.

        A listed object that is not among `objects` is None, like a missing object.
        """
        if self.everything:
            return [(each, each) for each in objects if not self.passing(each)]
        return [(each, _found(each, objects)) for each in self.listed]

    def unplaced(self, objects: Sequence[Value]) -> Value:
        """A listed object that has a namespace, while the list does not say which."""
        listed = () if self.everything else self.listed
        without = [each for each in listed if not text_at(each, _NAMESPACE)]
        found = (_found(each, objects) for each in without)
        return next((each for each in found if text_at(each, _NAMESPACE)), None)

    def passing(self, obj: Value) -> Unless | None:
        """Why it does not wait for this object although it waits for everything."""
        found = self.passed.get("/".join(text_at(obj, (key,)) for key in ("apiVersion", "kind")))
        return found if found and is_met(found, obj) else None


def waiting(value: Mapping[str, Value], kind: Kind | None) -> Waiting:
    """The objects that a declaration waits for: all, unless the catalogue has a reason."""
    path = kind.waited_list if kind else ()
    # An object that is listed twice counts once.
    listed = tuple({_key(each): each for each in map(_named, list_at(value, path))}.values())
    for each in kind.wait_exceptions if kind else ():
        if is_met(each, value):
            first = get(value, next(iter(each.when)))
            reason = each.reason.format("not set" if first is None else str(first).lower())
            return Waiting(
                everything=False,
                listed=listed,
                reason=reason,
                help=each.help,
                field=path[-1],
                paths=(*each.when, path),
            )
    return Waiting(listed=listed, passed=kind.kind_exceptions if kind else {})


def switches(kind: Kind) -> set[Path]:
    """The fields by which a declaration of a kind waits for everything."""
    return {switch for each in kind.wait_exceptions for switch in each.when}


def knows_waits(kind: Kind | None, resource: Resource) -> bool:
    """Whether the repository shows what an object applies and waits for, and its entries.

    The variables of what it applies do not matter.
    """
    if kind is None:
        return False
    applies = applier(kind.group, kind.kind)
    free = applies.variables if applies else ("",)
    deciding = tuple(each for each in resource.unknown if each[: len(free)] != free)
    return replace(resource, unknown=deciding).knows("spec")


def drops_list(kind: Kind | None, resource: Resource) -> bool:
    """Whether a declaration lists objects but certainly waits for everything instead."""
    if kind is None:
        return False
    path, fields = kind.waited_list, switches(kind)
    known = all(resource.knows(*each) for each in (path, *fields))
    on = any(get(resource.value, each) is True for each in fields)
    return known and on and bool(list_at(resource.value, path))


def is_met(unless: Unless, value: Value) -> bool:
    """Whether an object meets the condition for leaving something out."""
    return all(_among(get(value, path), values) for path, values in unless.when.items())


def _among(value: Value, values: Sequence[Value]) -> bool:
    return any(type(each) is type(value) and each == value for each in values)


def _named(entry: Value) -> Mapping[str, Value]:
    """A reference as an object that has only its names."""
    names = {key: text_at(entry, (key,)) for key in ("namespace", "name")}
    kinds = {key: text_at(entry, (key,)) for key in ("apiVersion", "kind")}
    return {**kinds, "metadata": {key: text for key, text in names.items() if text}}


def _key(named: Mapping[str, Value]) -> tuple[GroupKind, str, str]:
    return group_kind_of(named), text_at(named, _NAMESPACE), text_at(named, ("metadata", "name"))


def among(kind: GroupKind, known: Iterable[GroupKind]) -> bool:
    """Whether a kind may be among the known ones; an empty kind stands for any kind of its group.

    A name with an unresolved variable may be anything.
    """
    names = list(known)
    if any("${" in each.group + each.kind for each in (*names, kind)):
        return True
    return any(kind.group == each.group and kind.kind in ("", each.kind) for each in names)


def _found(reference: Mapping[str, Value], objects: Sequence[Value]) -> Value:
    """The first object that a reference names; a namespace missing on one side matches any."""
    return next((each for each in objects if each and _is(reference, each)), None)


def _is(reference: Mapping[str, Value], obj: Value) -> bool:
    spaces = {text_at(each, _NAMESPACE) for each in (reference, obj)} - {""}
    names = {text_at(each, ("metadata", "name")) for each in (reference, obj)}
    return _is_kind(reference, group_kind_of(obj)) and len(names) == 1 and len(spaces) < 2


def _is_kind(reference: Mapping[str, Value], kind: GroupKind) -> bool:
    """Whether the controller finds objects of this kind by a reference; see `is_built_in`."""
    return group_kind_of(reference) in (kind, replace(kind, kind=kind.kind.lower()))
