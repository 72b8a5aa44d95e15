"""The evaluators of a template and of an owner."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import cast

from celvet import schemas
from celvet.lint.checks import AnyExpression, Check, CheckedObject, check_value
from celvet.lint.controllers.cartographer.diagnosis import diagnose
from celvet.lint.controllers.cartographer.health import default_health, owner_health, rule_health
from celvet.lint.controllers.cartographer.matchers import ConditionMatcher, Matcher
from celvet.lint.controllers.cartographer.rule import HealthRule, RuleTypeError, decode
from celvet.lint.jsonpath import CompiledPath
from celvet.lint.model import GroupKind, Path, Value
from celvet.lint.values import group_kind_of, list_at
from celvet.lint.verdicts.evaluator import BaseEvaluator, ClusterState, Evaluator, RuleDiagnosis
from celvet.lint.verdicts.examples import FRESH, Example, example, with_conditions, with_value
from celvet.lint.verdicts.unstructured import text_or
from celvet.lint.verdicts.verdict import CauseText, Verdict
from celvet.record import record, replace
from celvet.schemas import Dialect

_GROUP = "carto.run"
_TEMPLATE = "template"
"""The end of the strategies of templates."""

_OWNERS = ("Workload", "Deliverable")

GROUPS = frozenset({_GROUP})
"""The API group of the declarations."""


@record
class RuleEvaluator(BaseEvaluator):
    """Evaluates stamped objects by the health rule of their template: the condition `Healthy`.

    `error` says why a rule does not decode; `rule` is then empty.
    """

    check: Check
    rule: HealthRule
    error: str
    group_kind: GroupKind | None
    expressions: Sequence[AnyExpression]

    title: str = "health rule"

    @property
    def path(self) -> Path:
        """The path of the rule in its template."""
        return self.check.path

    @property
    def statuses(self) -> Sequence[str]:
        """The statuses, without False if no matcher can give it."""
        rule = self.rule
        failing = rule.single or (rule.multi and rule.multi.unhealthy)
        return ("True", "False", "Unknown") if failing and not rule.always else ("True", "Unknown")

    def applies(self, obj: Value) -> bool:
        """Whether the template stamps such an object, if its text says so."""
        return self.group_kind in (None, group_kind_of(obj))

    def examples(self, declaration: Value) -> Iterator[Example]:
        """Objects without a match, with all healthy matches, and with an unhealthy one."""
        return _rule_examples(self.rule, declaration)

    def diagnoses(self) -> Iterator[RuleDiagnosis]:
        """Faults: a verdict that comes too early, or never."""
        check = self.check
        for rule_diagnosis in diagnose(check.value, check.group_kind, _dialect(check)):
            yield replace(rule_diagnosis, path=(*self.path, *rule_diagnosis.path))

    def evaluate(self, cluster: ClusterState) -> Verdict:
        """The verdict of the rule on the object that the template stamps."""
        if self.error:
            return Verdict(status="Unknown", reason="Unknown", error=self.error)
        verdict = rule_health(self.rule, cluster.covered(self.applies)[0])
        if verdict.cause is None:
            return verdict
        return replace(verdict, cause=CauseText((*self.path, *verdict.cause.path)))


@record
class DefaultEvaluator(BaseEvaluator):
    """Evaluates the stamped objects of a template without a health rule."""

    template: Check
    group_kind: GroupKind | None

    path: Path = ()
    title: str = "default health"
    statuses: Sequence[str] = ("True", "Unknown")

    @property
    def expressions(self) -> Sequence[AnyExpression]:
        """The paths of the outputs."""
        return self.template.expressions

    def applies(self, obj: Value) -> bool:
        """Whether the template stamps such an object, if its text says so."""
        return self.group_kind in (None, group_kind_of(obj))

    def examples(self, declaration: Value) -> Iterator[Example]:
        """An object without outputs, and one with all."""
        return _default_examples(self.expressions, declaration)

    def evaluate(self, cluster: ClusterState) -> Verdict:
        """Whether the outputs can be read off the first object that the template stamps."""
        return default_health(self.template, cluster.covered(self.applies)[0])


@record
class OwnerEvaluator(BaseEvaluator):
    """Evaluates a Workload or Deliverable by its stamped objects: `ResourcesHealthy`.

    The setting `templates` lists the templates; an object is evaluated by the
    first of them that stamps such an object, and not at all without one.
    """

    path: Path = ()
    title: str = "ResourcesHealthy"
    group_kind: GroupKind | None = None
    expressions: Sequence[AnyExpression] = ()
    statuses: Sequence[str] = ("True", "False", "Unknown")

    def examples(self, _: Value) -> Iterator[Example]:
        """No examples, since the matchers are in templates, which are not at hand."""
        return iter(())

    def evaluate(self, cluster: ClusterState) -> Verdict:
        """The condition from those of the stamped objects."""
        templates = list_at(cluster.settings, ("templates",))
        catalog = schemas.load()
        stamping = [
            evaluator
            for template in templates
            for evaluator in evaluators(check_value(template, catalog))
        ]
        return owner_health(self._healths(stamping, cluster))

    def _healths(self, stamping: Sequence[Evaluator], cluster: ClusterState) -> Iterator[Verdict]:
        for obj in cluster.objects:
            evaluator = next((candidate for candidate in stamping if candidate.applies(obj)), None)
            if evaluator:
                yield evaluator.evaluate(replace(cluster, objects=[obj]))


def evaluators(checked: CheckedObject) -> tuple[Evaluator, ...]:
    """The evaluator of a template, by its rule or by default, or that of an owner."""
    if group_kind_of(checked.value).kind in _OWNERS:
        return (OwnerEvaluator(),)
    if rules := checked.doing("health-rule"):
        return (_rule_evaluator(rules[0], _stamped_kind(rules[0])),)
    templates = (check for check in checked.checks if check.strategy.endswith(_TEMPLATE))
    return tuple(DefaultEvaluator(template, _stamped_kind(template)) for template in templates)


def _stamped_kind(check: Check) -> GroupKind | None:
    """The kind of the objects that a template stamps; None if it is a parameter."""
    kind = check.group_kind
    return kind if kind.kind and "$(" not in str(kind) else None


def _rule_evaluator(check: Check, stamped: GroupKind | None) -> RuleEvaluator:
    try:
        rule = decode(check.value, _dialect(check))
    except RuleTypeError as error:
        return RuleEvaluator(check, HealthRule(False, "", None), str(error), stamped, ())
    return RuleEvaluator(check, rule, "", stamped, tuple(_expressions_in_order(check, rule)))


def _expressions_in_order(check: Check, rule: HealthRule) -> Iterator[AnyExpression]:
    """The paths of the matchers, in the order in which they are tried."""
    expressions = {expression.path: expression for expression in check.expressions}
    multi = (*rule.multi.unhealthy, *rule.multi.healthy) if rule.multi else ()
    for matcher in multi:
        places = ((*check.path, *matcher.path, role) for role in ("key", "messagePath"))
        yield from (expressions[place] for place in places if place in expressions)


def _dialect(check: Check) -> Dialect:
    if check.dialect is None:
        raise TypeError(f"the catalogue gives `{check.strategy}` no dialect")
    return check.dialect


def _rule_examples(rule: HealthRule, declaration: Value) -> Iterator[Example]:
    """Objects without a match, with all healthy matches, and with an unhealthy one."""
    fresh = _stamped_example(declaration)
    yield Example(f"an object {FRESH}", (fresh,))
    if rule.single:
        for status in ("True", "False"):
            name = f"an object whose condition `{rule.single}` is `{status}`"
            yield Example(name, (with_conditions(fresh, {rule.single: status}),))
    if rule.multi:
        healthy = _with_all_matches(fresh, rule.multi.healthy)
        unhealthy = (_with_all_matches(fresh, [matcher]) for matcher in rule.multi.unhealthy)
        if healthy:
            yield Example("an object that all healthy matchers match", (healthy,))
        for obj in filter(None, unhealthy):
            yield Example("an object that an unhealthy matcher matches", (obj,))


def _default_examples(
    expressions: Sequence[AnyExpression], declaration: Value
) -> Iterator[Example]:
    """An object whose outputs cannot be read yet, and one with all of them."""
    fresh = _stamped_example(declaration)
    yield Example(f"an object {FRESH}", (fresh,))
    obj: Value | None = {**fresh, "status": {"observedGeneration": 1}}
    for expression in expressions:
        *above, role = expression.path
        listed_value = text_or("", declaration, *map(str, above), "value") if role == "key" else ""
        value = "other" if above[-1:] == ["failed"] else listed_value or "example"
        obj = obj and with_value(obj, cast(CompiledPath, expression.program), value)
    if obj and expressions:
        yield Example("an object with all outputs", (obj,))


def _stamped_example(declaration: Value) -> dict[str, Value]:
    """The object that a template stamps, if its text shows it."""
    texts = (text_or("", declaration, "spec", "template", key) for key in ("apiVersion", "kind"))
    version, kind = ("" if "$(" in text else text for text in texts)
    return example(version or "v1", kind or "Example")


def _with_all_matches(obj: Value | None, matchers: Iterable[Matcher]) -> Value | None:
    """The object, changed so that the matchers match; None if that is not possible."""
    for matcher in matchers:
        obj = obj and _with_match(obj, matcher)
    return obj


def _with_match(obj: Value, matcher: Matcher) -> Value | None:
    if isinstance(matcher, ConditionMatcher):
        return with_conditions(obj, {matcher.type: matcher.status})
    if matcher.operator == "DoesNotExist":
        return obj
    value = "example"
    if matcher.operator == "In":
        value = matcher.values[0] if matcher.values else value
    while matcher.operator == "NotIn" and value in matcher.values:
        value += "s"
    return with_value(obj, matcher.key, value)
