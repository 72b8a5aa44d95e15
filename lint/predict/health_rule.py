"""What a Cartographer health rule makes of a stamped object before and after its first status.

A condition of `False` is no end: Cartographer asks again with every change.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice, product

from celvet.lint.controllers.cartographer import health, validate
from celvet.lint.controllers.cartographer.matchers import ConditionMatcher, FieldMatcher, Matcher
from celvet.lint.controllers.cartographer.rule import MultiMatch, decode
from celvet.lint.jsonpath import compile_path
from celvet.lint.model import Counterexample, GroupKind, Path, Value
from celvet.lint.predict.faults.diagnosis import RuleDiagnosis
from celvet.lint.predict.states.building import CannotBuildError, get, put
from celvet.record import record
from celvet.schemas import Dialect

_CONDITIONS = ("status", "conditions")
_MOST = 256
"""Objects that are tried for one rule."""


def diagnose_rule(rule: Value, kind: GroupKind, dialect: Dialect) -> Iterator[RuleDiagnosis]:
    """The faults of a `multiMatch` rule that Cartographer accepts."""
    multi = None if validate(rule, dialect) else decode(rule, dialect).multi
    if multi is None:
        return
    fresh = {
        "apiVersion": f"{kind.group}/v1" if kind.group else "v1",
        "kind": kind.kind or "Example",
        "metadata": {"name": "example"},
    }
    yield from _early(rule, fresh, dialect)
    yield from _never(rule, multi, fresh, dialect)


def _early(rule: Value, fresh: Value, dialect: Dialect) -> Iterator[RuleDiagnosis]:
    verdict = health(rule, fresh, dialect)
    words = "just created, without a status"
    shown = Counterexample("fresh", words, fresh, f"Healthy={verdict.status}")
    place = verdict.cause.path if verdict.cause else ()
    if verdict.status == "True":
        yield RuleDiagnosis("healthy early", ("multiMatch", "healthy"), shown)
    elif verdict.status == "False":
        yield RuleDiagnosis("unhealthy early", place, shown)


def _never(
    rule: Value, multi: MultiMatch, fresh: Value, dialect: Dialect
) -> Iterator[RuleDiagnosis]:
    """Reported only where every path is plain, so that all that matters was tried."""
    ways = [_ways(each, holds=True) for each in multi.healthy]
    ways += [_ways(each, holds=False) for each in multi.unhealthy]
    if not all(ways):
        return
    count = 0
    shown: Counterexample | None = None
    for choice in islice(product(*ways), _MOST):
        count += 1
        obj = _built(fresh, choice)
        verdict = health(rule, obj, dialect)
        if verdict.status == "True":
            return
        if verdict.status == "False" and shown is None:
            words = "of which every healthy matcher holds"
            shown = Counterexample("healthy", words, obj, "Healthy=False")
    if (
        count < _MOST
        and shown
        and health(_healthy_only(rule), shown.object, dialect).status == "True"
    ):
        yield RuleDiagnosis("never healthy", ("multiMatch", "unhealthy"), shown)


def _healthy_only(rule: Value) -> Value:
    """The rule with an unhealthy matcher that nothing matches."""
    nothing = {"matchConditions": [{"type": "", "status": ""}]}
    return {"multiMatch": {**rule["multiMatch"], "unhealthy": nothing}}


@record
class Put:
    """A value at a place, nothing at all without a place."""

    path: Path = ()
    value: Value = None


NOTHING = Put()


def _ways(matcher: Matcher, *, holds: bool) -> list[Put]:
    """The ways to make a matcher hold or not, empty where its path is not plain."""
    if isinstance(matcher, ConditionMatcher):
        condition = {"type": matcher.type, "status": matcher.status}
        return [Put(_CONDITIONS, [condition])] if holds else [NOTHING]
    place = _plain(matcher)
    if not place:
        return []
    other = "other"
    while other in matcher.values:
        other += "s"
    named = [Put(place, value) for value in matcher.values]
    ways = {
        "In": (named, [NOTHING]),
        "NotIn": ([Put(place, other)], [NOTHING, *named]),
        "Exists": ([Put(place, other)], [NOTHING]),
        "DoesNotExist": ([NOTHING], [Put(place, other)]),
    }
    return ways.get(matcher.operator, ([], []))[not holds]


def _plain(matcher: FieldMatcher) -> Path:
    """The keys of a path without filters and indices, else nothing."""
    path = compile_path(matcher.key, matcher.dialect)
    steps = [each.path for each in path.fields()]
    last = steps[-1] if steps else ()
    keys = tuple(step for step in last if isinstance(step, str))
    simple = len(keys) == len(last) == len(steps) and path.several != "always"
    return keys if simple else ()


def _built(obj: Value, ways: Iterable[Put]) -> Value:
    """The object with all that is put, conditions next to each other."""
    for way in ways:
        value = way.value
        present = get(obj, _CONDITIONS)
        if way.path == _CONDITIONS and isinstance(present, list):
            value = [*present, *value]
        try:
            obj = put(obj, way.path, value) if way.path else obj
        except CannotBuildError:
            continue
    return obj
