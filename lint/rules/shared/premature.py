"""The findings of `premature-current` and `premature-failed`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias, assert_never

from celvet.lint.checks import Check, CheckedObject
from celvet.lint.checks.advice import sources
from celvet.lint.model import Confidence, Finding, Related, Severity
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
from celvet.lint.rules.shared.guesses import severity_in
from celvet.lint.safe_text import enumeration
from celvet.record import record

_MOST_STATES = 3

FactAndHelp: TypeAlias = tuple[str, str]
"""When an expression is true and what follows, the end of a sentence; and what to do about it."""


@record
class PrematureWords:
    """What a rule says of its verdict; `meaning` is what the values should mean.

    In `in_life`, `{}` stands for the kind.
    """

    in_life: Mapping[StageInLife, str]
    nothing_matches: str
    counters_at_zero: FactAndHelp
    unnamed_stage: str
    nothing_happened: FactAndHelp
    meaning: str


def premature_finding(
    checked: CheckedObject, entry: Check, diagnosis: Premature, words: PrematureWords
) -> Finding:
    """The finding about one verdict."""
    notes: tuple[Related, ...] = ()
    match diagnosis.proof:
        case InLife(stage=stage, other_states=other_states, cure=cure):
            fact = words.in_life[stage].format(
                f"`{entry.group_kind.kind or entry.named.kind or 'object'}`"
            )
            help_ = f"Add `{cure}`." if cure else advice(checked, entry, diagnosis)
            if other_states:
                where = checked.at_role(entry, diagnosis.role)
                notes = (Related(_also_in(other_states), where),)
        case NothingMatches(instead=instead):
            fact = f"when nothing matches, {words.nothing_matches}"
            help_ = "Use `exists`, or test its `size()` as well."
            help_ = f"Write `{instead}`." if instead else help_
        case CountersAtZero():
            fact, help_ = words.counters_at_zero
        case UnnamedStage(field=field):
            fact = f"for each `{field}` that it does not name, {words.unnamed_stage}"
            help_ = f"List the values of `{field}` that mean {words.meaning}."
        case NothingHappened():
            fact, help_ = words.nothing_happened
        case _:
            assert_never(diagnosis.proof)
    severity = severity_in(diagnosis.row, checked, entry)
    span = diagnosis.proof.span if isinstance(diagnosis.proof, NothingMatches) else None
    return Finding(
        message=f"`{diagnosis.role}` is true {fact}",
        where=checked.at_role(entry, diagnosis.role, span),
        help=help_,
        related=(*notes, *sources(checked, entry, diagnosis.role, known_state(diagnosis))),
        counterexample=diagnosis.row.counterexample,
        fix=fix(checked, entry, diagnosis),
        severity=Severity.INFO if diagnosis.confidence < Confidence.HIGH else severity,
        confidence=diagnosis.confidence,
        cause=diagnosis.cause,
    )


def _also_in(states: Sequence[str]) -> str:
    """The other states in which the verdict is as wrong, the first three by name."""
    names = enumeration(states[:_MOST_STATES], "and")
    if len(states) > _MOST_STATES:
        first_names = ", ".join(f"`{name}`" for name in states[:_MOST_STATES])
        names = f"{first_names} and {len(states) - _MOST_STATES} more"
    return f"the same in the state{'s' * (len(states) > 1)} {names}"
