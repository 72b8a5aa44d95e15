"""Inlay hints: behind each expression, the verdicts that it gives over the life of its kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from celvet.lint.checks import Check, CheckedObject, fold_roles
from celvet.lint.lsp.state.analysis import PlacedAnalysis
from celvet.lint.model import Span
from celvet.lint.predict import Row, life_rows, models, table
from celvet.lint.predict.faults.life_rows import STAGES
from celvet.lint.values import get
from celvet.record import record, replace

_EXAMPLES = "examples"
"""The word for the objects of a kind whose life nobody has read."""


@record
class Hint:
    """A text behind an expression, and what it is about."""

    offset: int
    text: str
    subject: str


def hints(part: PlacedAnalysis, span: Span) -> Iterator[Hint]:
    """The hints of the expressions that end in a range, check by check: each takes its time.

    Several expressions of one role decide together, so their hint is behind the last.
    """
    for obj in part.analysis.result.checked:
        for check in obj.checks:
            ends = {
                expression.role: part.extent(obj.place(expression.path)).end
                for expression in check.cel
            }
            if any(span.start <= end <= span.end for end in ends.values()):
                subject, texts = _texts_by_role(obj, check)
                yield from (Hint(ends[role], text, subject) for role, text in texts.items())


def _texts_by_role(obj: CheckedObject, check: Check) -> tuple[str, dict[str, str]]:
    """What is judged, and the text behind the expression of each role that gives a verdict.

    Nothing for a check that cannot be predicted, or that the controller never evaluates.
    """
    model = next((model for _, model in models(replace(obj, checks=(check,)))), None)
    if model is None or not (model.gate or obj.looks_at(check)):
        return "", {}
    truth = table(model)
    life = life_rows(truth)
    stages = [(STAGES[state.stage], row) for state, row in life] or [
        (_EXAMPLES, row) for row in truth.rows
    ]
    totals = Counter(stage for stage, _ in stages)
    counts: dict[str, dict[str, Counter[str]]] = {role: {} for role in model.programs}
    for stage, row in stages:
        role, verdict = _decision(row)
        if role:
            counts[role].setdefault(verdict, Counter())[stage] += 1
    facts = model.facts
    subject = f"{facts.title}, {facts.project} {facts.release}" if life and facts else _EXAMPLES
    texts = {}
    for role, verdicts in counts.items():
        # Editors cut long hints, so what the expression is there for comes first.
        answer = model.dialect.role(role).answer
        ranking = sorted(verdicts, key=answer.__ne__)
        text = "; ".join(f"{verdict}: {_stages(verdicts[verdict], totals)}" for verdict in ranking)
        if answer:
            name = "states" if life else _EXAMPLES
            texts[role] = text or f"decides none of {len(stages)} {name}"
    return subject, texts


def _decision(row: Row) -> tuple[str, str]:
    """The role that decides on an object, empty if none does, and the verdict."""
    model = row.model
    decision = fold_roles(model.dialect, row.outcomes, get(row.state.variables, model.root))
    return decision.role, row.verdict


def _stages(by_stage: Mapping[str, int], totals: Mapping[str, int]) -> str:
    return ", ".join(
        stage
        if count == totals[stage] and stage != _EXAMPLES
        else f"{count} of {totals[stage]} {stage}"
        for stage, count in by_stage.items()
    )
