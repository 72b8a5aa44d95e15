"""The objects of a cluster at one time, by name, kind, owner and label."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from typing import Any, TypeAlias, TypeVar

from celvet.lint.model import GroupKind, ObjectRef, Value
from celvet.lint.values import get, list_at, mapping_at, object_ref_of, text_at
from celvet.lint.verdicts.unstructured import timestamp
from celvet.record import field, record
from celvet.schemas.kind_files import is_built_in
from celvet.schemas.live.holding import ConditionTest, FieldPath

T = TypeVar("T")
Key: TypeAlias = tuple[str, str, str, str]
"""The identity of an object in a cluster: group, kind, namespace, name."""

_DEFINITION = GroupKind("apiextensions.k8s.io", "CustomResourceDefinition")
_CONTAINERS = ("spec", "template", "spec", "containers")
_EVENTS = frozenset({GroupKind("", "Event"), GroupKind("events.k8s.io", "Event")})


def key_of(reference: ObjectRef) -> Key:
    """The identity that a reference names; the version does not matter."""
    group = reference.api_version.rpartition("/")[0]
    return group, reference.kind, reference.namespace, reference.name


@record
class LiveEvent:
    """An Event about an object: its reason, its message, and when it was last seen."""

    reason: str
    message: str
    type: str
    last: datetime | None


@record
class Condition:
    """A condition of an object; `since` is its last transition, `generation` that of the object."""

    type: str
    status: str
    reason: str
    message: str
    since: datetime | None
    generation: int | None = None
    severity: str = ""

    def fields(self) -> dict[str, str]:
        """The texts of the condition, by the names of their fields."""
        return {"status": self.status, "reason": self.reason, "message": self.message}


@record(slots=False, eq=False)
class Snapshot:
    """Objects by kind and name; `notes` say what could not be read.

    `unread` are the kinds of which objects may exist that are not here; None if that is not known.
    `memory` has what was computed of objects, and is shared by snapshots of one time. `superseded`
    are older versions of objects, in their order.
    """

    by_kind: Mapping[GroupKind, Mapping[Key, Mapping[str, Value]]]
    notes: Sequence[str] = field(default_factory=tuple)
    unread: frozenset[GroupKind] | None = None
    memory: dict[object, tuple[object, Any]] = field(default_factory=dict)
    superseded: Sequence[Mapping[str, Value]] = field(default_factory=tuple)

    def remember(self, what: str, obj: Mapping[str, Value], compute: Callable[[], T]) -> T:
        """What was computed of an object; anew if another version of it is here."""
        name = (what, key_of(object_ref_of(obj)))
        entry = self.memory.get(name)
        if entry is None or entry[0] is not obj:
            entry = self.memory[name] = (obj, compute())
        result: T = entry[1]
        return result

    @classmethod
    def of(cls, objects: Iterable[Mapping[str, Value]]) -> Snapshot:
        """The snapshot of some objects; of two with one name, the last counts."""
        by_kind: dict[GroupKind, dict[Key, Mapping[str, Value]]] = defaultdict(dict)
        superseded = []
        for obj in objects:
            reference = object_ref_of(obj)
            named, key = by_kind[reference.group_kind], key_of(reference)
            if key in named:
                superseded.append(named[key])
            named[key] = obj
        return cls(by_kind, superseded=superseded)

    @property
    def objects(self) -> Sequence[Mapping[str, Value]]:
        """All objects, kind by kind."""
        return [obj for objects in self.by_kind.values() for obj in objects.values()]

    @cached_property
    def _by_owner(self) -> Mapping[str, list[Mapping[str, Value]]]:
        by_owner: dict[str, list[Mapping[str, Value]]] = defaultdict(list)
        for obj in self.objects:
            for owner in list_at(obj, ("metadata", "ownerReferences")):
                by_owner[text_at(owner, ("uid",))].append(obj)
        return by_owner

    @cached_property
    def _events(self) -> Mapping[Key, list[LiveEvent]]:
        by_object: dict[Key, list[LiveEvent]] = defaultdict(list)
        for kind in _EVENTS:
            for obj in self.of_kind(kind):
                about = mapping_at(obj, ("involvedObject",)) or mapping_at(obj, ("regarding",))
                reference = ObjectRef(
                    *(
                        text_at(about, (name,))
                        for name in ("apiVersion", "kind", "namespace", "name")
                    )
                )
                by_object[key_of(reference)].append(_event(obj))
        return by_object

    def find(self, reference: ObjectRef) -> Mapping[str, Value] | None:
        """The object of a reference, None if it is not there."""
        return self.by_kind.get(reference.group_kind, {}).get(key_of(reference))

    def covers(self, kind: GroupKind) -> bool:
        """Whether an object of a kind that is not here does not exist.

        A file has the objects of some kinds: those with an object or a definition in it, and, if it
        has definitions, custom kinds without one.
        """
        if self.unread is not None:
            return kind not in self.unread
        if kind in self.by_kind or kind in self._defined_kinds:
            return True
        # With the definitions of a cluster, a custom kind that has none is not in it.
        return bool(self._defined_kinds) and not is_built_in(kind.group, kind.kind)

    @cached_property
    def _defined_kinds(self) -> frozenset[GroupKind]:
        return frozenset(
            GroupKind(text_at(obj, ("spec", "group")), text_at(obj, ("spec", "names", "kind")))
            for obj in self.of_kind(_DEFINITION)
        )

    def of_kind(self, kind: GroupKind) -> Iterable[Mapping[str, Value]]:
        """All objects of a kind."""
        return self.by_kind.get(kind, {}).values()

    def owned_by(self, obj: Mapping[str, Value]) -> Iterator[Mapping[str, Value]]:
        """The objects that an object owns, and those that they own in turn."""
        pending, uids = [obj], set[str]()
        while pending:
            uid = text_at(pending.pop(), ("metadata", "uid"))
            if uid and uid not in uids:
                uids.add(uid)
                owned_objects = self._by_owner.get(uid, ())
                yield from owned_objects
                pending.extend(owned_objects)

    def events(self, obj: Mapping[str, Value]) -> Sequence[LiveEvent]:
        """The Events about an object, the latest first."""
        events = self._events.get(key_of(object_ref_of(obj)), ())
        return sorted(
            events, key=lambda event: event.last.timestamp() if event.last else 0, reverse=True
        )

    def labelled(self, labels: Mapping[str, str]) -> Sequence[Mapping[str, Value]]:
        """The objects that have labels with these values; none without labels."""
        if not labels:
            return []
        (label, value), *other_labels = labels.items()
        return [
            obj
            for obj in self._by_label(label).get(value, ())
            if all(get(obj, ("metadata", "labels", name)) == text for name, text in other_labels)
        ]

    def option(self, controller: str, name: str) -> str:
        """The value of an option of a controller; empty if it is not given, or differs by shard."""
        values = self._options.get((controller, name), ())
        return next(iter(values)) if len(values) == 1 else ""

    @cached_property
    def _options(self) -> Mapping[tuple[str, str], set[str]]:
        """The options in the arguments of containers, by the name of their image."""
        options: dict[tuple[str, str], set[str]] = defaultdict(set)
        for obj in self.objects:
            for container in list_at(obj, _CONTAINERS):
                image = text_at(container, ("image",)).partition("@")[0].rpartition("/")[2]
                for argument in list_at(container, ("args",)):
                    if isinstance(argument, str):
                        name, _, value = argument.partition("=")
                        options[image.partition(":")[0], name].add(value)
        return options

    @cached_property
    def _label_indices(self) -> dict[str, dict[str, list[Mapping[str, Value]]]]:
        return {}

    def _by_label(self, name: str) -> Mapping[str, list[Mapping[str, Value]]]:
        if name not in self._label_indices:
            index: dict[str, list[Mapping[str, Value]]] = defaultdict(list)
            for obj in self.objects:
                if value := text_at(obj, ("metadata", "labels", name)):
                    index[value].append(obj)
            self._label_indices[name] = index
        return self._label_indices[name]


def unequal_generations(obj: Value) -> tuple[Value, Value] | None:
    """The generation and the observed one of an object whose controller has yet to see a change."""
    generation = get(obj, ("metadata", "generation"))
    observed = get(obj, ("status", "observedGeneration"))
    # Argo Rollouts writes it as a text.
    is_unequal = None not in (generation, observed) and str(generation) != str(observed)
    return (generation, observed) if is_unequal else None


def conditions_of(obj: Value) -> Mapping[str, Condition]:
    """The conditions in the status of an object, by type."""
    return conditions_in(list_at(obj, ("status", "conditions")))


def conditions_in(items: Iterable[Value]) -> Mapping[str, Condition]:
    """The conditions of a list, by type."""
    return {condition.type: condition for condition in map(_condition, items) if condition.type}


def meets(
    tests: Iterable[ConditionTest], value: Value, conditions: Mapping[str, Condition]
) -> bool:
    """Whether an object with these conditions is as all tests want it."""
    return all(
        any(test.accepts({"status": text}) for text in texts_at(value, test.at))
        if test.at
        else test.type in conditions and test.accepts(conditions[test.type].fields())
        for test in tests
    )


def values_at(value: Value, path: FieldPath) -> Iterator[Value]:
    """The value at a path, None without one; `*` stands for each element of a list."""
    if "*" not in path:
        yield get(value, path)
        return
    index = path.index("*")
    for item in list_at(value, path[:index]):
        yield from values_at(item, path[index + 1 :])


def texts_at(value: Value, path: FieldPath) -> Iterator[str]:
    """The texts at a path, empty for anything else; `*` stands for each element of a list."""
    return (text_at(item, ()) for item in values_at(value, path))


def time_at(obj: Value, path: Sequence[str | int]) -> datetime | None:
    """The time at a path, None for anything else."""
    return timestamp(text_at(obj, path))


def latest(times: Iterable[datetime | None]) -> datetime | None:
    """The latest of the times that are there."""
    return max(filter(None, times), default=None)


def _condition(item: Value) -> Condition:
    texts = {name: text_at(item, (name,)) for name in ("type", "status", "reason", "message")}
    generation = get(item, ("observedGeneration",))
    return Condition(
        **texts,
        since=time_at(item, ("lastTransitionTime",)),
        generation=generation if isinstance(generation, int) else None,
        severity=text_at(item, ("severity",)),
    )


def _event(obj: Value) -> LiveEvent:
    paths = (("series", "lastObservedTime"), ("lastTimestamp",), ("deprecatedLastTimestamp",))
    last_time = latest(time_at(obj, path) for path in paths) or latest(
        time_at(obj, path) for path in (("eventTime",), ("metadata", "creationTimestamp"))
    )
    message = text_at(obj, ("message",)) or text_at(obj, ("note",))
    return LiveEvent(text_at(obj, ("reason",)), message, text_at(obj, ("type",)), last_time)
