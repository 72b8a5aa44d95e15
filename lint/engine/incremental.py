"""Remembers what the rules said of the entries of an object, for when it is judged again.

While a file is written, one entry of many changes at a time. The rules look at
one entry after the other and at what stands around all of them, so that what
they said of the others holds as long as that has not changed. What a rule looks up
besides, of kinds that no expression is about, cannot be told apart: then nothing is remembered.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from celvet.lint.checks import CheckedObject, Place
from celvet.lint.crds.schema import CrdSchema, Schemas
from celvet.lint.engine.incremental_keys import Portion, narrowed, portions
from celvet.lint.engine.result import Crash
from celvet.lint.engine.run_rules import judge_object
from celvet.lint.engine.settings import Settings
from celvet.lint.model import Change, Finding, Path, Related, Where

_MOST_REMEMBERED = 4_096
"""A file of 2,000 lines has 250 entries; most have no findings, and then take 200 bytes."""


@dataclass(frozen=True, slots=True)
class _Said:
    """The findings about a portion when it stood at a path, and by which schemas of kinds."""

    path: Path
    schema: CrdSchema | None
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class _Asked:
    """Schemas of kinds that note which of them the rules ask for."""

    schemas: Schemas
    _noted: set[tuple[str, str]] = field(default_factory=set, compare=False)

    def find(self, api_version: str, kind: str) -> CrdSchema | None:
        """See `celvet.lint.crds.Schemas`."""
        self._noted.add((api_version, kind))
        return self.schemas.find(api_version, kind)

    @property
    def problems(self) -> tuple[str, ...]:
        """What could not be read so far."""
        return self.schemas.problems

    def beyond(self, checked: CheckedObject) -> bool:
        """Whether any is not what a check is about, so that it is not known for which."""
        return not self._noted <= {check.objects for check in checked.checks}


@dataclass(slots=True)
class Memory:
    """What was said of portions lately; under other settings nothing of it counts."""

    _settings: Settings | None = field(default=None, init=False)
    _said: dict[bytes, _Said] = field(default_factory=dict, init=False)

    def judge(self, checked: CheckedObject, settings: Settings) -> Iterator[Finding | Crash]:
        """What the rules have to say of a checked; only what has changed is asked for."""
        if settings is not self._settings:
            self._settings, self._said = settings, {}
        every = portions(checked)
        new = [each for each in every if not self._knows(each)]
        general = list(judge_object(narrowed(checked), settings))
        asked = _Asked(checked.schemas)
        shown = replace(narrowed(checked, [each.path for each in new]), schemas=asked)
        with_new = list(judge_object(shown, settings))
        shares = None if asked.beyond(shown) else _shares(_besides(with_new, general), every)
        if shares is None or any(isinstance(each, Crash) for each in general):
            yield from judge_object(checked, settings)
            return
        for portion in new:
            said = _Said(portion.path, portion.schema, tuple(shares.get(portion.path, ())))
            self._said[portion.key] = said
        yield from (_moved(each, (), (), checked.place) for each in _findings(general))
        yield from self._recalled(every, checked.place)

    def _knows(self, portion: Portion) -> bool:
        said = self._said.get(portion.key)
        return said is not None and said.schema is portion.schema

    def _recalled(self, every: Sequence[Portion], place: Place) -> Iterator[Finding]:
        """What was said of portions; of all others, the oldest is forgotten."""
        for portion in every:
            said = self._said[portion.key] = self._said.pop(portion.key)
            yield from (_moved(each, said.path, portion.path, place) for each in said.findings)
        while len(self._said) > max(_MOST_REMEMBERED, len(every)):
            del self._said[next(iter(self._said))]


def _findings(outcomes: Iterable[Finding | Crash]) -> Iterator[Finding]:
    return (each for each in outcomes if isinstance(each, Finding))


def _besides(
    outcomes: Iterable[Finding | Crash], general: Iterable[Finding | Crash]
) -> list[Finding | Crash]:
    """The outcomes without those that the object gives whatever its portions say."""
    left = Counter(map(_sign, general))
    besides = []
    for each in outcomes:
        if left[_sign(each)]:
            left[_sign(each)] -= 1
        else:
            besides.append(each)
    return besides


def _sign(outcome: Finding | Crash) -> tuple[str, str, Where]:
    text = outcome.message if isinstance(outcome, Finding) else outcome.error
    return outcome.rule, text, outcome.where


def _shares(
    outcomes: Iterable[Finding | Crash], every: Iterable[Portion]
) -> Mapping[Path, Sequence[Finding]] | None:
    """The findings of each portion; None where one is not of a single portion, or a rule failed."""
    shares: dict[Path, list[Finding]] = {each.path: [] for each in every}
    for outcome in outcomes:
        path = outcome.where.path
        around = [path[:size] for size in range(len(path) + 1) if path[:size] in shares]
        if isinstance(outcome, Crash) or len(around) != 1:
            return None
        shares[around[0]].append(outcome)
    return shares


def _changes(changes: Iterable[Change], at: Callable[[Where], Where]) -> tuple[Change, ...]:
    return tuple(replace(each, where=at(each.where)) for each in changes)


def _moved(finding: Finding, old: Path, new: Path, place: Place) -> Finding:
    """A finding about what stands at one path now instead of at another, at its true places."""

    def at(where: Where) -> Where:
        inside = where.path[: len(old)] == old
        path = new + where.path[len(old) :] if inside else where.path
        return place(path, where.span, where.on_key)

    return replace(
        finding,
        where=at(finding.where),
        related=tuple(Related(each.message, at(each.where)) for each in finding.related),
        fix=finding.fix and replace(finding.fix, changes=_changes(finding.fix.changes, at)),
    )
