"""Reads the cases of a health test: objects, times and expectations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta

from celvet.lint.checks.timing import short
from celvet.lint.go.durations import duration
from celvet.lint.healthtest.health_test import (
    Case,
    Expectation,
    ExpectedValue,
    ExpectedWait,
    Step,
    UnusableTestError,
)
from celvet.lint.healthtest.read.fixtures import Fixtures
from celvet.lint.healthtest.timestamps import latest
from celvet.lint.model import ObjectRef, Path, Value
from celvet.lint.similar import closest_name
from celvet.lint.values import object_ref_of
from celvet.lint.verdicts.evaluator import Evaluator
from celvet.lint.verdicts.rollout import MOST_LOOKS
from celvet.lint.verdicts.unstructured import timestamp
from celvet.lint.verdicts.verdict import STATUSES, VOCABULARIES
from celvet.record import field, record

TEXTS = ("verdict", "reason", "message", "error", "refused")
"""The keys of an `expect` that are not roles of expressions."""


@record
class CaseReader:
    """Reads cases about one evaluator; `settings` are those of all of them."""

    fixtures: Fixtures
    evaluator: Evaluator
    settings: Mapping[str, Value] = field(default_factory=dict)

    def case(self, content: Mapping[str, Value], path: Path, row: Path = ()) -> Case:
        """One case, whose structure the schema has checked; raises `UnusableTestError`.

        `row` leads to the row of a table, which `given` is then merged with.
        """
        steps = tuple(self._steps(content, path))
        case_path = row or path
        expectations = tuple(self._expected(content, case_path))
        is_recording = "recording" in content
        if "expect" in content and not is_recording and len(expectations) != len(steps):
            message = f"`expect` has {len(expectations)} of {len(steps)} verdicts"
            raise UnusableTestError(
                message, (*case_path, "expect"), "Expect one verdict for each step."
            )
        start = self._start(content, path, steps)
        waits = _expected_waits(content, path, self.evaluator)
        # Times are added up later: Python's calendar ends in the year 9999.
        if not _has_end(start, [*(step.delay for step in steps), *_longest(waits, self.evaluator)]):
            raise UnusableTestError("the steps go beyond the end of time", path, "Shorten `after`.")
        return Case(
            name=content["name"],
            path=case_path,
            start=start,
            steps=steps,
            expectations=expectations,
            waits=waits,
            changes=is_recording,
            skip=content.get("skip", ""),
            xfail=content.get("xfail", ""),
            guess=content.get("guess", False),
        )

    def _steps(self, content: Mapping[str, Value], path: Path) -> Iterator[Step]:
        if "recording" in content:
            yield from self._recorded(content, (*path, "recording"))
        elif "sequence" in content:
            for at, step in enumerate(content["sequence"]):
                fields = {"object": step} if isinstance(step, str) else step
                yield self._step(fields, content, (*path, "sequence", at))
        else:
            yield self._step(content, content, path)

    def _step(self, content: Mapping[str, Value], case: Mapping[str, Value], path: Path) -> Step:
        """One step; without its own `self` it has that of the case."""
        name = next(key for key in ("object", "objects", "dep") if content.get(key) is not None)
        read_objects = self.fixtures.all if name == "objects" else self.fixtures.one
        objects_or_one = read_objects(content[name], (*path, name))
        objects_or_one = (
            patched(objects_or_one, content["patch"]) if "patch" in content else objects_or_one
        )
        owner_file = content.get("self", case.get("self"))
        owner = self.fixtures.one(owner_file, (*path, "self")) if owner_file is not None else None
        objects = tuple(objects_or_one) if name == "objects" else (objects_or_one,)
        self._assure_covered(objects, (*path, name))
        settings = {**self.settings, **case.get("settings", {}), **content.get("settings", {})}
        return Step(objects, _after(content, path), owner, settings)

    def _assure_covered(self, objects: tuple[Value, ...], path: Path) -> None:
        if any(self.evaluator.applies(obj) for obj in objects):
            return
        kinds = ", ".join(f"`{obj.get('kind', 'no kind')}`" for obj in objects) or "no object"
        message = f"`{self.evaluator.title}` does not cover {kinds}"
        raise UnusableTestError(message, path, "Give an object that the entry covers.")

    def _recorded(self, content: Mapping[str, Value], path: Path) -> Iterator[Step]:
        """The versions of objects as `kubectl get --watch -o yaml` prints them.

        Time follows the times that the objects mention: a version that mentions nothing newer comes
        at the same time as the one before.
        """
        versions: dict[ObjectRef, Value] = {}
        settings = {**self.settings, **content.get("settings", {})}
        now: datetime | None = None
        for value in self.fixtures.all(content["recording"], path):
            versions[object_ref_of(value)] = value
            instant = max(filter(None, (now, latest([value]))))
            objects = tuple(versions.values())
            self._assure_covered(objects, path)
            yield Step(objects, instant - (now or instant), settings=settings)
            now = instant

    def _expected(self, content: Mapping[str, Value], path: Path) -> Iterator[Expectation]:
        for item, place in values_at(content, "expect", path):
            yield _expectation(item, place, self.evaluator)

    def _start(self, content: Mapping[str, Value], path: Path, steps: tuple[Step, ...]) -> datetime:
        """The time of the first step: as given, or the latest that its objects mention."""
        if "now" not in content:
            return latest(steps[0].objects if steps else ())
        start = timestamp(str(content["now"]))
        if start is None:
            raise UnusableTestError(
                f"`{content['now']}` is not a point in time",
                (*path, "now"),
                "Write it as in `2026-01-31T12:00:00Z`.",
            )
        return start


def rows(content: Mapping[str, Value], path: Path) -> Iterator[tuple[Mapping[str, Value], Path]]:
    """The case itself, with an empty path; of one with a table each row, with the path to it.

    A row also has the fields of the case, and its name follows that of the case.
    """
    if "table" not in content:
        yield content, ()
        return
    shared_fields = {key: value for key, value in content.items() if key != "table"}
    for at, row in enumerate(content["table"]):
        fields = {**shared_fields, **row, "name": f"{content['name']}: {row['name']}"}
        yield fields, (*path, "table", at)


def patched(value: Value, patch: Value) -> Value:
    """The value with a JSON merge patch (RFC 7396) applied: null removes a key."""
    if not isinstance(patch, Mapping):
        return patch
    fields = dict(value) if isinstance(value, Mapping) else {}
    for key, part in patch.items():
        if part is None:
            fields.pop(key, None)
        else:
            fields[key] = patched(fields.get(key), part)
    return fields


def _has_end(start: datetime, spans: Iterable[timedelta]) -> bool:
    """Whether the time after all of this can be represented."""
    try:
        sum(spans, start=start)
    except OverflowError:
        return False
    return True


def _after(given: Mapping[str, Value], path: Path) -> timedelta:
    return _span(given.get("after", "0s"), (*path, "after"))


def _expected_waits(
    content: Mapping[str, Value], path: Path, evaluator: Evaluator
) -> tuple[ExpectedWait, ...]:
    """The waits that a case names; raises `UnusableTestError` if there can be none."""
    waits = tuple(_expected_wait(item, place) for item, place in values_at(content, "wait", path))
    if waits:
        _assure_waiting(evaluator, (*path, "wait"))
    return waits


def _longest(found: Sequence[ExpectedWait], evaluator: Evaluator) -> Iterator[timedelta]:
    """The longest time that the waits can take, including the time until each retry."""
    for _ in found:
        yield from filter(None, (evaluator.timing.timeout, evaluator.timing.retry))


def _expected_wait(content: Value, path: Path) -> ExpectedWait:
    parts: Mapping[str, Value] = {"end": content} if isinstance(content, str) else content
    places = {key: path if parts is not content else (*path, key) for key in parts}
    at = _span(parts["at"], places["at"]) if "at" in parts else None
    return ExpectedWait(path, places, parts.get("end"), at, parts.get("message"))


def _assure_waiting(evaluator: Evaluator, path: Path) -> None:
    timing = evaluator.timing
    if timing.look is None or timing.timeout is None:
        raise UnusableTestError(f"no controller waits for `{evaluator.title}`", path)
    if timing.timeout > MOST_LOOKS * timing.look:
        message = f"the timeout of {short(timing.timeout)} is too long to simulate"
        most = short(MOST_LOOKS * timing.look)
        raise UnusableTestError(message, path, f"Set a `timeout` of {most} at most.")


def _expectation(content: Value, path: Path, evaluator: Evaluator) -> Expectation:
    """The expectation of an `expect`; raises `UnusableTestError` for one that can never be met."""
    parts: Mapping[str, Value] = {"verdict": content} if isinstance(content, str) else content
    places = {key: path if parts is not content else (*path, key) for key in parts}
    roles = {expression.role for expression in evaluator.expressions}
    for key in parts:
        _assure_known("key", key, [*TEXTS, *sorted(roles)], places[key])
    for key in parts.keys() & set(TEXTS):
        _assure_text(parts[key], places[key])
    if "verdict" in parts:
        _assure_known("verdict", parts["verdict"], _words(evaluator), places["verdict"])
    texts = {key: parts.get(key) for key in TEXTS}
    outcomes = {role: _outcome(parts[role], places[role]) for role in roles & parts.keys()}
    return Expectation(path, places, **texts, outcomes=outcomes)


def values_at(content: Mapping[str, Value], key: str, path: Path) -> Iterator[tuple[Value, Path]]:
    """The values under a key with their places: the items of a list, the value, or nothing."""
    value, place = content.get(key, []), (*path, key)
    if not isinstance(value, list):
        yield value, place
        return
    yield from ((item, (*place, at)) for at, item in enumerate(value))


def _span(text: Value, path: Path) -> timedelta:
    """A span of time as Go writes it; raises `UnusableTestError` for anything else."""
    span = duration(text)
    if span is None or span < timedelta():
        help_ = "Write it as Go does, as in `90s` or `1h30m`."
        raise UnusableTestError(f"`{text}` is not a duration", path, help_)
    return span


def _words(evaluator: Evaluator) -> Sequence[str]:
    """The verdicts of the evaluator's system, including those that this evaluator never gives.

    A dialect may have verdicts of its own.
    """
    statuses = set(evaluator.statuses)
    vocabularies = [words for words in VOCABULARIES if statuses <= set(words)]
    if not vocabularies:
        return evaluator.statuses
    return vocabularies[0] if len(vocabularies) == 1 else STATUSES


def _outcome(outcome: Value, path: Path) -> bool | ExpectedValue | str:
    """`true`, `false`, `{value: any}`, or `{error: text}`."""
    if isinstance(outcome, bool):
        return outcome
    if isinstance(outcome, Mapping) and outcome.keys() == {"value"}:
        return ExpectedValue(outcome["value"])
    if isinstance(outcome, Mapping) and outcome.keys() == {"error"}:
        _assure_text(outcome["error"], (*path, "error"))
        return str(outcome["error"])
    message = f"`{path[-1]}` is neither true, nor false, nor a value, nor an error"
    help_ = "Write `true`, `false`, `{value: ...}` or `{error: text}`."
    raise UnusableTestError(message, path, help_)


def _assure_text(value: Value, path: Path) -> None:
    if not isinstance(value, str):
        raise UnusableTestError(f"`{path[-1]}` is not a string", path, "Put the value in quotes.")


def _assure_known(noun: str, word: str, words: Sequence[str], path: Path) -> None:
    if word in words:
        return
    near = closest_name(word, words)
    choices = ", ".join(f"`{name}`" for name in words)
    help_ = f"Write `{near}`." if near else f"Write one of {choices}."
    raise UnusableTestError(f"there is no {noun} `{word}`", path, help_)
