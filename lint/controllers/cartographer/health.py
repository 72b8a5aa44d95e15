"""The condition `Healthy` of a resource, and `ResourcesHealthy` of its owner.

Mirrors `pkg/realizer/healthcheck` and `pkg/conditions/condition_manager.go` (v0.7.0), for the
outputs of a template the readers of `pkg/stamp/reader.go` and what `pkg/realizer/realizer.go`
makes of a null.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from celvet.lint.checks import Check
from celvet.lint.controllers.cartographer.conditions import condition
from celvet.lint.controllers.cartographer.matchers import Matcher
from celvet.lint.controllers.cartographer.rule import HealthRule, MultiMatch, RuleTypeError, decode
from celvet.lint.jsonpath import PathResult, compile_path
from celvet.lint.model import Value
from celvet.lint.verdicts.unstructured import FieldTypeError, field, text_or
from celvet.lint.verdicts.verdict import CauseText, Verdict
from celvet.record import record, replace
from celvet.schemas import Dialect

_WITHOUT_OUTPUTS = "template"
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
        health_rule = decode(rule, dialect)
    except RuleTypeError as error:
        return Verdict(status="Unknown", reason="Unknown", error=str(error))
    return rule_health(health_rule, obj)


def rule_health(decoded: HealthRule, obj: Value) -> Verdict:
    """The verdict of a decoded rule on a stamped object; see `health`."""
    if decoded.always:
        return replace(_always_healthy_verdict(obj), cause=CauseText(("alwaysHealthy",)))
    if obj is None:
        return _UNKNOWN
    if decoded.single:
        return _single_condition_verdict(decoded.single, obj)
    return _multi_match_verdict(decoded.multi, obj) if decoded.multi else _UNKNOWN


def default_health(template: Check, obj: Value) -> Verdict:
    """The verdict on a resource whose template has no health rule.

    It is healthy once the template's outputs can be read from the stamped object, which is None
    while it does not exist. A plain template has no outputs and is always healthy.
    """
    if obj is not None and _has_output(template, obj):
        return Verdict(status="True", reason="OutputsAvailable")
    if template.strategy == _WITHOUT_OUTPUTS:
        return _always_healthy_verdict(obj)
    return Verdict(status="Unknown", reason="OutputNotAvailable")


def owner_health(resources: Iterable[Verdict]) -> Verdict:
    """The owner's `ResourcesHealthy` from the condition `Healthy` of each resource that has one.

    False with the message of the last that is False, else Unknown with that of
    the first that is Unknown. Without any condition it is Unknown.
    """
    verdicts = list(resources)
    for status, decisive in (("False", -1), ("Unknown", 0)):
        messages = [item.message for item in verdicts if item.status == status]
        if messages:
            return Verdict(status=status, reason=_OWNER_REASON, message=messages[decisive])
    return Verdict(status="True" if verdicts else "Unknown", reason=_OWNER_REASON)


def _always_healthy_verdict(obj: Value) -> Verdict:
    if obj is None:
        return Verdict(status="Unknown", reason="NoStampedObject")
    return Verdict(status="True", reason="AlwaysHealthy")


def _single_condition_verdict(kind: str, obj: Value) -> Verdict:
    item = condition(obj, kind)
    status = item.status if item else ""
    missing = f"condition with type [{kind}] not found on resource status"
    return Verdict(
        status=status if status in ("True", "False") else "Unknown",
        reason=f"{kind}Condition",
        message=item.message if item else missing,
        cause=CauseText(("singleConditionType",)),
    )


def _multi_match_verdict(rule: MultiMatch, obj: Value) -> Verdict:
    for matcher in rule.unhealthy:
        message = matcher.match(obj)
        if message is not None:
            return _match_verdict("False", matcher, message)
    return _healthy_verdict(rule.healthy, obj)


def _healthy_verdict(matchers: tuple[Matcher, ...], obj: Value) -> Verdict:
    """Healthy if all match, with the message of the first; without matchers, it is healthy."""
    messages = []
    for matcher in matchers:
        message = matcher.match(obj)
        if message is None:
            return _no_match_verdict(matcher, obj)
        messages.append(message)
    return _match_verdict("True", matchers[0], messages[0]) if matchers else Verdict(status="True")


def _match_verdict(status: str, matcher: Matcher, message: str) -> Verdict:
    cause = CauseText(matcher.path)
    return Verdict(status=status, reason=matcher.reason, message=message, cause=cause)


def _no_match_verdict(matcher: Matcher, obj: Value) -> Verdict:
    error, cause = matcher.error(obj), CauseText(matcher.path)
    return Verdict(status="Unknown", reason="NoMatchesFulfilled", error=error, cause=cause)


def _has_output(template: Check, obj: Value) -> bool:
    """Whether there is an output; a plain template never has one.

    The deployment that a ClusterDeploymentTemplate passes on is taken to come
    from upstream.
    """
    reader = _READERS.get(template.strategy)
    if reader is None or template.dialect is None:
        return False
    try:
        return reader(_Outputs(obj, template.dialect), template.value)
    except FieldTypeError:
        return False


@record
class _Outputs:
    """The values that the paths of a template read from an object."""

    obj: Value
    dialect: Dialect

    def read(self, path: str) -> PathResult:
        """The value at a path; completed, parsed and read as `pkg/eval` (v0.7.0) does."""
        return compile_path(path, self.dialect).read(self.obj)

    def at(self, texts: Value, name: str) -> PathResult:
        """The value at the path in a field."""
        return self.read(text_or("", texts, name))


def _source(outputs: _Outputs, spec: Value) -> bool:
    return all(outputs.at(spec, name).state == "value" for name in ("urlPath", "revisionPath"))


def _single_output(name: str, outputs: _Outputs, spec: Value) -> bool:
    return outputs.at(spec, name).value is not None


def _deployment(outputs: _Outputs, spec: Value) -> bool:
    completion = field(spec, "observedCompletion")
    if isinstance(completion, dict):
        return _is_completed(outputs, completion)
    return _matches_are_observed(outputs, spec)


def _matches_are_observed(outputs: _Outputs, spec: Value) -> bool:
    matches = field(spec, "observedMatches")
    pairs = matches if isinstance(matches, list) else []
    return all(_are_equal(outputs.at(pair, "input"), outputs.at(pair, "output")) for pair in pairs)


def _is_completed(outputs: _Outputs, completion: Value) -> bool:
    """The generation is observed, the condition `failed` does not hold, `succeeded` does."""
    generation = outputs.read("metadata.generation")
    if not _are_equal(generation, outputs.read("status.observedGeneration")):
        return False
    failure = completion.get("failed")
    if failure is not None:
        reading = outputs.at(failure, "key")
        if reading.state == "error" or reading.value == text_or("", failure, "value"):
            return False
    success = completion.get("succeeded")
    return bool(outputs.at(success, "key").value == text_or("", success, "value"))


def _are_equal(left: PathResult, right: PathResult) -> bool:
    """Whether both are there and equal; Go does not take true for 1, and panics on containers."""
    if not left.state == right.state == "value" or isinstance(left.value, (dict, list)):
        return False
    return type(left.value) is type(right.value) and bool(left.value == right.value)


_READERS: dict[str, Callable[[_Outputs, Value], bool]] = {
    "source-template": _source,
    "image-template": partial(_single_output, "imagePath"),
    "config-template": partial(_single_output, "configPath"),
    "deployment-template": _deployment,
}
"""Strategy of a template -> how its outputs are read from the stamped object, given its spec."""
