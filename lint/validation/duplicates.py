"""Entries of a list that repeat the identity of an earlier one."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from celvet.lint.model import GroupKind, Path, Value
from celvet.lint.safe_text import quoted
from celvet.lint.validation.keyword_result import KeywordResult, name_of
from celvet.record import record


@record
class Repetition:
    """An entry of a list that repeats an earlier one; both are indices."""

    index: int
    first: int
    identity: str


def repetitions(
    result: KeywordResult, hidden: Callable[[Path, Value], bool]
) -> Iterator[Repetition]:
    """The entries of the list at fault that repeat an earlier entry.

    The identity is made of the fields that `x-unique` names; the first is
    needed, the others count as empty where they are absent. `FIELD/group` means
    the group of an `apiVersion`. An entry with a `hidden` value has none.
    """
    fields: list[str] = result.expected
    seen: dict[tuple[str, ...], int] = {}
    for index, entry in enumerate(result.value):
        identity = _identity(entry, fields, (*result.path, index), hidden)
        if identity is None:
            continue
        first = seen.setdefault(identity, index)
        if first != index:
            yield Repetition(index, first, _described(fields, identity))


def worded(result: KeywordResult, repetition: Repetition) -> str:
    """The fact: `steps[1]` repeats the name `a` of `steps[0]`."""
    one, other = (name_of((*result.path, i)) for i in (repetition.index, repetition.first))
    return f"{one} repeats the {repetition.identity} of {other}"


def _identity(
    entry: Value, fields: list[str], path: Path, hidden: Callable[[Path, Value], bool]
) -> tuple[str, ...] | None:
    if not isinstance(entry, dict):
        return None
    identity = []
    for position, field in enumerate(fields):
        name, _, part = field.partition("/")
        value = entry.get(name)
        if value is None and position:
            value = ""
        if not isinstance(value, str) or hidden((*path, name), value):
            return None
        identity.append(GroupKind.of(value, "").group if part else value)
    return tuple(identity)


def _described(fields: list[str], identity: tuple[str, ...]) -> str:
    words = [field.rpartition("/")[2] for field in fields]
    parts = [f"{word} {quoted(text)}" for word, text in zip(words, identity, strict=True) if text]
    return " and ".join(parts) or "empty " + " and ".join(words)
