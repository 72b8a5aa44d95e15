"""Examples of stamped objects, by the health rule of their template."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import cast

from celvet.lint.checks import AnyExpression
from celvet.lint.controllers.cartographer.matchers import ConditionMatcher, Matcher
from celvet.lint.controllers.cartographer.rule import HealthRule
from celvet.lint.jsonpath import CompiledPath, compile_path
from celvet.lint.model import Value
from celvet.lint.verdicts.examples import FRESH, Example, example, placed, with_conditions
from celvet.lint.verdicts.unstructured import text_or


def of_rule(rule: HealthRule, declaration: Value) -> Iterator[Example]:
    """Objects without a match, with all healthy matches, and with an unhealthy one."""
    fresh = _stamped(declaration)
    yield Example(f"an object {FRESH}", (fresh,))
    if rule.single:
        for status in ("True", "False"):
            name = f"an object whose condition `{rule.single}` is `{status}`"
            yield Example(name, (with_conditions(fresh, {rule.single: status}),))
    if rule.multi:
        healthy = _held(fresh, rule.multi.healthy)
        unhealthy = (_held(fresh, [each]) for each in rule.multi.unhealthy)
        if healthy:
            yield Example("an object that all healthy matchers match", (healthy,))
        for obj in filter(None, unhealthy):
            yield Example("an object that an unhealthy matcher matches", (obj,))


def of_default(expressions: Sequence[AnyExpression], declaration: Value) -> Iterator[Example]:
    """An object whose outputs cannot be read yet, and one with all of them."""
    fresh = _stamped(declaration)
    yield Example(f"an object {FRESH}", (fresh,))
    obj: Value | None = {**fresh, "status": {"observedGeneration": 1}}
    for expression in expressions:
        *above, role = expression.path
        wanted = text_or("", declaration, *map(str, above), "value") if role == "key" else ""
        value = "other" if above[-1:] == ["failed"] else wanted or "example"
        obj = obj and placed(obj, cast(CompiledPath, expression.program), value)
    if obj and expressions:
        yield Example("an object with all outputs", (obj,))


def _stamped(declaration: Value) -> dict[str, Value]:
    """The object that a template stamps, if its text shows it."""
    texts = (text_or("", declaration, "spec", "template", key) for key in ("apiVersion", "kind"))
    version, kind = ("" if "$(" in text else text for text in texts)
    return example(version or "v1", kind or "Example")


def _held(obj: Value | None, matchers: Iterable[Matcher]) -> Value | None:
    """The object changed so that the matchers match; None if it is unknown how."""
    for each in matchers:
        obj = obj and _matched(obj, each)
    return obj


def _matched(obj: Value, matcher: Matcher) -> Value | None:
    if isinstance(matcher, ConditionMatcher):
        return with_conditions(obj, {matcher.type: matcher.status})
    if matcher.operator == "DoesNotExist":
        return obj
    value = "example"
    if matcher.operator == "In":
        value = matcher.values[0] if matcher.values else value
    while matcher.operator == "NotIn" and value in matcher.values:
        value += "s"
    return placed(obj, compile_path(matcher.key, matcher.dialect), value)
