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
from celvet.lint.similar import similar
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

    def case(self, given: Mapping[str, Value], path: Path, row: Path = ()) -> Case:
        """One case, whose structure the schema has checked; raises `UnusableTestError`.

        `row` leads to the row of a table, which `given` is then merged with.
        """
        steps = tuple(self._steps(given, path))
        own = row or path
        expected = tuple(self._expected(given, own))
        recorded = "recording" in given
        if "expect" in given and not recorded and len(expected) != len(steps):
            what = f"`expect` has {len(expected)} of {len(steps)} verdicts"
            raise UnusableTestError(what, (*own, "expect"), "Expect one verdict for each step.")
        start = self._start(given, path, steps)
        awaited = _expected_waits(given, path, self.evaluator)
        if not _has_end(
            start, [*(each.after for each in steps), *_longest(awaited, self.evaluator)]
        ):
            raise UnusableTestError("the steps go beyond the end of time", path, "Shorten `after`.")
        return Case(
            name=given["name"],
            path=own,
            start=start,
            steps=steps,
            expected=expected,
            waits=awaited,
            changes=recorded,
            skip=given.get("skip", ""),
            xfail=given.get("xfail", ""),
            guess=given.get("guess", False),
        )

    def _steps(self, given: Mapping[str, Value], path: Path) -> Iterator[Step]:
        if "recording" in given:
            yield from self._recorded(given, (*path, "recording"))
        elif "sequence" in given:
            for at, step in enumerate(given["sequence"]):
                fields = {"object": step} if isinstance(step, str) else step
                yield self._step(fields, given, (*path, "sequence", at))
        else:
            yield self._step(given, given, path)

    def _step(self, given: Mapping[str, Value], case: Mapping[str, Value], path: Path) -> Step:
        """One step; without its own `self` it has that of the case."""
        name = next(key for key in ("object", "objects", "dep") if given.get(key) is not None)
        read = self.fixtures.all if name == "objects" else self.fixtures.one
        found = read(given[name], (*path, name))
        found = patched(found, given["patch"]) if "patch" in given else found
        own = given.get("self", case.get("self"))
        owner = self.fixtures.one(own, (*path, "self")) if own is not None else None
        objects = tuple(found) if name == "objects" else (found,)
        self._assure_covered(objects, (*path, name))
        settings = {**self.settings, **case.get("settings", {}), **given.get("settings", {})}
        return Step(objects, _after(given, path), owner, settings)

    def _assure_covered(self, objects: tuple[Value, ...], path: Path) -> None:
        if any(self.evaluator.applies(each) for each in objects):
            return
        kinds = ", ".join(f"`{each.get('kind', 'no kind')}`" for each in objects) or "no object"
        what = f"`{self.evaluator.title}` does not cover {kinds}"
        raise UnusableTestError(what, path, "Give an object that the entry covers.")

    def _recorded(self, given: Mapping[str, Value], path: Path) -> Iterator[Step]:
        """The versions of objects as `kubectl get --watch -o yaml` prints them.

        Time follows the times that the objects mention: a version that mentions nothing newer comes
        at the same time as the one before.
        """
        seen: dict[ObjectRef, Value] = {}
        settings = {**self.settings, **given.get("settings", {})}
        now: datetime | None = None
        for value in self.fixtures.all(given["recording"], path):
            seen[object_ref_of(value)] = value
            instant = max(filter(None, (now, latest([value]))))
            objects = tuple(seen.values())
            self._assure_covered(objects, path)
            yield Step(objects, instant - (now or instant), settings=settings)
            now = instant

    def _expected(self, given: Mapping[str, Value], path: Path) -> Iterator[Expectation]:
        for item, place in listed(given, "expect", path):
            yield _expectation(item, place, self.evaluator)

    def _start(self, given: Mapping[str, Value], path: Path, steps: tuple[Step, ...]) -> datetime:
        """The time of the first step: as given, or the latest that its objects mention."""
        if "now" not in given:
            return latest(steps[0].objects if steps else ())
        found = timestamp(str(given["now"]))
        if found is None:
            raise UnusableTestError(
                f"`{given['now']}` is not a point in time",
                (*path, "now"),
                "Write it as in `2026-01-31T12:00:00Z`.",
            )
        return found


def rows(given: Mapping[str, Value], path: Path) -> Iterator[tuple[Mapping[str, Value], Path]]:
    """The case itself, with an empty path; of one with a table each row, with the path to it.

    A row also has the fields of the case, and its name follows that of the case.
    """
    if "table" not in given:
        yield given, ()
        return
    shared = {key: value for key, value in given.items() if key != "table"}
    for at, row in enumerate(given["table"]):
        merged = {**shared, **row, "name": f"{given['name']}: {row['name']}"}
        yield merged, (*path, "table", at)


