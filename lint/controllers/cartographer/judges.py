"""The judges of a template, and of the Workload or Deliverable that uses it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from celvet.lint.controllers.cartographer.health import owner_health
from celvet.lint.controllers.cartographer.programs import OUTPUTS, outputs_of, programs_of
from celvet.lint.controllers.cartographer.rule import HealthRule, RuleTypeError, decode
from celvet.lint.controllers.cartographer.template_judges import DefaultJudge, RuleJudge
from celvet.lint.controllers.judge import Judge, Program, Situation, WithoutCel
from celvet.lint.controllers.unstructured import ABSENT, FieldTypeError, elements, field, kind_of
from celvet.lint.controllers.verdict import Verdict
from celvet.lint.model import GroupKind, Path, Value

_GROUP = "carto.run"
_RULES = ("healthRule", "healthyConditionRule")
"""The rule's name in the released API, and that in the design document."""

_OWNERS = ("Workload", "Deliverable")

GROUPS = frozenset({_GROUP})
"""The API group of the declarations."""


@dataclass(frozen=True, slots=True)
class OwnerJudge(WithoutCel):
    """Judges a Workload or Deliverable by what was stamped for it: `ResourcesHealthy`.

    The setting `templates` lists the templates; an object is judged by the
    first of them that stamps such an object, and not at all without one.
    """

    path: Path = ()
    title: str = "ResourcesHealthy"
    group_kind: GroupKind | None = None
    programs: Sequence[Program] = ()
    statuses: Sequence[str] = ("True", "False", "Unknown")

    def applies(self, _: Value) -> bool:
        """To any object: what is stamped stands in the templates."""
        return True

    def judge(self, situation: Situation) -> Verdict:
        """The condition from those of the stamped objects."""
        templates = elements({**situation.settings}, "templates")
        stamping = [judge for template in templates for judge in judges(template)]
        return owner_health(self._healths(stamping, situation))

    def _healths(self, stamping: Sequence[Judge], situation: Situation) -> Iterator[Verdict]:
        for obj in situation.objects:
            judge = next((each for each in stamping if each.applies(obj)), None)
            if judge:
                yield judge.judge(replace(situation, objects=[obj]))


def judges(declaration: Value) -> tuple[Judge, ...]:
    """One of a template, by its rule or by default; one of an owner."""
    kind = kind_of(declaration)
    if kind.group != _GROUP:
        return ()
    if kind.kind in _OWNERS:
        return (OwnerJudge(),)
    return (_of_template(declaration),) if kind.kind in OUTPUTS else ()


def _of_template(declaration: Value) -> Judge:
    stamped = _stamped(declaration)
    for name in _RULES:
        rule = _at(declaration, "spec", name)
        if rule is not None:
            return _by_rule(("spec", name), rule, stamped)
    return DefaultJudge(declaration, stamped, tuple(outputs_of(declaration)))


def _by_rule(path: Path, rule: Value, stamped: GroupKind | None) -> RuleJudge:
    try:
        decoded = decode(rule)
    except RuleTypeError as error:
        return RuleJudge(path, HealthRule(False, "", None), str(error), stamped, ())
    return RuleJudge(path, decoded, "", stamped, tuple(programs_of(path, decoded)))


def _stamped(declaration: Value) -> GroupKind | None:
    """What the template stamps; None where its text does not tell, or stands for a parameter."""
    kind = kind_of(_at(declaration, "spec", "template"))
    return kind if kind.kind and "$(" not in str(kind) else None


def _at(value: Value, *path: str) -> Value:
    """The value at a path, None where there is none."""
    try:
        found = field(value, *path)
    except FieldTypeError:
        return None
    return None if found is ABSENT else found
