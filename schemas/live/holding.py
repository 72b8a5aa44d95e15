"""How an object that waits names what it holds, how each of that is, and where its checks are."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from celvet.record import field, record
from celvet.regex import regex

FieldPath = tuple[str | int, ...]
_STEP = regex(r"(?:\\.|[^.])+")
_NAMES = ("apiVersion", "group", "version", "kind", "namespace", "name")


@record
class ConditionTest:
    """What a condition must be for a state; `reason` and `message` are patterns, empty for any.

    With `at`, the text there is tested in place of the status of a condition; `*` in it stands for
    each element of a list, of which one is enough.
    """

    type: str
    status: str
    reason: str = ""
    message: str = ""
    at: FieldPath = ()

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
class HeldState:
    """The status that an entry gives its object, in a word of Flux."""

    when: tuple[ConditionTest, ...]
    status: str


@record
class HeldList:
    """A list of what an object holds, at a path in which `*` stands for each element.

    `names` are the paths, within an entry, of the parts of the reference; `constants` are those
    that are the same for all. `states` are tried in order; without one that fits, the check or the
    kind of the object tells. `checks` is the path of a reference to the object with the check.
    """

    at: FieldPath
    names: Mapping[str, FieldPath]
    constants: Mapping[str, str] = field(default_factory=dict)
    states: tuple[HeldState, ...] = ()
    message: FieldPath = ()
    checks: FieldPath = ()


@record
class HoldingCheck:
    """Where the checks of what an object holds are, if not in the object itself.

    `at` are paths of a reference, or of a name of an object of `group` and `kind`. `names` pairs a
    path in an object under check with one in the check, or in the mapping `up` levels above it:
    both must be the same.
    """

    at: tuple[FieldPath, ...] = ()
    group: str = ""
    version: str = ""
    kind: str = ""
    names: tuple[tuple[FieldPath, FieldPath], ...] = ()
    up: int = 0


@record
class KindSource:
    """Kinds that objects of another kind define: where one of those has the parts of the name."""

    group: str
    version: str
    kind: str
    plural: str
    parts: tuple[Mapping[str, FieldPath], ...]
    defaults: Mapping[str, str]


def path_of(text: str) -> FieldPath:
    """The steps of a path such as `status.history.0.name`; a backslash keeps a period in a key."""
    steps = (re.sub(r"\\(.)", r"\1", step) for step in _STEP.findall(text))
    return tuple(int(step) if step.isdecimal() else step for step in steps)


def read_test(content: Mapping[str, str]) -> ConditionTest:
    """A test of a condition or of a text."""
    return ConditionTest(
        **{"type": "", **content, "at": path_of(content.get("at", ""))}  # type: ignore[arg-type]
    )


def read_list(content: Mapping[str, Any]) -> HeldList:
    """A list of objects."""
    states = (
        HeldState(tuple(map(read_test, state["when"])), state["status"])
        for state in content.get("states", ())
    )
    return HeldList(
        path_of(content["at"]),
        {name: path_of(content[name]) for name in _NAMES if name in content},
        content.get("constants", {}),
        tuple(states),
        *(path_of(content.get(name, "")) for name in ("message", "checks")),
    )


def read_check(content: Mapping[str, Any]) -> HoldingCheck:
    """The place of the checks."""
    names = content.get("names", {}).items()
    return HoldingCheck(
        at=tuple(map(path_of, content.get("at", ()))),
        **{name: content.get(name, "") for name in ("group", "version", "kind")},
        names=tuple((path_of(path), path_of(text)) for path, text in names),
        up=content.get("up", 0),
    )


def read_source(content: Mapping[str, Any]) -> KindSource:
    """The kind whose objects define kinds that wait, and where they name them."""
    parts = ({name: path_of(path) for name, path in item.items()} for item in content["parts"])
    return KindSource(
        **{name: content[name] for name in ("group", "version", "kind", "plural")},
        parts=tuple(parts),
        defaults=content.get("defaults", {}),
    )
