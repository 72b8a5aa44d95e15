"""What conditions in the grammar of label selectors make of a new resource, and of no resource."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from celvet.lint.checks import CheckedObject, PathExpression
from celvet.lint.model import Finding, GroupKind, Span
from celvet.lint.values import text_at
from celvet.record import replace
from celvet.schemas import KindFacts

if TYPE_CHECKING:
    from celvet.lint.jsonpath.selector import Requirement
    from celvet.lint.jsonpath.wait_list import ReadyCondition

_NEEDS_A_FIELD = ("=", "in", "<", ">", "exists")
_NEW = "create"
"""The action after which there is no status yet (`ResourceTemplate.Action` of Argo Workflows)."""


def early_conditions(checked: CheckedObject, *, failed: bool) -> Iterator[Finding]:
    """Conditions of success, or of failure, that are met before a new resource has a status."""
    for check in checked.checks:
        is_new = text_at(check.value, ("action",)) == _NEW
        for expression in check.paths if is_new else ():
            role = expression.dialect.role(expression.role)
            parts = _requirements(expression)
            # An object without fields fulfils nothing that is asked of the manifest.
            results = [part.matches({}) for part in parts]
            is_met = any(results) if role.join == "any" else bool(results) and all(results)
            if not is_met or (role.answer == "Failed") is not failed:
                continue
            culprit = parts[results.index(True)]
            message = (
                f"this does not ask for `{culprit.key}` to be there: a resource without a status is"
                f" {role.answer}"
            )
            help_ = "Ask for a value that the resource has in the end, by `=` or `in`."
            where = checked.at(expression, culprit.span)
            yield Finding(message=message, where=where, help=help_)


def impossible_conditions(checked: CheckedObject) -> Iterator[Finding]:
    """Requirements that no object of the kind fulfils, by the catalogue."""
    for check in checked.checks:
        facts = checked.facts_of(check)
        for expression in check.paths:
            role = expression.dialect.role(expression.role)
            for part in expression.program.requirements or ():
                if reason := _reason(part, check.group_kind, facts):
                    end = role.never if role.join == "all" else "this part is never met"
                    where = checked.at(expression, part.span)
                    help_ = "Ask for what the kind has."
                    yield Finding(message=f"{reason}: {end}", where=where, help=help_)


def _requirements(expression: PathExpression) -> list[Requirement]:
    """The requirements of a selector; none of another language of conditions."""
    parts = expression.program.requirements or ()
    if not parts:
        return []
    from celvet.lint.jsonpath.selector import Requirement

    return [part for part in parts if isinstance(part, Requirement)]


def _reason(part: Requirement | ReadyCondition, kind: GroupKind, facts: KindFacts | None) -> str:
    # JSONPath and the waiters take an eighth of a run to load, which few files need.
    from celvet.lint.jsonpath.selector import Requirement, template
    from celvet.lint.rules.shared.wait_faults import field_reason, never_reason, phase_reason
    from celvet.lint.waiters.kubectl_wait import ConditionWait, PathWait

    if not isinstance(part, Requirement):
        if part.template is None:
            return never_reason(ConditionWait(part.name, part.value), kind, facts)
        return never_reason(PathWait(part.template, part.value), kind, facts)
    if part.operator not in _NEEDS_A_FIELD:
        return ""
    at_start = replace(part, span=Span(0, len(part.key)))
    if reason := field_reason(template(part.key, [at_start]), kind):
        return reason
    reasons = [phase_reason(part.key, value, facts) for value in part.values] if facts else []
    return reasons[0] if reasons and part.operator in ("=", "in") and all(reasons) else ""
