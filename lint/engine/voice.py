"""Leaves out findings that contradict another one, or that hardly any object can prove."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from celvet.lint.engine.result import Crash
from celvet.lint.model import Finding, Severity, Where
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
    STALE_GENERATION,
    TYPED_FIELD,
    VACUOUS_MATCH,
)

_CAUSES = frozenset({ALWAYS_ERROR, TYPED_FIELD})
"""The rules that say why an expression fails, or cannot be true."""
_AFTER_ALWAYS = frozenset({CRD_TYPE, NEVER_TRUE, ERROR_BEFORE_STATUS, ERROR_BLOCKS_VERDICT})
"""The rules that see the same cause from the side of its effect."""
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


def one_voice(outcomes: Iterable[Finding | Crash]) -> list[Finding | Crash]:
    """The outcomes without findings that only `explain` shows.

    A check that is reported as unused has no behaviour: a finding about it there would contradict
    the first one. An expression whose failure is explained needs no other reason, and an entry
    that is better removed lacks nothing. Errors stay: the controller refuses an expression
    whether it uses it or not. A finding that is `unlikely` is about a choice that its author may
    have made on purpose.
    """
    given = list(outcomes)
    findings = [each for each in given if isinstance(each, Finding)]
    unused = [each.where for each in findings if each.rule == IGNORED_EXPRESSION]
    failing = {_expression(each) for each in findings if each.rule in _CAUSES}
    # The place is a field of the entry, which `on_key` makes the entry.
    needless = [replace(each.where, on_key=True) for each in findings if each.rule == CORE_KIND]
    return [
        each
        for each in given
        if isinstance(each, Crash)
        or not (
            _is_idle(each, unused)
            or (each.rule in _AFTER_ALWAYS and _expression(each) in failing)
            or (each.rule == MISSING_FAILED and _lies_in(each, needless))
        )
    ]


def _expression(finding: Finding) -> Where:
    """The place of the expression that a finding is about, without a span in it."""
    return replace(finding.where, span=None)


def _is_idle(finding: Finding, unused: Iterable[Where]) -> bool:
    if finding.unlikely:
        return True
    if finding.rule not in _BEHAVIOUR or finding.severity is Severity.ERROR:
        return False
    return _lies_in(finding, unused)


def _lies_in(finding: Finding, checks: Iterable[Where]) -> bool:
    return any(_within(finding.where, each) for each in checks)


def _within(where: Where, check: Where) -> bool:
    """Whether a place lies in the check that the other one names, as a whole or by one field."""
    path = check.path[:-1] if check.on_key else check.path
    if where.document != check.document or where.path[: len(path)] != path:
        return False
    if where.inner and check.inner:
        return _within(where.inner, check.inner)
    return where.inner == check.inner
