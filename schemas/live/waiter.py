"""The kinds that wait for others in a cluster, as `waiters/<Kind>.json` has them.

Each file has the states of such an object by its conditions: the verdict, what holds it up, and
when its controller acts next. It also says where an object names its sources and what it has
applied.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from celvet.record import field, record
from celvet.regex import regex

FieldPath = tuple[str | int, ...]
_DIRECTORY = Path(__file__).parent / "waiters"
_STEP = regex(r"(?:\\.|[^.])+")


@record
class ConditionTest:
    """What a condition must be for a state; `reason` and `message` are patterns, empty for any."""

    type: str
    status: str
    reason: str = ""
    message: str = ""

    def accepts(self, condition: Mapping[str, str]) -> bool:
        """Whether the fields of a condition of this type are as they must be."""
        return bool(
            re.fullmatch(self.status, condition.get("status", ""))
            and (not self.reason or re.fullmatch(self.reason, condition.get("reason", "")))
            and re.search(self.message, condition.get("message", "")[:_MOST_TEXT])
        )


_MOST_TEXT = 4096
"""How much of a message is searched; the words of the controllers are at its begin."""


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
class Waiter:
    """A kind that waits; each field is a path in the object.

    `suspended_values` are the values at `suspended` that switch the controller off. `labels` are
    those that the controller puts on what it applies, with the name and the namespace of its owner.
    `elsewhere` is the field that names another cluster for it. With `late_inventory`, the
    controller writes the inventory only when its wait is over. `deletion` is what comes next for
    one that is deleted.
    """

    group: str
    version: str
    kind: str
    plural: str
    short: tuple[str, ...]
    controller: str
    release: str
    suspended: FieldPath
    suspended_values: tuple[Any, ...]
    sources: tuple[SourceField, ...]
    revision: FieldPath
    inventory: FieldPath
    elsewhere: FieldPath
    states: tuple[WaiterState, ...]
    labels: Mapping[str, str] = field(default_factory=dict)
    late_inventory: bool = False
    deletion: NextEvent = NextEvent("reconcile", ())

    def labels_of(self, name: str, namespace: str) -> dict[str, str]:
        """The labels on what an object of this kind has applied."""
        return {self.labels["name"]: name, self.labels["namespace"]: namespace}


@functools.cache
def waiters() -> Mapping[tuple[str, str], Waiter]:
    """All kinds that wait, by group and kind."""
    files = (json.loads(file.read_bytes()) for file in sorted(_DIRECTORY.glob("*.json")))
    return {(content["group"], content["kind"]): _waiter(content) for content in files}


def path_of(text: str) -> FieldPath:
    """The steps of a path such as `status.history.0.name`; a backslash keeps a period in a key."""
    steps = (re.sub(r"\\(.)", r"\1", step) for step in _STEP.findall(text))
    return tuple(int(step) if step.isdecimal() else step for step in steps)


def _waiter(content: Mapping[str, Any]) -> Waiter:
    names = ("group", "version", "kind", "plural", "controller", "release")
    return Waiter(
        **{name: content[name] for name in names},
        short=tuple(content["short"]),
        suspended=path_of(content["suspended"]["path"]),
        suspended_values=tuple(content["suspended"]["values"]),
        sources=tuple(map(_source, content["sources"])),
        revision=path_of(content["revision"]),
        inventory=path_of(content["inventory"]),
        elsewhere=path_of(content["elsewhere"]),
        states=tuple(map(_state, content["states"])),
        labels=content["labels"],
        late_inventory=content.get("lateInventory", False),
        deletion=_next(content.get("deletion", {"event": "reconcile"})),
    )


def _source(content: Mapping[str, str]) -> SourceField:
    paths = {name: path_of(content.get(name, "")) for name in ("path", "name", "through")}
    return SourceField(content["group"], kind=content.get("kind", ""), **paths)


def _state(content: Mapping[str, Any]) -> WaiterState:
    following = content.get("next")
    return WaiterState(
        tuple(ConditionTest(**test) for test in content["when"]),
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
