"""The words of a controller in the file of a kind: types, reasons, phases and messages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from celvet.schemas.facts import ROLES, condition_lists

_MESSAGE_TEST = re.compile(
    r"""message\)?\.(?:contains|startsWith|endsWith|matches)\((['"])(?P<text>.*?)\1\)"""
)
_STATUSES = ("True", "False", "Unknown")


class Word(NamedTuple):
    """A word, and what it is: a `type`, `reason`, `phase` or `message`."""

    what: str
    text: str


def words(content: Mapping[str, Any]) -> set[Word]:
    """The words of a kind that the newest release writes."""
    return {*_claimed(content), *_lived(content), *_compared(content)}


def _claimed(content: Mapping[str, Any]) -> Iterator[Word]:
    for types in condition_lists(content).values():
        for name, claim in types.items():
            if "until" in claim:
                continue
            yield Word("type", name)
            statuses = (
                *(claim[name] for name in _STATUSES if name in claim),
                *claim.get("other", {}).values(),
            )
            for told in statuses:
                reasons = told.get("reasons", {}) if isinstance(told, Mapping) else {}
                yield from _current("reason", reasons)
    for phase in content.get("phases", ()):
        if "until" not in phase:
            yield from _current("phase", phase["values"])


def _current(what: str, values: Mapping[str, Any]) -> Iterator[Word]:
    for text, told in values.items():
        if text and not (isinstance(told, Mapping) and "until" in told):
            yield Word(what, text)


def _lived(content: Mapping[str, Any]) -> Iterator[Word]:
    """The words of the life; a message that no expression reads is an example, and no quotation."""
    entries = [content.get("entry", {}), *content.get("variants", {}).values()]
    texts = [entry.get(role) or "" for entry in entries for role in ROLES]
    reads_messages = any("message" in text for text in texts)
    for state in content["life"]:
        for word in () if "until" in state else _written(state.get("status", {})):
            if word.what != "message" or reads_messages:
                yield word


def _written(value: Any) -> Iterator[Word]:
    """The conditions and messages anywhere in a status."""
    if isinstance(value, Mapping):
        is_condition = "type" in value and "status" in value
        for key, part in value.items():
            names = ("type", "reason", "message") if is_condition else ("message",)
            if isinstance(part, str) and part and key in names:
                yield Word(key, part)
            yield from _written(part)
    elif isinstance(value, list):
        for part in value:
            yield from _written(part)


def _compared(content: Mapping[str, Any]) -> Iterator[Word]:
    for entry in (content.get("entry", {}), *content.get("variants", {}).values()):
        for role in ROLES:
            for match in _MESSAGE_TEST.finditer(entry.get(role) or ""):
                yield Word("message", match["text"])
