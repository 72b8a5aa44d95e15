"""Does an object leave its state by itself? From the catalogue of kinds, with its evidence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta

from celvet.lint.cel import compile_expression
from celvet.lint.checks import Check, Expression
from celvet.lint.controllers import kstatus
from celvet.lint.model import Value
from celvet.lint.values import get, group_kind_of, list_at, mapping_at, text_at
from celvet.lint.verdicts.flux_cel import evaluate
from celvet.lint.verdicts.verdict import Verdict
from celvet.lint.why.report import NEEDS_CHANGE, RECOVERS, UNKNOWN, Outlook
from celvet.lint.why.snapshot import conditions_of, time_at
from celvet.record import record
from celvet.schemas import Catalog, Dialect, KindFacts, kind_facts
from celvet.schemas.facts import ROLES, Evidence
from celvet.schemas.kind_files import is_built_in
from celvet.schemas.live.outlook import message_outlooks

_FRESH = timedelta(minutes=5)
"""How long an object may be without a status before its operator looks as if it did not run."""

_MOST_TEXT = 10_000


@record
class OutlookReason:
    """An outlook, and where it was read."""

    outlook: Outlook
    evidence: str = ""


def object_outlook(
    obj: Mapping[str, Value], catalog: Catalog, now: datetime, news: str = ""
) -> OutlookReason:
    """The outlook of an object that is not ready; `news` is what its latest Event warns of.

    One that the catalogue counts as ready waits for something that its kind does not promise.
    """
    if text_at(obj, ("metadata", "deletionTimestamp")):
        return OutlookReason(deletion_outlook(obj))
    kind = group_kind_of(obj)
    facts = kind_facts(kind.group, kind.kind, catalog.directories)
    if facts is None:
        # Nobody but a user changes what has no status, such as a ConfigMap.
        is_settled = is_built_in(kind.group, kind.kind) and not mapping_at(obj, ("status",))
        return OutlookReason(NEEDS_CHANGE if is_settled else UNKNOWN)
    evidence = _shown(next(iter(facts.evidence.values()), None))
    status = catalog_verdict(obj, catalog, now).status
    if status in ("Current", "Failed"):
        return OutlookReason(NEEDS_CHANGE, evidence)
    if not mapping_at(obj, ("status",)):
        creation = time_at(obj, ("metadata", "creationTimestamp"))
        young = creation is not None and now - creation < _FRESH
        return OutlookReason(RECOVERS if young else UNKNOWN, evidence)
    return OutlookReason(_by_meaning(obj, facts, news), evidence)


def deletion_outlook(obj: Mapping[str, Value]) -> Outlook:
    """The outlook of an object in deletion: a finalizer, its own or of its content, holds it.

    A Namespace tells in a condition that what is in it has finalizers.
    """
    inner = conditions_of(obj).get("NamespaceFinalizersRemaining")
    is_held = list_at(obj, ("metadata", "finalizers")) or (inner and inner.status == "True")
    return NEEDS_CHANGE if is_held else RECOVERS


def message_outlook(message: str, default: Outlook) -> Outlook:
    """The outlook of an error that is tried again, by its words."""
    text = message[:_MOST_TEXT]
    words = message_outlooks()
    if any(word in text for word in words[NEEDS_CHANGE]):
        return NEEDS_CHANGE
    return RECOVERS if any(word in text for word in words[RECOVERS]) else default


def error_outlook(message: str) -> Outlook:
    """The outlook of an error that lasts unless its words say that it passes."""
    passing = message_outlooks()[RECOVERS]
    return RECOVERS if any(word in message[:_MOST_TEXT] for word in passing) else NEEDS_CHANGE


def _by_meaning(obj: Mapping[str, Value], facts: KindFacts, news: str) -> Outlook:
    meanings = {*_condition_meanings(obj, facts), *_phase_meanings(obj, facts)}
    if meanings & {"failed", "suspended"}:
        return NEEDS_CHANGE
    if "transient" in meanings:
        texts = [condition.message for condition in conditions_of(obj).values()]
        texts += (text for text in mapping_at(obj, ("status",)).values() if isinstance(text, str))
        return message_outlook(" ".join([*texts, news]), RECOVERS)
    return UNKNOWN if meanings == {""} else RECOVERS


def _condition_meanings(obj: Mapping[str, Value], facts: KindFacts) -> Iterator[str]:
    claims = facts.content.get("conditions", {})
    for name, condition in conditions_of(obj).items():
        claim = claims.get(name, {}).get(condition.status)
        if isinstance(claim, Mapping):
            yield _means(claim.get("reasons", {}).get(condition.reason) or claim)
        elif claim:
            yield _means(claim)


def _phase_meanings(obj: Mapping[str, Value], facts: KindFacts) -> Iterator[str]:
    """The meaning of each phase; empty for a text that the catalogue does not have."""
    for phase in facts.phases:
        text = get(obj, tuple(phase.path.split(".")))
        if isinstance(text, str):
            story = phase.values.get(text) or ("inProgress" if text in phase.former else "")
            yield _means(story)


def _means(claim: object) -> str:
    return str(claim.get("means", "")) if isinstance(claim, Mapping) else str(claim)


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
