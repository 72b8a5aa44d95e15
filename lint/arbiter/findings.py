"""Which of the findings of a file are reported."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar, assert_never

from celvet.lint.causes import Cause
from celvet.lint.model import Confidence, Finding, Path, Related, Severity, Where
from celvet.lint.rule_ids import (
    ALWAYS_ERROR,
    CORE_KIND,
    CRD_ENUM,
    CRD_TYPE,
    ERROR_BEFORE_STATUS,
    ERROR_BLOCKS_VERDICT,
    IGNORED_EXPRESSION,
    MISSING_FAILED,
    NEVER_TRUE,
    OVERLAPPING_VERDICTS,
    PREMATURE_CURRENT,
    PREMATURE_FAILED,
    RESULT_TYPE,
    SCHEMA_VIOLATION,
    STALE_GENERATION,
    TEMPLATE_EXECUTION,
    TYPED_FIELD,
    VACUOUS_MATCH,
)
from celvet.record import record, replace


class ExclusionScope(enum.Enum):
    """Where two findings have to be for one to exclude the other."""

    SAME_EXPRESSION = enum.auto()
    LOSER_IN_CHECK = enum.auto()
    """The loser lies in the check that the winner names as a whole or by one field."""
    WINNER_IN_CHECK = enum.auto()
    """The winner lies in the check that the loser names."""


class Effect(enum.Enum):
    """What becomes of a finding that another one excludes."""

    DROP = enum.auto()
    NOTE = enum.auto()
    """A warning becomes a note of the winner."""
    ADVISE = enum.auto()
    """It is kept with the winner's help."""


@record
class Findings:
    """The findings of some rules, or of some causes, with some severities; no names mean all."""

    names: frozenset[str | Cause] = frozenset()
    severities: frozenset[Severity] = frozenset(Severity)

    def include(self, finding: Finding) -> bool:
        """Whether a finding is one of them."""
        is_named = not self.names or finding.rule in self.names or finding.cause in self.names
        return is_named and finding.severity in self.severities


@record
class FindingExclusion:
    """Of two findings at places of a certain `scope`, the first excludes the second."""

    winners: Findings
    losers: Findings
    scope: ExclusionScope
    reason: str
    effect: Effect = Effect.DROP
    in_explain: bool = False
    """Whether `celvet explain` leaves out the loser too, as it says the same in other words."""


def _named(*names: str | Cause) -> Findings:
    return Findings(frozenset(names))


_BEHAVIOUR = frozenset(
    {
        CORE_KIND,
        ERROR_BEFORE_STATUS,
        ERROR_BLOCKS_VERDICT,
        MISSING_FAILED,
        NEVER_TRUE,
        OVERLAPPING_VERDICTS,
        PREMATURE_CURRENT,
        PREMATURE_FAILED,
        STALE_GENERATION,
        VACUOUS_MATCH,
    }
)
"""The rules on what a controller will do with the verdicts of a check."""

_INFO, _WARNING, _ERROR = (frozenset({severity}) for severity in Severity)

FINDINGS = (
    FindingExclusion(
        _named(NEVER_TRUE),
        _named(ERROR_BEFORE_STATUS),
        ExclusionScope.SAME_EXPRESSION,
        "the guard does not matter before the expression can be true",
    ),
    FindingExclusion(
        _named(NEVER_TRUE),
        _named(Cause.ODD_VALUE),
        ExclusionScope.SAME_EXPRESSION,
        "the value matters because nothing equals it",
        in_explain=True,
    ),
    FindingExclusion(
        _named(CRD_ENUM, CRD_TYPE),
        _named(Cause.NEVER_TRUE, Cause.UNWRITTEN),
        ExclusionScope.SAME_EXPRESSION,
        "the CRD tells what to write instead",
        in_explain=True,
    ),
    FindingExclusion(
        _named(Cause.ODD_NAME),
        _named(Cause.STUCK, Cause.SOMETIMES_STUCK),
        ExclusionScope.SAME_EXPRESSION,
        "a ready object is stuck because it has no field of that name",
        in_explain=True,
    ),
    FindingExclusion(
        _named(ALWAYS_ERROR, RESULT_TYPE, TYPED_FIELD),
        _named(CRD_TYPE, NEVER_TRUE, ERROR_BEFORE_STATUS, ERROR_BLOCKS_VERDICT),
        ExclusionScope.SAME_EXPRESSION,
        "an expression whose failure is explained needs no other reason",
    ),
    FindingExclusion(
        _named(SCHEMA_VIOLATION),
        _named(TEMPLATE_EXECUTION),
        ExclusionScope.SAME_EXPRESSION,
        "the template fails because of what the schema refuses",
    ),
    FindingExclusion(
        Findings(severities=_ERROR),
        _named(MISSING_FAILED),
        ExclusionScope.WINNER_IN_CHECK,
        "an entry with an error should be repaired before it is completed",
    ),
    FindingExclusion(
        _named(IGNORED_EXPRESSION),
        Findings(_BEHAVIOUR, _INFO | _WARNING),
        ExclusionScope.LOSER_IN_CHECK,
        "a check that is not used has no behaviour; an error is refused all the same",
        Effect.NOTE,
    ),
    FindingExclusion(
        _named(CORE_KIND),
        Findings(_BEHAVIOUR - {CORE_KIND}, _INFO),
        ExclusionScope.LOSER_IN_CHECK,
        "an entry that should be removed lacks nothing",
    ),
    FindingExclusion(
        _named(CORE_KIND),
        Findings(_BEHAVIOUR - {CORE_KIND}, _WARNING),
        ExclusionScope.LOSER_IN_CHECK,
        "the entry should be removed, not repaired",
        Effect.ADVISE,
    ),
    FindingExclusion(
        Findings(_BEHAVIOUR - {CORE_KIND}, _WARNING),
        Findings(frozenset({CORE_KIND}), _INFO | _WARNING),
        ExclusionScope.WINNER_IN_CHECK,
        "what the entry does wrong is the reason to remove it",
    ),
)
"""Who excludes whom among the findings of a file, and why."""

