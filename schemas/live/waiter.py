"""The kinds that wait for others in a cluster, as `waiters/<Kind>.json` has them.

Each file has the states of such an object by its conditions: the verdict, what holds it up, and
when its controller acts next. Without states, the entry of the catalogue for the kind tells the
verdict. It also says where an object names its sources and what it has applied.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from celvet.record import field, record
from celvet.schemas.live.holding import (
    ConditionTest,
    FieldPath,
    HeldList,
    HoldingCheck,
    KindSource,
    path_of,
    read_check,
    read_list,
    read_source,
    read_test,
)

_DIRECTORY = Path(__file__).parent / "waiters"


@record
class NextEvent:
    """When the controller acts next.

    The latest time of `since` counts: of a condition, of an Event with a reason, or at a path.
    `after` has terms of which the first with a value counts: words of the message before a
    duration, an option of the controller, a path, a duration, or `timeout` for that of the wait.
    With `repeats` it goes on until the time is in the future. `backoff` is the first delay and the
    longest; each is double the one before, and `failures` the path of their number. The
    controllers' first delay follows on the finalizer; a success, after which there is something at
    `success`, begins anew.
    """

    event: str
    since: tuple[str, ...]
    after: tuple[str, ...] = ()
    repeats: bool = False
    jitter: float = 0.0
    backoff: tuple[str, ...] = ()
    failures: FieldPath = ()
    success: FieldPath = ()


@record
class WaiterState:
    """A state: what the conditions are, the verdict, what holds the object up, what comes next.

    `cause` is `expression`, `dependency`, `source`, `build`, `apply`, `helm` or `health`; empty if
    nothing holds it up, or nobody can tell yet.
    """

    when: tuple[ConditionTest, ...]
    verdict: str
    cause: str
    next: NextEvent | None = None


@record
class SourceField:
    """Where an object names a source: a reference at `path`, or `namespace/name` at `name`.

    `through` is the path of the reference from which the controller makes that source.
    """

    group: str
    path: FieldPath = ()
    name: FieldPath = ()
    kind: str = ""
    through: FieldPath = ()


@record
class Elsewhere:
    """Where an object names the cluster that it is about: the first of `paths` with a value.

    `local_values` are those that mean its own cluster, or the absence of a value if it is empty.
    """

    paths: tuple[FieldPath, ...] = ()
    local_values: tuple[str, ...] = ()


@record
class WaiterKind:
    """A kind that waits; each field is a path in the object.

    `suspended_values` are the values at `suspended` that switch the controller off. `labels` are
    those that the controller puts on what it applies, with the name, the namespace and the kind of
    its owner. With `late_inventory`, the controller writes the inventory only when its wait is
    over. `deletion` is what comes next for one that is deleted. `message` is where its controller
    tells more than in conditions. `holds` lists what it holds, and
    `check` says where the expressions about that are; `definition` is the group, the kind and the
    name of the object that defines the kind, if there is one.
    """

    group: str
    version: str
    kind: str
    plural: str
    states: tuple[WaiterState, ...] = ()
    short: tuple[str, ...] = ()
    controller: str = ""
    suspended: FieldPath = ()
    suspended_values: tuple[Any, ...] = ()
    sources: tuple[SourceField, ...] = ()
    revision: FieldPath = ()
    inventory: FieldPath = ()
    elsewhere: Elsewhere = Elsewhere()
    labels: Mapping[str, str] = field(default_factory=dict)
    late_inventory: bool = False
    deletion: NextEvent = NextEvent("reconcile", ())
    message: FieldPath = ()
    holds: tuple[HeldList, ...] = ()
    check: HoldingCheck | None = None
    definition: tuple[str, str, str] = ("", "", "")

    @property
    def is_foreign(self) -> bool:
        """Whether it is none of Flux's kinds, whose groups a cluster may lack."""
        return bool(self.holds or self.check or self.message)

    def labels_of(self, name: str, namespace: str) -> dict[str, str]:
        """The labels on what an object of this kind has applied."""
        values = {"name": name, "namespace": namespace, "kind": self.kind}
        return {label: values[part] for part, label in self.labels.items() if values[part]}


@functools.cache
def waiters() -> Mapping[tuple[str, str], WaiterKind]:
    """All kinds that wait and have a name of their own, by group and kind."""
    kinds = (_waiter(content) for content in _files() if "definedBy" not in content)
    return {(waiter.group, waiter.kind): waiter for waiter in kinds}


@functools.cache
def defined_waiters() -> tuple[tuple[KindSource, WaiterKind], ...]:
    """What is known of kinds that wait and that other objects define."""
    return tuple(
        (read_source(content["definedBy"]), _waiter(content))
        for content in _files()
        if "definedBy" in content
    )


def _files() -> Iterator[Mapping[str, Any]]:
    return (json.loads(file.read_bytes()) for file in sorted(_DIRECTORY.glob("*.json")))


def _waiter(content: Mapping[str, Any]) -> WaiterKind:
    names = ("group", "version", "kind", "plural", "controller")
    switch, elsewhere = (content.get(name, {}) for name in ("suspended", "elsewhere"))
    return WaiterKind(
        **{name: content.get(name, "") for name in names},
        short=tuple(content.get("short", ())),
        suspended=path_of(switch.get("path", "")),
        suspended_values=tuple(switch.get("values", ())),
        sources=tuple(map(_source, content.get("sources", ()))),
        revision=path_of(content.get("revision", "")),
        inventory=path_of(content.get("inventory", "")),
        elsewhere=Elsewhere(
            tuple(map(path_of, elsewhere.get("paths", ()))), tuple(elsewhere.get("here", ()))
        ),
        states=tuple(map(_state, content.get("states", ()))),
        labels=content.get("labels", {}),
        late_inventory=content.get("lateInventory", False),
        deletion=_next(content.get("deletion", {"event": "reconcile"})),
        message=path_of(content.get("message", "")),
        holds=tuple(map(read_list, content.get("holds", ()))),
        check=read_check(content["check"]) if "check" in content else None,
    )


def _source(content: Mapping[str, str]) -> SourceField:
    paths = {name: path_of(content.get(name, "")) for name in ("path", "name", "through")}
    return SourceField(content["group"], kind=content.get("kind", ""), **paths)


def _state(content: Mapping[str, Any]) -> WaiterState:
    following = content.get("next")
    return WaiterState(
        tuple(map(read_test, content["when"])),
        content["verdict"],
        content["cause"],
        _next(following) if following else None,
    )


def _next(content: Mapping[str, Any]) -> NextEvent:
    lists = {name: tuple(content.get(name, ())) for name in ("since", "after", "backoff")}
    return NextEvent(
        content["event"],
        **lists,
        repeats=content.get("repeats", False),
        jitter=content.get("jitter", 0.0),
        failures=path_of(content.get("failures", "")),
        success=path_of(content.get("success", "")),
    )
