"""A template's health rule, decoded, and whether Cartographer's webhook accepts it.

Mirrors `HealthRule` and its `validate` in `pkg/apis/v1alpha1` (v0.7.0). The schema of the CRD, not
the webhook, checks the operators and values of matchers.
"""

from __future__ import annotations

from celvet.lint.controllers.cartographer.matchers import ConditionMatcher, FieldMatcher, Matcher
from celvet.lint.jsonpath import compile_path
from celvet.lint.model import Path, Value, field_path
from celvet.record import record
from celvet.schemas import Dialect

_ONE_OF = "must specify one of alwaysHealthy, singleConditionType or multiMatch"


class RuleTypeError(ValueError):
    """A rule that does not decode."""


@record
class MultiMatch:
    """Any matcher of `unhealthy` suffices, all of `healthy` must hold."""

    healthy: tuple[Matcher, ...]
    unhealthy: tuple[Matcher, ...]


@record
class HealthRule:
    """The parts of a rule; a valid one sets exactly one of the three."""

    always: bool
    single: str
    multi: MultiMatch | None


def validate(rule: Value, dialect: Dialect) -> str:
    """Why Cartographer's webhook refuses a health rule; empty for one that it accepts."""
    try:
        health_rule = decode(rule, dialect)
    except RuleTypeError as error:
        return f"invalid health rule: {error}"
    part_count = sum((health_rule.always, bool(health_rule.single), health_rule.multi is not None))
    if part_count != 1:
        return f"invalid health rule: {_ONE_OF}, found {'multiple' if part_count else 'neither'}"
    return _matcher_error(health_rule.multi) if health_rule.multi else ""


def decode(rule: Value, dialect: Dialect) -> HealthRule:
    """The parts of the rule; null counts as absent. Raises `RuleTypeError` for a wrong type.

    The matchers read their paths as `dialect` says.
    """
    fields = _of_type(rule, dict, ())
    return HealthRule(
        always=fields.get("alwaysHealthy") is not None,
        single=_field(fields, (), "singleConditionType", str),
        multi=_multi_match(fields, dialect) if fields.get("multiMatch") is not None else None,
    )


def _matcher_error(multi: MultiMatch) -> str:
    for name, matchers in (("unhealthy", multi.unhealthy), ("healthy", multi.healthy)):
        if not matchers:
            words = f"{name} rule has no matchFields or matchConditions"
            return f"invalid multi match health rule: {words}"
    return ""


def _multi_match(fields: Value, dialect: Dialect) -> MultiMatch:
    place = ("multiMatch",)
    multi = _field(fields, (), "multiMatch", dict)
    healthy, unhealthy = (
        _matchers(multi, (*place, name), dialect) for name in ("healthy", "unhealthy")
    )
    return MultiMatch(healthy, unhealthy)


def _matchers(multi: Value, path: Path, dialect: Dialect) -> tuple[Matcher, ...]:
    """The matchers in the order in which they are tried: conditions first."""
    section = _field(multi, path[:-1], str(path[-1]), dict)
    conditions = _elements(section, path, "matchConditions")
    fields = _elements(section, path, "matchFields")
    return (
        *(_condition_matcher(item, where) for where, item in conditions),
        *(_field_matcher(item, where, dialect) for where, item in fields),
    )


def _condition_matcher(item: Value, path: Path) -> Matcher:
    return ConditionMatcher(
        path, _field(item, path, "type", str), _field(item, path, "status", str)
    )


def _field_matcher(item: Value, path: Path, dialect: Dialect) -> Matcher:
    values = _field(item, path, "values", list)
    return FieldMatcher(
        path,
        key=compile_path(_field(item, path, "key", str), dialect),
        operator=_field(item, path, "operator", str),
        values=tuple(_of_type(text, str, (*path, "values", i)) for i, text in enumerate(values)),
        message_path=compile_path(_field(item, path, "messagePath", str), dialect),
    )


def _elements(section: Value, path: Path, name: str) -> list[tuple[Path, Value]]:
    places = (((*path, name, i), item) for i, item in enumerate(_field(section, path, name, list)))
    return [(where, _of_type(item, dict, where)) for where, item in places]


def _field(fields: Value, path: Path, name: str, kind: type) -> Value:
    return _of_type(fields.get(name), kind, (*path, name))


def _of_type(value: Value, kind: type, path: Path) -> Value:
    """The value if it is of the kind, the zero of the kind for null."""
    if value is None:
        return kind()
    if not isinstance(value, kind):
        where = f"`{field_path(path)}`" if path else "the rule"
        raise RuleTypeError(f"{where} is not a {_NAMES[kind]}")
    return value


_NAMES: dict[type, str] = {str: "string", list: "list", dict: "mapping"}
