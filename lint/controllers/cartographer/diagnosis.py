"""Diagnoses a health rule on a stamped object without a status, and on a healthy one.

A condition of `False` is not final: Cartographer evaluates again at every change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial, reduce
from itertools import islice, product
from typing import TypeAlias

from celvet.lint.controllers.cartographer.health import health
from celvet.lint.controllers.cartographer.matchers import ConditionMatcher, Matcher
from celvet.lint.controllers.cartographer.rule import MultiMatch, decode, validate
from celvet.lint.jsonpath import CompiledPath, compile_path
from celvet.lint.model import Counterexample, GroupKind, Value
from celvet.lint.values import list_at, mapping_at
from celvet.lint.verdicts.evaluator import RuleDiagnosis
from celvet.lint.verdicts.examples import FRESH, placed
from celvet.schemas import Dialect

_MOST = 256
"""The most objects to try for one rule."""

_Change: TypeAlias = Callable[[Value], Value]


def diagnose(rule: Value, kind: GroupKind, dialect: Dialect) -> Iterator[RuleDiagnosis]:
    """The faults of a `multiMatch` rule that Cartographer accepts, for objects of a kind."""
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
    shown = Counterexample("fresh", FRESH, fresh, f"Healthy={verdict.status}")
    place = verdict.cause.path if verdict.cause else ()
    if verdict.status == "True":
        yield RuleDiagnosis("healthy early", ("multiMatch", "healthy"), shown)
    elif verdict.status == "False":
        yield RuleDiagnosis("unhealthy early", place, shown)


def _never(
    rule: Value, multi: MultiMatch, fresh: Value, dialect: Dialect
) -> Iterator[RuleDiagnosis]:
    """Reported only if every path is plain, so that everything that matters was tried."""
    changes = [_changes(each, holds=True) for each in multi.healthy]
    changes += [_changes(each, holds=False) for each in multi.unhealthy]
    tried = [*islice(product(*changes), _MOST)]
    if not all(changes) or len(tried) == _MOST:
        return
    objects = [reduce(lambda obj, change: change(obj), each, fresh) for each in tried]
    statuses = [health(rule, obj, dialect).status for obj in objects]
    if "True" in statuses or "False" not in statuses:
        return
    obj = objects[statuses.index("False")]
    if health(_healthy_only(rule), obj, dialect).status == "True":
        words = "that every healthy matcher matches"
        shown = Counterexample("healthy", words, obj, "Healthy=False")
        yield RuleDiagnosis("never healthy", ("multiMatch", "unhealthy"), shown)


def _healthy_only(rule: Value) -> Value:
    """The rule with an unhealthy matcher that nothing matches."""
    nothing = {"matchConditions": [{"type": "", "status": ""}]}
    return {"multiMatch": {**rule["multiMatch"], "unhealthy": nothing}}


def _changes(matcher: Matcher, *, holds: bool) -> Sequence[_Change]:
    """Changes of an object that make a matcher match or not; none if its path is not plain."""
    if isinstance(matcher, ConditionMatcher):
        return [partial(_with_condition, matcher)] if holds else [_unchanged]
    path = compile_path(matcher.key, matcher.dialect)
    if not _is_plain(path):
        return []
    other = "other"
    while other in matcher.values:
        other += "s"
    unlisted = partial(_with_value, path, other)
    listed = [partial(_with_value, path, value) for value in matcher.values]
    changes: dict[str, tuple[Sequence[_Change], Sequence[_Change]]] = {
        "In": (listed, [_unchanged]),
        "NotIn": ([unlisted], [_unchanged, *listed]),
        "Exists": ([unlisted], [_unchanged]),
        "DoesNotExist": ([_unchanged], [unlisted]),
    }
    return changes.get(matcher.operator, ([], []))[not holds]


def _is_plain(path: CompiledPath) -> bool:
    """Whether a path has only keys, no filters or indices."""
    steps = [each.path for each in path.fields()]
    keys = [step for step in (steps[-1] if steps else ()) if isinstance(step, str)]
    return 0 < len(keys) == len(steps[-1]) == len(steps) and path.several != "always"


def _unchanged(obj: Value) -> Value:
    return obj


def _with_value(path: CompiledPath, value: str, obj: Value) -> Value:
    """The object with a value at a path; unchanged if the path does not fit."""
    return placed(obj, path, value) or obj


def _with_condition(matcher: ConditionMatcher, obj: Value) -> Value:
    condition = {"type": matcher.type, "status": matcher.status}
    conditions = [*list_at(obj, ("status", "conditions")), condition]
    return {**obj, "status": {**mapping_at(obj, ("status",)), "conditions": conditions}}
