"""The condition `Healthy` of a resource, and `ResourcesHealthy` of its owner.

Mirrors `pkg/realizer/healthcheck` and `pkg/conditions/condition_manager.go`
(v0.7.0).
"""

from __future__ import annotations

from collections.abc import Iterable

from celvet.lint.checks import Check
from celvet.lint.controllers.cartographer import outputs
from celvet.lint.controllers.cartographer.conditions import condition
from celvet.lint.controllers.cartographer.matchers import Matcher
from celvet.lint.controllers.cartographer.rule import HealthRule, MultiMatch, RuleTypeError, decode
from celvet.lint.model import Value
from celvet.lint.verdicts.verdict import Cause, Verdict
from celvet.record import replace
from celvet.schemas import Dialect

WITHOUT_OUTPUTS = "template"
"""The strategy of a template that has no outputs."""

_OWNER_REASON = "HealthyConditionRule"
_UNKNOWN = Verdict(status="Unknown", reason="Unknown")


def health(rule: Value, obj: Value, dialect: Dialect) -> Verdict:
    """The verdict of a health rule on a stamped object; None stands for a missing one.

    The cause is the part of the rule that decided, its path from the root of
    the rule: for no match, the first healthy matcher that does not hold, with
    `error` where its path could not be read. A rule that does not decode is
    `Unknown` with an error; one that `validate` refuses for another reason is
    applied as Cartographer would.
    """
    try:
        decoded = decode(rule, dialect)
    except RuleTypeError as error:
        return Verdict(status="Unknown", reason="Unknown", error=str(error))
    return by_rule(decoded, obj)


def by_rule(decoded: HealthRule, obj: Value) -> Verdict:
    """The verdict of a decoded rule on a stamped object; see `health`."""
    if decoded.always:
        return replace(_always_healthy(obj), cause=Cause(("alwaysHealthy",)))
    if obj is None:
        return _UNKNOWN
    if decoded.single:
        return _single(decoded.single, obj)
    return _multi(decoded.multi, obj) if decoded.multi else _UNKNOWN


def default_health(template: Check, obj: Value) -> Verdict:
    """The verdict on a resource whose template has no health rule.

    It is healthy once the template's outputs can be read off the stamped
    object, None while that is not there. A plain template has no outputs and is
    always healthy.
    """
    if obj is not None and outputs.available(template, obj):
        return Verdict(status="True", reason="OutputsAvailable")
    if template.strategy == WITHOUT_OUTPUTS:
        return _always_healthy(obj)
    return Verdict(status="Unknown", reason="OutputNotAvailable")


def owner_health(resources: Iterable[Verdict]) -> Verdict:
    """The owner's `ResourcesHealthy` from the condition `Healthy` of each resource that has one.

    False with the message of the last that is False, else Unknown with that of
    the first that is Unknown. Without any condition it is Unknown.
    """
    given = list(resources)
    for status, decisive in (("False", -1), ("Unknown", 0)):
        messages = [item.message for item in given if item.status == status]
        if messages:
            return Verdict(status=status, reason=_OWNER_REASON, message=messages[decisive])
    return Verdict(status="True" if given else "Unknown", reason=_OWNER_REASON)


def _always_healthy(obj: Value) -> Verdict:
    if obj is None:
        return Verdict(status="Unknown", reason="NoStampedObject")
    return Verdict(status="True", reason="AlwaysHealthy")


def _single(kind: str, obj: Value) -> Verdict:
    found = condition(obj, kind)
    missing = f"condition with type [{kind}] not found on resource status"
    return Verdict(
        status=found.status if found and found.status in ("True", "False") else "Unknown",
        reason=f"{kind}Condition",
        message=found.message if found else missing,
        cause=Cause(("singleConditionType",)),
    )


def _multi(rule: MultiMatch, obj: Value) -> Verdict:
    for matcher in rule.unhealthy:
        message = matcher.match(obj)
        if message is not None:
            return _matched("False", matcher, message)
    return _all_healthy(rule.healthy, obj)


def _all_healthy(matchers: tuple[Matcher, ...], obj: Value) -> Verdict:
    """Healthy if all match, in the words of the first; no matcher at all matches."""
    messages = []
    for matcher in matchers:
        message = matcher.match(obj)
        if message is None:
            return _no_match(matcher, obj)
        messages.append(message)
    return _matched("True", matchers[0], messages[0]) if matchers else Verdict(status="True")


def _matched(status: str, matcher: Matcher, message: str) -> Verdict:
    cause = Cause(matcher.path)
    return Verdict(status=status, reason=matcher.reason, message=message, cause=cause)


def _no_match(matcher: Matcher, obj: Value) -> Verdict:
    error, cause = matcher.error(obj), Cause(matcher.path)
    return Verdict(status="Unknown", reason="NoMatchesFulfilled", error=error, cause=cause)
