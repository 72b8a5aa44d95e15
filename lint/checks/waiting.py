"""Which objects the controller of a declaration looks at: the one answer of all commands and rules.

Mirrors `checkHealth` of kustomize-controller v1.9.5 and the wait of helm-controller v1.6.4, as
the catalogue describes them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from celvet.lint.model import GroupKind, Path, Value
from celvet.lint.values import get, group_kind_of, list_at, text_at
from celvet.record import record
from celvet.schemas import Kind
from celvet.schemas.kind import Unless

if TYPE_CHECKING:
    from celvet.lint.kustomize.resource import Resource

_NONE: Mapping[str, Unless] = MappingProxyType({})


@record
class Waiting:
    """For what a declaration waits: for everything, or for the objects `listed`.

    Waiting for everything, it uses no list, even if it has one, but leaves out the objects that
    are `passed`, by their `apiVersion/kind`. If it is not everything, `reason` says why, and `help`
    what to do, as a sentence. `field` is the field in which they are listed, empty if the kind has
    none. `paths` are those of the fields that decided.
    """

    everything: bool = True
    listed: tuple[Mapping[str, Value], ...] = ()
    reason: str = ""
    help: str = ""
    field: str = ""
    paths: tuple[Path, ...] = ()
    passed: Mapping[str, Unless] = _NONE

    def covers(self, kind: GroupKind) -> bool:
        """Whether objects of a kind may be waited for; without a kind, of any of the group."""
        return self.everything or among(kind, map(group_kind_of, self.listed))

    def looked_at(self, objects: Sequence[Value]) -> list[tuple[Value, Value]]:
        """The objects that are waited for, each as it is called and as it is.

        One that is listed and not among those given is None, as is an object that is missing.
        """
        if self.everything:
            return [(each, each) for each in objects if not self.passing(each)]
        return [(each, _found(each, objects)) for each in self.listed]

    def passing(self, obj: Value) -> Unless | None:
        """Why this object is not waited for, although everything is."""
        found = self.passed.get("/".join(text_at(obj, (key,)) for key in ("apiVersion", "kind")))
        return found if found and is_met(found, obj) else None


def waiting(value: Mapping[str, Value], kind: Kind | None) -> Waiting:
    """For what a declaration of a kind waits; for everything unless the catalogue says why not."""
    path = kind.waited_list if kind else ()
    listed = tuple(map(_named, list_at(value, path)))
    for each in kind.unwaited if kind else ():
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
    return Waiting(listed=listed, passed=kind.passed if kind else {})


def switches(kind: Kind) -> set[Path]:
    """The fields by which a declaration of a kind has its controller wait for everything."""
    return {switch for each in kind.unwaited for switch in each.when}


def drops_list(kind: Kind | None, resource: Resource) -> bool:
    """Whether a declaration lists objects and waits for everything instead, for certain."""
    if kind is None:
        return False
    path, fields = kind.waited_list, switches(kind)
    known = all(resource.knows(*each) for each in (path, *fields))
    on = any(get(resource.value, each) is True for each in fields)
    return known and on and bool(list_at(resource.value, path))


def is_met(unless: Unless, value: Value) -> bool:
    """Whether an object is one for which the controller leaves something out."""
    return all(_among(get(value, path), values) for path, values in unless.when.items())


def _among(value: Value, values: Sequence[Value]) -> bool:
    return any(type(each) is type(value) and each == value for each in values)


def _named(entry: Value) -> Mapping[str, Value]:
    """A reference as an object that has nothing but its names."""
    names = {key: text_at(entry, (key,)) for key in ("namespace", "name")}
    kinds = {key: text_at(entry, (key,)) for key in ("apiVersion", "kind")}
    return {**kinds, "metadata": {key: text for key, text in names.items() if text}}


def among(kind: GroupKind, known: Iterable[GroupKind]) -> bool:
    """Whether a kind, or if it is empty any of its group, may be among those that are known.

    A name that waits for a variable may be anything.
    """
    names = list(known)
    if any("${" in each.group + each.kind for each in (*names, kind)):
        return True
    return any(kind.group == each.group and kind.kind in ("", each.kind) for each in names)


def _found(reference: Mapping[str, Value], objects: Sequence[Value]) -> Value:
    """The first object that a reference names; a namespace left open on a side matches any."""
    return next((each for each in objects if each and _is(reference, each)), None)


def _is(reference: Mapping[str, Value], obj: Value) -> bool:
    spaces = {text_at(each, ("metadata", "namespace")) for each in (reference, obj)} - {""}
    names = {text_at(each, ("metadata", "name")) for each in (reference, obj)}
    return group_kind_of(reference) == group_kind_of(obj) and len(names) == 1 and len(spaces) < 2
