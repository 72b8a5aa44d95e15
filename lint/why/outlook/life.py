"""Does an object leave its state by itself? From the catalogue of kinds, with its evidence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta

from celvet.lint.cel import compile_expression
from celvet.lint.checks import Check, Expression
from celvet.lint.controllers import kstatus
from celvet.lint.model import Value
from celvet.lint.values import get, group_kind_of, list_at, mapping_at
from celvet.lint.verdicts.flux_cel import evaluate
from celvet.lint.verdicts.verdict import Verdict
from celvet.lint.why.outlook.rules import NEEDS_CHANGE, RECOVERS, Outlook, OutlookRule
from celvet.lint.why.snapshot import conditions_of, time_at, unequal_generations
from celvet.record import record
from celvet.regex import regex
from celvet.schemas import Catalog, Dialect, KindFacts, kind_facts
from celvet.schemas.facts import ROLES, Evidence, meaning_of
from celvet.schemas.kind_files import is_built_in
from celvet.schemas.live.outlook import message_outlooks

_FRESH = timedelta(minutes=5)
"""How long an object may be without a status before its operator looks as if it did not run."""

_MOST_TEXT = 10_000
_ERROR_FIELD = regex(r"(?i)(message|reason|error)$")
_UNLISTED = "unlisted"
"""What a condition or reason says that the catalogue does not have."""

_HUMPS = regex(r"(?<=[a-z])(?=[A-Z])|_")
"""Where a code such as `AccessDeniedException` or `MANIFEST_UNKNOWN` becomes words."""

_CODE = regex(r"(?:status(?: ?code)?|\bcode)\"?[:=]? ?\"?([45]\d\d)\b")
"""A status code of HTTP, as programs write it in their errors."""

_WORDED = {NEEDS_CHANGE: OutlookRule.LASTING_ERROR, RECOVERS: OutlookRule.PASSING_ERROR}
"""The rule for an error, by what its words say."""

_FIRST_SERVER_ERROR = 500
_PASSING_CODES = (408, 425, 429)
"""Request Timeout, Too Early and Too Many Requests of RFC 9110, 8470 and 6585."""


@record
class OutlookReason:
    """The rule for the outlook of an object, where its life was read, and the error that counts."""

    rule: OutlookRule
    evidence: str = ""
    error: str = ""


def object_outlook(
    obj: Mapping[str, Value],
    catalog: Catalog,
    now: datetime,
    *,
    news: str = "",
    behind: Outlook | None = None,
) -> OutlookReason:
    """The outlook of an object by the life of its kind; `news` is what its latest Event warns of.

    `behind` is the outlook of what stands behind it, which counts if an error of its own is vague.

    One that the catalogue counts as ready waits for something that its kind does not promise.
    """
    kind = group_kind_of(obj)
    facts = kind_facts(kind.group, kind.kind, catalog.directories)
    status = catalog_verdict(obj, catalog, now).status
    if facts is None:
        return OutlookReason(_plain_rule(obj, status, news))
    evidence = _shown(next(iter(facts.evidence.values()), None))
    error = ""
    if status == "Failed":
        rule = OutlookRule.FAILED
    elif status == "Current":
        rule = OutlookRule.READY
    elif _is_blank(mapping_at(obj, ("status",))) and not news:
        creation = time_at(obj, ("metadata", "creationTimestamp"))
        young = creation is not None and now - creation < _FRESH
        rule = OutlookRule.NEW if young else OutlookRule.SILENT
    else:
        rule, error = _rule_by_meaning(obj, facts, news, behind)
    return OutlookReason(rule, evidence, error)


def deletion_rule(obj: Mapping[str, Value]) -> OutlookRule:
    """The outlook of an object in deletion: a finalizer, its own or of its content, holds it.

    A Namespace tells in a condition that what is in it has finalizers.
    """
    inner = conditions_of(obj).get("NamespaceFinalizersRemaining")
    is_held = list_at(obj, ("metadata", "finalizers")) or (inner and inner.status == "True")
    return OutlookRule.HELD_DELETION if is_held else OutlookRule.DELETION


def error_rule(message: str, default: OutlookRule = OutlookRule.LASTING_ERROR) -> OutlookRule:
    """The outlook of an error after which its controller tries again, by the words of its cause."""
    outlook = message_outlook(message)
    return _WORDED[outlook] if outlook else default


def message_outlook(message: str) -> Outlook | None:
    """The outlook by the words of a message; None without any that tells.

    A program puts what it did in front of the error that it got, so the last words are the cause.
    """
    text = _HUMPS.sub(" ", message[:_MOST_TEXT]).lower()
    places = [(code.end(), _code_outlook(int(code[1]))) for code in _CODE.finditer(text)]
    places += [
        (text.rfind(word) + len(word), outlook)
        for outlook in (NEEDS_CHANGE, RECOVERS)
        for word in message_outlooks()[outlook]
        if word in text
    ]
    return max(places)[1] if places else None


def _code_outlook(code: int) -> Outlook:
    """A server that fails or is busy may answer later; it refuses for good what is the caller's."""
    return RECOVERS if code >= _FIRST_SERVER_ERROR or code in _PASSING_CODES else NEEDS_CHANGE