OutcomeT = TypeVar("OutcomeT")


def choose_findings(
    outcomes: Iterable[Finding | OutcomeT], *, everything: bool = False
) -> list[Finding | OutcomeT]:
    """The outcomes to report, or with `everything` to explain; what is no finding stays."""
    outcomes = list(outcomes)
    findings = {
        index: outcome
        for index, outcome in enumerate(outcomes)
        if isinstance(outcome, Finding)
        if outcome.confidence is not (Confidence.NONE if everything else Confidence.LOW)
    }
    for row in FINDINGS if findings else ():
        if everything and not row.in_explain:
            continue
        pairs = [*_pairs(row, findings)]
        # In two checks, one inside the other, a finding has the advice of the outer one.
        for winner, loser in reversed(pairs):
            finding = findings[loser]
            if row.effect is Effect.ADVISE:
                # Of its fixes, only one that removes the entry as well goes with the advice.
                fix = finding.fix if finding.fix and finding.fix.removes_item else None
                findings[loser] = replace(finding, help=findings[winner].help, fix=fix)
        for winner, loser in pairs if row.effect is Effect.NOTE else ():
            finding, check = findings[loser], findings[winner]
            if finding.severity is Severity.WARNING:
                note = Related(f"once it is used, {finding.message}", finding.where)
                findings[winner] = replace(check, related=(*check.related, note))
        for _, loser in pairs if row.effect is not Effect.ADVISE else ():
            findings.pop(loser, None)
    return [
        findings.get(index, outcome)
        for index, outcome in enumerate(outcomes)
        if not isinstance(outcome, Finding)
        or (index in findings and outcome.confidence is not Confidence.NONE)
    ]


def _pairs(row: FindingExclusion, findings: Mapping[int, Finding]) -> Iterator[tuple[int, int]]:
    """The winners and losers of a row, by their numbers; of several winners, outer ones first."""
    winners = [index for index, finding in findings.items() if row.winners.include(finding)]
    losers = [index for index, finding in findings.items() if row.losers.include(finding)]
    if not (winners and losers):
        return
    match row.scope:
        case ExclusionScope.SAME_EXPRESSION:
            yield from _same_places(winners, losers, findings)
        case ExclusionScope.LOSER_IN_CHECK:
            yield from _nested(winners, losers, findings)
        case ExclusionScope.WINNER_IN_CHECK:
            for loser, winner in _nested(losers, winners, findings):
                yield winner, loser
        case _:
            assert_never(row.scope)


def _same_places(
    winners: Iterable[int], losers: Iterable[int], findings: Mapping[int, Finding]
) -> Iterator[tuple[int, int]]:
    """The pairs that are about the same expression, wherever in it."""
    at: dict[Where, list[int]] = {}
    for index in winners:
        at.setdefault(replace(findings[index].where, span=None), []).append(index)
    for index in losers:
        for winner in at.get(replace(findings[index].where, span=None), ()):
            if winner != index:
                yield winner, index


def _nested(
    outer: Iterable[int], inner: Iterable[int], findings: Mapping[int, Finding]
) -> Iterator[tuple[int, int]]:
    """The pairs of a finding that names a check, and another one in this check."""
    checks: dict[tuple[int, Path], list[int]] = {}
    for index in outer:
        where = _check_of(findings[index])
        checks.setdefault((where.document, _path_of_check(where)), []).append(index)
    for index in inner:
        where = findings[index].where
        prefixes = (where.path[:size] for size in range(len(where.path) + 1))
        for path in prefixes:
            for check in checks.get((where.document, path), ()):
                if check != index and within(where, _check_of(findings[check])):
                    yield check, index


def _check_of(finding: Finding) -> Where:
    """The place of the check that a finding names; `core-kind` names it by its `apiVersion`."""
    return replace(finding.where, on_key=True) if finding.rule == CORE_KIND else finding.where


def within(where: Where, check: Where) -> bool:
    """Whether a place lies in the check that the other place names as a whole or by one field."""
    path = _path_of_check(check)
    if where.document != check.document or where.path[: len(path)] != path:
        return False
    if where.inner and check.inner:
        return within(where.inner, check.inner)
    return where.inner == check.inner


def _path_of_check(where: Where) -> Path:
    return where.path[:-1] if where.on_key else where.path
