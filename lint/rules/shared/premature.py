"""The findings of `premature-current` and `premature-failed`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias, assert_never

from celvet.lint.checks import Check, CheckedObject
from celvet.lint.checks.advice import sources
from celvet.lint.model import Confidence, Finding, Severity
from celvet.lint.predict import advice, fix
from celvet.lint.predict.faults.diagnosis import (
    CountersAtZero,
    InLife,
    NothingHappened,
    NothingMatches,
    Premature,
    StageInLife,
    UnnamedStage,
    known_state,
)
from celvet.record import record

ReasonAndHelp: TypeAlias = tuple[str, str]
"""When an expression is true, as a part of a sentence, and what to do about it."""


@record
class PrematureWords:
    """What a rule says of its verdict; `meaning` is what the values should mean."""

    in_life: Mapping[StageInLife, str]
    counters_at_zero: ReasonAndHelp
    nothing_happened: ReasonAndHelp
    meaning: str


def premature_finding(
    checked: CheckedObject,
    entry: Check,
    diagnosis: Premature,
    words: PrematureWords,
    consequence: str,
) -> Finding:
    """The finding about one verdict; the consequence is the end of its message."""
    match diagnosis.proof:
        case InLife(stage=stage):
            reason, help_ = words.in_life[stage], advice(checked, entry, diagnosis)
        case NothingMatches(instead=instead):
            reason, help_ = "when nothing matches", "Use `exists`, or test its `size()` as well."
            help_ = f"Write `{instead}`." if instead else help_
        case CountersAtZero():
            reason, help_ = words.counters_at_zero
        case UnnamedStage(field=field):
            reason = f"for every `{field}` that it does not name"
            help_ = f"List the values of `{field}` that mean {words.meaning}."
        case NothingHappened():
            reason, help_ = words.nothing_happened
        case _:
            assert_never(diagnosis.proof)
    span = diagnosis.proof.span if isinstance(diagnosis.proof, NothingMatches) else None
    return Finding(
        message=f"`{diagnosis.role}` is true {reason}: {consequence}",
        where=checked.at_role(entry, diagnosis.role, span),
        help=help_,
        related=sources(checked, entry, diagnosis.role, known_state(diagnosis)),
        counterexample=diagnosis.row.counterexample,
        fix=fix(checked, entry, diagnosis),
        severity=Severity.INFO if diagnosis.confidence < Confidence.HIGH else None,
        confidence=diagnosis.confidence,
        cause=diagnosis.cause,
    )
