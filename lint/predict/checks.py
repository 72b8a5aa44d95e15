"""Predictions for the checks of an object, and fixes for what is wrong with them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from celvet.lint.checks import Check, CheckedObject
from celvet.lint.checks.advice import recommend
from celvet.lint.model import Change, Confidence, Fix, Path
from celvet.lint.predict.check_model import CheckModel, check_model
from celvet.lint.predict.faults.diagnose import diagnose
from celvet.lint.predict.faults.diagnosis import Diagnosis, DiagnosisT, NeverTrue, Premature, Stale
from celvet.lint.predict.faults.life import (
    chosen_verdicts,
    health_facts,
    life_rows,
    roles_to_rewrite,
)
from celvet.lint.predict.truth_table import Row, table
from celvet.lint.values import drop
from celvet.record import replace

if TYPE_CHECKING:
    from celvet.lint.verdicts.evaluator import RuleDiagnosis, RuleFault


def models(checked: CheckedObject) -> Iterator[tuple[Check, CheckModel]]:
    """The checks of an object whose behaviour can be predicted; none for a patch."""
    for check in () if checked.partial else checked.checks:
        if found := _model(checked, check):
            yield check, found


def _model(checked: CheckedObject, check: Check) -> CheckModel | None:
    return check_model(check, checked.schema_of(*check.objects), checked.facts_of(check))


def diagnoses(checked: CheckedObject, kind: type[DiagnosisT]) -> Iterator[tuple[Check, DiagnosisT]]:
    """One kind of fault in all checks; a call for another kind reuses the same work."""
    for check, diagnosis in _diagnosed(_Same(checked)):
        if isinstance(diagnosis, kind):
            yield check, diagnosis


class _Same:
    """An object as a key, compared by identity."""

    __slots__ = ("checked",)

    def __init__(self, checked: CheckedObject) -> None:
        self.checked = checked

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.checked is other.checked

    def __hash__(self) -> int:
        return id(self.checked)


@lru_cache(maxsize=2)
def _diagnosed(key: _Same) -> tuple[tuple[Check, Diagnosis], ...]:
    return tuple((check, each) for check, found in models(key.checked) for each in diagnose(found))


def advice(checked: CheckedObject, check: Check, found: Diagnosis) -> str:
    """The recommended expressions as help; empty for a kind without facts.

    Others are named as well if they are wrong without a finding of their own.
    """
    is_stale = isinstance(found, Stale)
    roles = (found.role, *companions(checked, check, found.role, is_stale=is_stale))
    model = _model(checked, check)
    verdicts = chosen_verdicts(table(model), found.role, is_stale=is_stale) if model else {}
    return recommend(checked, check, roles, verdicts, doubtful=found.confidence < Confidence.HIGH)


def companions(
    checked: CheckedObject, check: Check, role: str, *, is_stale: bool = False
) -> tuple[str, ...]:
    """The other roles to rewrite with one, for a known kind.

    These are those of `roles_to_rewrite`, and an `inProgress` that would hide a `failed` of the
    kind.
    """
    model = _model(checked, check)
    if model is None:
        return ()
    others = roles_to_rewrite(table(model), role, _reported(model), is_stale=is_stale)
    waits = model.role("InProgress") if role == check.answering("Failed") else ""
    failing = (row for state, row in life_rows(table(model)) if state.stage == "failing")
    hides = waits not in others and any(row.true(waits) for row in failing)
    return (*others, waits) if hides else others


def _reported(model: CheckModel) -> frozenset[str]:
    """The roles with a finding that is shown without being asked for."""
    return frozenset(each.role for each in diagnose(model) if each.confidence > Confidence.LOW)


def fix(checked: CheckedObject, check: Check, found: Diagnosis) -> Fix | None:
    """A fix that is proved to remove a fault; None if there is none, or if fixes are off.

    The proof takes several times as long as the diagnosis.
    """
    model = _model(checked, check) if checked.fixes else None
    if model is None:
        return None
    facts = health_facts(table(model))
    if facts and not facts.entry and isinstance(found, NeverTrue | Premature):
        title = f"Remove the entry for `{facts.kind}`."
        change = Change(checked.place(check.path), "", remove=True)
        is_sure = found.confidence is Confidence.HIGH
        return Fix(title, (change,), safe=is_sure and _reads_conditions(model))
    from celvet.lint.predict.fixes.rewrites import rewrite  # most files need no fix

    proved = rewrite(model, found)
    if proved is None:
        return None
    changes = []
    for each in proved.replacements:
        expression, span = check.find(each.role, each.span)
        if span is None:
            return None
        whole = not each.text and span == (0, len(expression.program.text))
        where = checked.at(expression, None if whole else span)
        changes.append(Change(where, each.text, remove=whole))
    return Fix(proved.title, tuple(changes), proved.safe)


def _reads_conditions(model: CheckModel) -> bool:
    """Whether an entry decides by conditions alone, as kstatus does."""
    found = table(model)
    lists = found.builder.lists
    return all(any(path[: len(each)] == each for each in lists) for path in found.reading.fields)


def blocked_by_redaction(model: CheckModel, removed: Path, description: str) -> Row | None:
    """The first object on which a gate is true, but no longer without a field.

    None if the gate is true on some object without the field, or if no object was
    found on which it is true at all. `description` is that of the object without
    the field.
    """
    found = table(model)
    first: Row | None = None
    gate = model.role("Ready")
    for row in found.proofs({gate: True}) if gate else ():
        without = found.altered(row, "hidden", description, drop(row.state.variables, removed))
        if without.true(gate):
            return None
        first = first or without
    return first


def rule_diagnoses(
    checked: CheckedObject, fault: RuleFault
) -> Iterator[tuple[Path, RuleDiagnosis]]:
    """One kind of fault in each health rule of a template, with its place."""
    for rule in () if checked.partial else checked.doing("health-rule"):
        from celvet.lint.controllers import evaluators  # loads the packages of all controllers

        for evaluator in evaluators(replace(checked, checks=(rule,))):
            for found in evaluator.diagnoses():
                if found.fault == fault:
                    yield found.path, found
