"""The stock states of the objects that a subject is about, from what its expressions read.

At most `MOST` states. Whatever a state does not speak of is there with a value
that no expression names, so that only what it speaks of decides.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from lint.lifecycle.building import ABSENT, CannotBuildError, get, put
from lint.lifecycle.naming import is_counter, is_progress, is_stage, is_trouble
from lint.lifecycle.reading import Field, Reading
from lint.lifecycle.state import Stage, State
from lint.lifecycle.subject import Subject
from lint.lifecycle.terms import Steps, definite, short, shown
from lint.model import Path, Value

MOST = 64
_MOST_TYPES = 8
_APPLIED = ("apiVersion", "kind", "metadata", "spec")
"""Top-level fields that the user writes; all others come later."""

_GENERATION = 2


class Stock:
    """Makes the states of one subject."""

    def __init__(self, subject: Subject, reading: Reading) -> None:
        self._root: Path = subject.root
        self._kind = subject.group_kind
        self._reading = reading
        self.lists = [path for path in reading.conditions() if self.arrives(path)]
        self.types = reading.values(self.lists, "type")[:_MOST_TYPES]
        self.arriving = [
            each
            for each in reading.leaves()
            if self.arrives(each.path) and not self._in_conditions(each.path)
        ]
        self.applied = self._applied()
        self.neutral = self._neutral()

    def states(self) -> tuple[State, ...]:
        """All stock states, in the order of a life."""
        return tuple(islice(self._all(), MOST))

    def state(self, name: str, description: str, stage: Stage, variables: Value) -> State:
        """A state of these variables."""
        obj = get(variables, self._root)
        return State(name, description, stage, obj, variables)

    def arrives(self, path: Steps) -> bool:
        """Whether a controller writes a field, rather than the user."""
        depth = len(self._root)
        return path[:depth] == self._root and len(path) > depth and path[depth] not in _APPLIED

    def status(self, path: Steps) -> bool:
        """Whether a field lies in the status of the object under check."""
        return path[: len(self._root) + 1] == (*self._root, "status")

    def counts(self, each: Field) -> bool:
        """Whether a field rises while things get ready: from 0, or from false."""
        flag = is_progress(each.path) and any(isinstance(value, bool) for value in each.values)
        return self.arrives(each.path) and (flag or _is_number(each))

    def conditioned(self, elements: Sequence[Value], base: Value) -> Value:
        """The variables with these conditions in every list of conditions that is read."""
        for path in self.lists:
            base = _with(base, path, list(elements))
        return base

    def _in_conditions(self, path: Steps) -> bool:
        return any(path[: len(each)] == each for each in self.lists)

    # what is there before anything happens

    def _applied(self) -> Value:
        group = f"{self._kind.group}/v1" if self._kind.group else "v1"
        metadata = {"name": "example", "generation": _GENERATION}
        kind = {"apiVersion": group, "kind": self._kind.kind or "Example", "metadata": metadata}
        base = put({}, self._root, kind)
        for each in self._reading.leaves():
            if not self.arrives(each.path) and get(base, definite(each.path)) is not None:
                base = _with_new(base, each.path, _beside(each))
        return base

    def _neutral(self) -> Value:
        base = self.conditioned([self._foreign()], self.applied)
        for each in self.arriving:
            base = _with(base, each.path, _beside(each))
        return base

    def _foreign(self) -> Value:
        name = next(name for name in _FOREIGN if name not in self.types)
        return self._condition(name, "True")

    def _condition(
        self, kind: str, status: str, reason: str = "Other", *, behind: bool = False
    ) -> dict[str, Value]:
        """A condition with the optional fields that are read of one."""
        optional: dict[str, Value] = {
            "reason": reason,
            "message": "other",
            "observedGeneration": _GENERATION - behind,
            "lastTransitionTime": "2026-01-01T00:00:00Z",
        }
        read = {path[-1] for path in self._reading.fields if path[:-2] in self.lists}
        read |= {"observedGeneration"} if behind else set()
        kept = {name: value for name, value in optional.items() if name in read}
        return {"type": kind, "status": status, **kept}

    # the states

    def _all(self) -> Iterator[State]:
        yield from self._early()
        yield from self._counting()
        yield from self._stages()
        yield from self._conditions()
        yield from self._fields()

    def _early(self) -> Iterator[State]:
        yield self.state("fresh", "just created, without a status", "bare", self.applied)
        if any(self.status(each.path) for each in self.arriving) or any(
            map(self.status, self.lists)
        ):
            empty = put(self.applied, (*self._root, "status"), {})
            yield self.state("empty", "with an empty status", "bare", empty)
        if not self.lists:
            return
        none = self.conditioned([], self.neutral)
        yield self.state("no-conditions", "with an empty list of conditions", "none", none)
        foreign = self._foreign()
        words = f"with a condition `{foreign['type']}`"
        words += f" and none of type {_listed(self.types, 'or')}" if self.types else " alone"
        variables = self.conditioned([foreign], self.neutral)
        yield self.state("foreign", words, "other", variables)

    def _counting(self) -> Iterator[State]:
        rising = [each for each in self.arriving if self.counts(each)]
        counters = [each for each in rising if _is_number(each)]
        zero = self.neutral
        for each in counters:
            zero = _with(zero, each.path, 0)
        if self.neutral != zero or len(counters) < len(rising):
            words = "of which no part is ready yet"
            yield self.state("starting", words, "counting", self.neutral)
        if counters:
            names = [shown(each.path) for each in counters]
            yield self.state("zero", f"with {_listed(names, 'and')} at 0", "counting", zero)

    def _stages(self) -> Iterator[State]:
        named = [each for each in self.arriving if is_stage(each.path) and _texts(each)]
        if named:
            names = _listed([shown(each.path) for each in named], "and")
            words = f"with a value of {names} that no expression names"
            yield self.state("stage", words, "stage", self.neutral)

    def _conditions(self) -> Iterator[State]:
        custom = self._reading.values(self.lists, "status")
        reasons = self._reading.values(self.lists, "reason")
        statuses = tuple(dict.fromkeys(("False", "Unknown", "True", *custom)))
        for kind in self.types:
            for status in statuses:
                yield self._condition_state(kind, status)
        for kind in self.types:
            yield self._condition_state(kind, "True", behind=True)
            yield self._condition_state(kind, "False", behind=True)
        for kind in self.types:
            for reason in reasons:
                for status in ("False", "True"):
                    yield self._condition_state(kind, status, reason)

    def _condition_state(
        self, kind: str, status: str, reason: str = "", *, behind: bool = False
    ) -> State:
        element = self._condition(kind, status, reason or "Other", behind=behind)
        name = f"{short(kind)}={short(status)}"
        words = f"whose condition `{short(kind)}` is `{short(status)}`"
        if reason:
            name += f", {short(reason)}"
            words += f" with the reason `{short(reason)}`"
        name += ", behind" if behind else ""
        words += ", of the generation before" if behind else ""
        variables = self.conditioned([element], self.neutral)
        return self.state(name, words, "stale" if behind else "condition", variables)

    def _fields(self) -> Iterator[State]:
        for each in self.arriving:
            for value in each.values:
                field, text = shown(each.path), short(str(value))
                name, words = f"{field}={text}", f"whose `{field}` is `{text}`"
                yield self.state(name, words, "field", _with(self.neutral, each.path, value))


_FOREIGN = ("Reconciling", "Initialized", "Scheduled", *(f"Other{n}" for n in range(_MOST_TYPES)))


def _with(base: Value, path: Steps, value: Value) -> Value:
    try:
        return put(base, definite(path), value)
    except CannotBuildError:
        return base


def _with_new(base: Value, path: Steps, value: Value) -> Value:
    return _with(base, path, value) if get(base, definite(path)) is ABSENT else base


def _is_number(each: Field) -> bool:
    return is_counter(each.path) or each.numeric or (each.ordered and not _texts(each))


def _texts(each: Field) -> bool:
    return any(isinstance(value, str) for value in each.values)


def _beside(each: Field) -> Value:
    """A value of the type expected: none that is named, of no part ready, of no trouble."""
    name = each.path[-1]
    if name in ("generation", "observedGeneration"):
        return _GENERATION
    if name in ("annotations", "labels"):
        return {}
    if _is_number(each):
        rising = is_progress(each.path) or is_trouble(each.path)
        return 1 if is_counter(each.path) and not rising else 0
    if any(isinstance(value, bool) for value in each.values):
        return False
    if is_trouble(each.path):
        return ""
    # fields that are compared with each other must not be equal by chance
    text = f"other {name}" if each.peers else "Other"
    while text in each.values:
        text += "s"
    return text


def _listed(names: Sequence[str], word: str) -> str:
    quoted = [f"`{short(name)}`" for name in names]
    if len(quoted) < 2:
        return "".join(quoted)
    return f"{', '.join(quoted[:-1])} {word} {quoted[-1]}"