def patched(value: Value, patch: Value) -> Value:
    """The value with a JSON merge patch (RFC 7396) applied: null removes a key."""
    if not isinstance(patch, Mapping):
        return patch
    kept = dict(value) if isinstance(value, Mapping) else {}
    for key, part in patch.items():
        if part is None:
            kept.pop(key, None)
        else:
            kept[key] = patched(kept.get(key), part)
    return kept


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
    given: Mapping[str, Value], path: Path, evaluator: Evaluator
) -> tuple[ExpectedWait, ...]:
    """The waits that a case names; raises `UnusableTestError` if there can be none."""
    found = tuple(_expected_wait(item, place) for item, place in listed(given, "wait", path))
    if found:
        _assure_waiting(evaluator, (*path, "wait"))
    return found


def _longest(found: Sequence[ExpectedWait], evaluator: Evaluator) -> Iterator[timedelta]:
    """The longest time that the waits can take, including the time until each retry."""
    for _ in found:
        yield from filter(None, (evaluator.timing.timeout, evaluator.timing.retry))


def _expected_wait(given: Value, path: Path) -> ExpectedWait:
    parts: Mapping[str, Value] = {"end": given} if isinstance(given, str) else given
    places = {key: path if parts is not given else (*path, key) for key in parts}
    at = _span(parts["at"], places["at"]) if "at" in parts else None
    return ExpectedWait(path, places, parts.get("end"), at, parts.get("message"))


def _assure_waiting(evaluator: Evaluator, path: Path) -> None:
    timing = evaluator.timing
    if timing.look is None or timing.timeout is None:
        raise UnusableTestError(f"no controller waits for `{evaluator.title}`", path)
    if timing.timeout > MOST_LOOKS * timing.look:
        what = f"the timeout of {short(timing.timeout)} is too long to simulate"
        most = short(MOST_LOOKS * timing.look)
        raise UnusableTestError(what, path, f"Set a `timeout` of {most} at most.")


def _expectation(given: Value, path: Path, evaluator: Evaluator) -> Expectation:
    """The expectation of an `expect`; raises `UnusableTestError` for one that can never be met."""
    parts: Mapping[str, Value] = {"verdict": given} if isinstance(given, str) else given
    places = {key: path if parts is not given else (*path, key) for key in parts}
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


def listed(given: Mapping[str, Value], key: str, path: Path) -> Iterator[tuple[Value, Path]]:
    """The values under a key with their places: the items of a list, the value, or nothing."""
    value, place = given.get(key, []), (*path, key)
    if not isinstance(value, list):
        yield value, place
        return
    yield from ((item, (*place, at)) for at, item in enumerate(value))


def _span(text: Value, path: Path) -> timedelta:
    """A span of time as Go writes it; raises `UnusableTestError` for anything else."""
    found = duration(text)
    if found is None or found < timedelta():
        help_ = "Write it as Go does, as in `90s` or `1h30m`."
        raise UnusableTestError(f"`{text}` is not a duration", path, help_)
    return found


def _words(evaluator: Evaluator) -> Sequence[str]:
    """The verdicts of the evaluator's system, including those that this evaluator never gives.

    A dialect may have verdicts of its own.
    """
    own = set(evaluator.statuses)
    fitting = [words for words in VOCABULARIES if own <= set(words)]
    if not fitting:
        return evaluator.statuses
    return fitting[0] if len(fitting) == 1 else STATUSES


def _outcome(given: Value, path: Path) -> bool | ExpectedValue | str:
    """`true`, `false`, `{value: any}`, or `{error: text}`."""
    if isinstance(given, bool):
        return given
    if isinstance(given, Mapping) and given.keys() == {"value"}:
        return ExpectedValue(given["value"])
    if isinstance(given, Mapping) and given.keys() == {"error"}:
        _assure_text(given["error"], (*path, "error"))
        return str(given["error"])
    what = f"`{path[-1]}` is neither true, nor false, nor a value, nor an error"
    help_ = "Write `true`, `false`, `{value: ...}` or `{error: text}`."
    raise UnusableTestError(what, path, help_)


def _assure_text(value: Value, path: Path) -> None:
    if not isinstance(value, str):
        raise UnusableTestError(f"`{path[-1]}` is not a string", path, "Put the value in quotes.")


def _assure_known(what: str, given: str, known: Sequence[str], path: Path) -> None:
    if given in known:
        return
    near = similar(given, known)
    listed = ", ".join(f"`{name}`" for name in known)
    help_ = f"Write `{near}`." if near else f"Write one of {listed}."
    raise UnusableTestError(f"there is no {what} `{given}`", path, help_)
