"""Diagnoses a health rule on a stamped object without a status, and on a healthy one.

A condition of `False` is not final: Cartographer evaluates again at every change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial, reduce
from itertools import islice, product
from typing import TypeAlias

from celvet.lint.controllers.cartographer.health import rule_health
from celvet.lint.controllers.cartographer.matchers import ConditionMatcher, Matcher
from celvet.lint.controllers.cartographer.rule import HealthRule, decode, validate
from celvet.lint.jsonpath import CompiledPath
from celvet.lint.model import Counterexample, GroupKind, Value
from celvet.lint.values import list_at, mapping_at
from celvet.lint.verdicts.evaluator import RuleDiagnosis
from celvet.lint.verdicts.examples import FRESH, with_value
from celvet.schemas import Dialect

_MOST = 256
"""The most objects to try for one rule."""

_Change: TypeAlias = Callable[[Value], Value]


def diagnose(rule: Value, kind: GroupKind, dialect: Dialect) -> Iterator[RuleDiagnosis]:
    """The faults of a `multiMatch` rule that Cartographer accepts, for objects of a kind."""
    if validate(rule, dialect) or not (health_rule := decode(rule, dialect)).multi:
        return
    fresh = {
        "apiVersion": f"{kind.group}/v1" if kind.group else "v1",
        "kind": kind.kind or "Example",
        "metadata": {"name": "example"},
    }
    yield from _diagnose_fresh_object(health_rule, fresh)
    yield from _diagnose_impossible_health(health_rule, fresh)


def _diagnose_fresh_object(rule: HealthRule, fresh: Value) -> Iterator[RuleDiagnosis]:
    verdict = rule_health(rule, fresh)
    example = Counterexample("fresh", FRESH, fresh, f"Healthy={verdict.status}")
    place = verdict.cause.path if verdict.cause else ()
    if verdict.status == "True":
        yield RuleDiagnosis("healthy early", ("multiMatch", "healthy"), example)
    elif verdict.status == "False":
        yield RuleDiagnosis("unhealthy early", place, example)


def _diagnose_impossible_health(rule: HealthRule, fresh: Value) -> Iterator[RuleDiagnosis]:
    """Reported only if every path is plain, so that everything that matters was tried."""
    healthy, unhealthy = (rule.multi.healthy, rule.multi.unhealthy) if rule.multi else ((), ())
    changes = [_changes(matcher, holds=True) for matcher in healthy]
    changes += [_changes(matcher, holds=False) for matcher in unhealthy]
    combinations = [*islice(product(*changes), _MOST)]
    if not all(changes) or len(combinations) == _MOST:
        return
    objects = [
        reduce(lambda obj, change: change(obj), combination, fresh) for combination in combinations
    ]
    statuses = [rule_health(rule, obj).status for obj in objects]
    # If some object is Healthy the rule can be met; if none is even unhealthy, nothing was tried.
    if "True" in statuses or "False" not in statuses:
        return
    obj = objects[statuses.index("False")]
    if all(matcher.match(obj) is not None for matcher in healthy):
        words = "that every healthy matcher matches"
        example = Counterexample("healthy", words, obj, "Healthy=False")
        yield RuleDiagnosis("never healthy", ("multiMatch", "unhealthy"), example)


def _changes(matcher: Matcher, *, holds: bool) -> Sequence[_Change]:
    """Changes of an object that make a matcher match or not; none if its path is not plain."""
    if isinstance(matcher, ConditionMatcher):
        return [partial(_with_condition, matcher)] if holds else [_same_object]
    path = matcher.key
    if not _is_plain(path):
        return []
    new_value = "other"
    while new_value in matcher.values:
        new_value += "s"
    set_new_value = partial(_with_value, path, new_value)
    set_listed_values = [partial(_with_value, path, value) for value in matcher.values]
    changes: dict[str, tuple[Sequence[_Change], Sequence[_Change]]] = {
        "In": (set_listed_values, [_same_object]),
        "NotIn": ([set_new_value], [_same_object, *set_listed_values]),
        "Exists": ([set_new_value], [_same_object]),
        "DoesNotExist": ([_same_object], [set_new_value]),
    }
    return changes.get(matcher.operator, ([], []))[not holds]


def _is_plain(path: CompiledPath) -> bool:
    """Whether a path has only keys, no filters or indices."""
    steps = [field.path for field in path.fields()]
    keys = [step for step in (steps[-1] if steps else ()) if isinstance(step, str)]
    return 0 < len(keys) == len(steps[-1]) == len(steps) and path.several != "always"


def _same_object(obj: Value) -> Value:
    return obj


def _with_value(path: CompiledPath, value: str, obj: Value) -> Value:
    """The object with a value at a path; unchanged if the path does not fit."""
    return with_value(obj, path, value) or obj


def _with_condition(matcher: ConditionMatcher, obj: Value) -> Value:
    condition = {"type": matcher.type, "status": matcher.status}
    conditions = [*list_at(obj, ("status", "conditions")), condition]
    return {**obj, "status": {**mapping_at(obj, ("status",)), "conditions": conditions}}
