"""Leaves out findings that contradict another one, or that only an unlikely object proves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from celvet.lint.engine.result import Crash
from celvet.lint.model import Finding, Path, Related, Severity, Where
from celvet.lint.rule_ids import (
    ALWAYS_ERROR,
    CORE_KIND,
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
from celvet.record import replace

_ALWAYS = (CRD_TYPE, NEVER_TRUE, ERROR_BEFORE_STATUS, ERROR_BLOCKS_VERDICT)
_SAME_CAUSE = {
    ALWAYS_ERROR: _ALWAYS,
    RESULT_TYPE: _ALWAYS,
    TYPED_FIELD: _ALWAYS,
    NEVER_TRUE: (ERROR_BEFORE_STATUS,),
    SCHEMA_VIOLATION: (TEMPLATE_EXECUTION,),
}
"""Rules that name a cause, each with the rules that only see its effect."""
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
"""The rules that say what a controller will do with the verdicts of a check."""


def consistent(outcomes: Iterable[Finding | Crash]) -> list[Finding | Crash]:
    """The outcomes to report, without the findings that only `explain` shows.

    An unused check has no behaviour, so findings about its behaviour become notes of the finding
    that it is unused. An expression whose failure is explained needs no other reason. An entry
    that should be removed lacks nothing; findings about it become reasons to remove it. An entry
    with an error should be fixed before it is completed. Errors stay: the controller refuses an
    expression whether it uses it or not. A finding that is `unlikely` is about a choice that may
    be intended.
    """
    given = list(outcomes)
    findings = [each for each in given if isinstance(each, Finding) and not each.unlikely]
    together = _Findings(findings)
    kept = [each if isinstance(each, Crash) else together.reported(each) for each in given]
    return [each for each in kept if each]


class _Findings:
    """Makes the findings of a file consistent with each other."""

    def __init__(self, findings: Sequence[Finding]) -> None:
        harm = [
            each
            for each in findings
            if each.rule in _BEHAVIOUR and each.severity is Severity.WARNING
        ]
        errors = [each for each in findings if each.severity is Severity.ERROR]
        self._unused = _Checks([each for each in findings if each.rule == IGNORED_EXPRESSION], harm)
        # the place is a field of the entry, and `on_key` makes it the entry
        self._needless = _Checks(
            [
                replace(each, where=replace(each.where, on_key=True))
                for each in findings
                if each.rule == CORE_KIND
            ],
            harm,
        )
        self._incomplete = _Checks(
            [each for each in findings if each.rule == MISSING_FAILED], errors
        )
        self._explained = {
            (effect, _expression(each))
            for each in findings
            for effect in _SAME_CAUSE.get(each.rule, ())
        }

    def reported(self, each: Finding) -> Finding | None:
        """A finding as it is reported; None if another one covers it."""
        behaves = each.rule in _BEHAVIOUR and each.severity is not Severity.ERROR
        if each.unlikely or (each.rule, _expression(each)) in self._explained:
            return None
        if each.rule == IGNORED_EXPRESSION:
            return self._with_harm(each)
        if behaves and self._unused.around(each):
            return None
        if each.rule == MISSING_FAILED and self._incomplete.inside(each):
            return None
        if behaves and (needless := self._needless.around(each)):
            return self._removed(each, needless[0])
        return each

    def _with_harm(self, unused: Finding) -> Finding:
        """A finding about an unused check, with the faults to fix before it is used."""
        notes = (
            Related(f"once it is used, {each.message}", each.where)
            for each in self._unused.inside(unused)
        )
        return replace(unused, related=(*unused.related, *notes))

    def _removed(self, each: Finding, needless: Finding) -> Finding | None:
        """A finding about an entry that should be removed, with that advice; None drops it."""
        if each.rule != CORE_KIND:
            fix = each.fix if each.fix and each.fix.removes_item else None
            harm = each.severity is Severity.WARNING
            return replace(each, help=needless.help, fix=fix) if harm else None
        return None if self._needless.inside(needless) else each


class _Checks:
    """Finds findings about checks, and others in the same checks, by their places."""

    def __init__(self, about: Sequence[Finding], others: Iterable[Finding]) -> None:
        self._at: dict[tuple[int, Path], list[Finding]] = {}
        self._inside: dict[Where, list[Finding]] = {}
        for each in about:
            place = each.where.document, _path_of_check(each.where)
            self._at.setdefault(place, []).append(each)
        for other in others if about else ():
            for where in dict.fromkeys(each.where for each in self.around(other)):
                self._inside.setdefault(where, []).append(other)

    def around(self, finding: Finding) -> list[Finding]:
        """Those about the checks that a finding is about too, outer checks first."""
        path = finding.where.path
        return [
            each
            for size in range(len(path) + 1)
            for each in self._at.get((finding.where.document, path[:size]), ())
            if within(finding.where, each.where)
        ]

    def inside(self, check: Finding) -> list[Finding]:
        """The others in the check of a finding."""
        return self._inside.get(check.where, [])


def _expression(finding: Finding) -> Where:
    """The place of the expression that a finding is about, without a span in it."""
    return replace(finding.where, span=None)


def within(where: Where, check: Where) -> bool:
    """Whether a place lies in the check that the other place names as a whole or by one field."""
    path = _path_of_check(check)
    if where.document != check.document or where.path[: len(path)] != path:
        return False
    if where.inner and check.inner:
        return within(where.inner, check.inner)
    return where.inner == check.inner


def _path_of_check(where: Where) -> Path:
    """The path of the check that a place names as a whole or by one field."""
    return where.path[:-1] if where.on_key else where.path