def _is_blank(value: Value) -> bool:
    """Whether there is nothing in a status, as in that of a Service without a load balancer."""
    return not value or (isinstance(value, dict) and all(map(_is_blank, value.values())))


def _plain_rule(obj: Mapping[str, Value], status: str, news: str) -> OutlookRule:
    """The outlook of an object of which the catalogue knows nothing but what kstatus says.

    Nobody but a user changes what has no status, such as a ConfigMap.
    """
    kind = group_kind_of(obj)
    if status == "Failed":
        return OutlookRule.FAILED
    if not is_built_in(kind.group, kind.kind):
        conditions = conditions_of(obj).values()
        messages = [condition.message for condition in conditions if condition.status != "True"]
        outlook = message_outlook(" ".join([*messages, news]))
        return _WORDED[outlook] if outlook else OutlookRule.UNKNOWN_STATE
    if status != "Current":
        return error_rule(news) if news else OutlookRule.PASSING_STATE
    return OutlookRule.UNKNOWN_STATE if mapping_at(obj, ("status",)) else OutlookRule.READY


def _rule_by_meaning(
    obj: Mapping[str, Value], facts: KindFacts, news: str, behind: Outlook | None
) -> tuple[OutlookRule, str]:
    """The rule by what conditions and phases mean, and the error if one decides."""
    if unequal_generations(obj):
        return OutlookRule.OUTDATED, ""
    conditions = [*_condition_meanings(obj, facts)]
    meanings = {*_phase_meanings(obj, facts), *(word for word, _ in conditions)} - {_UNLISTED}
    if meanings & {"failed", "suspended"}:
        return OutlookRule.STUCK, ""
    # A message that belongs to a way that the catalogue knows says why, not what went wrong.
    messages = [text for meaning, text in conditions if meaning in ("transient", _UNLISTED)]
    phases = {phase.path for phase in facts.phases}
    reasons = [text for path, text in status_fields(obj) if path not in phases]
    texts = [text for text in (*messages, *reasons, news) if text]
    outlook = message_outlook(" ".join(texts))
    error = next((text for text in reversed(texts) if message_outlook(text) == outlook), "")
    # An error lasts if nothing in its words says otherwise: networks and servers say so.
    errors = [news, *(text for meaning, text in conditions if meaning == "transient")]
    if "transient" in _phase_meanings(obj, facts):
        errors += (text for path, text in status_fields(obj) if _ERROR_FIELD.search(path))
    if outlook is None and any(errors):
        outlook = behind or NEEDS_CHANGE
    if outlook == NEEDS_CHANGE:
        return OutlookRule.LASTING_ERROR, error
    if outlook == RECOVERS and "transient" in meanings:
        return OutlookRule.PASSING_ERROR, error
    return (OutlookRule.UNKNOWN_STATE if meanings == {""} else OutlookRule.PASSING_STATE), ""


def status_fields(obj: Mapping[str, Value]) -> Iterator[tuple[str, str]]:
    """The path and text of each text in the status of an object, such as the reason of a phase."""
    for name, value in mapping_at(obj, ("status",)).items():
        fields = value.items() if isinstance(value, dict) else ((None, value),)
        for inner, text in fields:
            path = ".".join(filter(None, ("status", name, inner)))
            if isinstance(text, str):
                yield path, text


def _condition_meanings(obj: Mapping[str, Value], facts: KindFacts) -> Iterator[tuple[str, str]]:
    """What each condition says, and its message; one with a reason of its own may be an error."""
    for name, condition in conditions_of(obj).items():
        claim = facts.conditions.get(name, {}).get(condition.status, _UNLISTED)
        reasons = mapping_at(claim, ("reasons",))
        meaning = meaning_of(reasons.get(condition.reason) or claim)
        if meaning == "inProgress" and condition.severity == "Error":
            meaning = "transient"  # Cluster API says of each condition that is false how bad it is
        is_new = reasons and condition.reason not in reasons and meaning == "inProgress"
        yield _UNLISTED if is_new else meaning, condition.message


def _phase_meanings(obj: Mapping[str, Value], facts: KindFacts) -> Iterator[str]:
    """The meaning of each phase; empty for a text that the catalogue does not have."""
    for phase in facts.phases:
        text = get(obj, tuple(phase.path.split(".")))
        if isinstance(text, str):
            yield phase.values.get(text) or ("inProgress" if text in phase.former else "")


def catalog_verdict(obj: Mapping[str, Value], catalog: Catalog, now: datetime) -> Verdict:
    """The verdict by the entry that the catalogue recommends, by kstatus if that is enough."""
    kind = group_kind_of(obj)
    facts = kind_facts(kind.group, kind.kind, catalog.directories)
    dialect = next(filter(_has_all_roles, catalog.dialects.values()), None)
    if facts is None or not facts.entry or dialect is None:
        return kstatus.read(dict(obj), now)
    expressions = tuple(
        Expression((role,), role, compile_expression(text, dialect))
        for role, text in facts.entry.items()
    )
    return evaluate(Check((), {}, "", ("", ""), dialect, expressions), dict(obj))


def _has_all_roles(dialect: Dialect) -> bool:
    return {role.name for role in dialect.roles} == ROLES.keys()


def _shown(evidence: Evidence | None) -> str:
    return f"{evidence.repository} {evidence.release}, {evidence.path}" if evidence else ""
