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
from celvet.lint.predict.faults.life import chosen_verdicts, roles_to_rewrite
from celvet.lint.predict.faults.life_rows import health_facts, life_rows
from celvet.lint.predict.faults.unwritten import misspelling
from celvet.lint.predict.truth_table import Row, table
from celvet.lint.values import drop
from celvet.record import replace

if TYPE_CHECKING:
    from celvet.lint.verdicts.evaluator import RuleDiagnosis, RuleFault


def models(checked: CheckedObject) -> Iterator[tuple[Check, CheckModel]]:
    """The checks of an object whose behaviour can be predicted; none for a patch."""
    for check in () if checked.partial else checked.checks:
        if model := _model(checked, check):
            yield check, model


def _model(checked: CheckedObject, check: Check) -> CheckModel | None:
    """The model of a check, with the schema and the facts of the kind that it is about."""
    return check_model(check, checked.schema_of(*check.objects), checked.facts_of(check))


def diagnoses(checked: CheckedObject, kind: type[DiagnosisT]) -> Iterator[tuple[Check, DiagnosisT]]:
    """One kind of fault in all checks; a call for another kind reuses the same work."""
    for check, diagnosis in _all_diagnoses(_IdentityKey(checked)):
        if isinstance(diagnosis, kind):
            yield check, diagnosis


class _IdentityKey:
    """An object as a key, compared by identity."""

    __slots__ = ("checked",)

    def __init__(self, checked: CheckedObject) -> None:
        self.checked = checked

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _IdentityKey) and self.checked is other.checked

    def __hash__(self) -> int:
        return id(self.checked)


@lru_cache(maxsize=2)
def _all_diagnoses(key: _IdentityKey) -> tuple[tuple[Check, Diagnosis], ...]:
    return tuple(
        (check, diagnosis) for check, model in models(key.checked) for diagnosis in diagnose(model)
    )


def advice(checked: CheckedObject, check: Check, diagnosis: Diagnosis) -> str:
    """The recommended expressions as help; empty for a kind without facts.

    Others are named as well if they are wrong without a finding of their own.
    """
    role, is_stale = diagnosis.role, isinstance(diagnosis, Stale)
    roles = (role, *companions(checked, check, role, is_stale=is_stale))
    model = _model(checked, check)
    if model and isinstance(diagnosis, Premature) and (proof := misspelling(table(model), role)):
        return f"Write `{proof.intention}` for `{proof.word}`."
    verdicts = chosen_verdicts(table(model), role, is_stale=is_stale) if model else {}
    is_doubtful = diagnosis.confidence < Confidence.HIGH
    return recommend(checked, check, roles, verdicts, doubtful=is_doubtful)


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
    roles = roles_to_rewrite(table(model), role, _reported_roles(model), is_stale=is_stale)
    # The controller reads `inProgress` before `failed`, so a failure must not look like progress.
    waiting_role = model.role("InProgress") if role == check.answering("Failed") else ""
    failures = (row for state, row in life_rows(table(model)) if state.stage == "failing")
    hides = waiting_role not in roles and any(row.true(waiting_role) for row in failures)
    return (*roles, waiting_role) if hides else roles


def _reported_roles(model: CheckModel) -> frozenset[str]:
    """The roles with a finding that is reported by default."""
    return frozenset(
        diagnosis.role for diagnosis in diagnose(model) if diagnosis.confidence > Confidence.LOW
    )


def fix(checked: CheckedObject, check: Check, diagnosis: Diagnosis) -> Fix | None:
    """A fix that is proved to remove a fault; None if there is none, or if fixes are off.

    The proof takes several times as long as the diagnosis.
    """
    model = _model(checked, check) if checked.fixes else None
    if model is None:
        return None
    # A kind that Flux judges correctly by itself is better off without an entry.
    facts = health_facts(table(model))
    if facts and not facts.entry and isinstance(diagnosis, NeverTrue | Premature):
        title = f"Remove the entry for `{facts.title}`."
        change = Change(checked.place(check.path), "", remove=True)
        return Fix(title, (change,), safe=False)  # the author may have a reason for it
    from celvet.lint.predict.fixes.rewrites import rewrite  # most files need no fix

    proved_rewrite = rewrite(model, diagnosis)
    if proved_rewrite is None:
        return None
    changes = []
    for replacement in proved_rewrite.replacements:
        expression, span = check.find(replacement.role, replacement.span)
        if span is None:
            return None
        # Without any text, the whole entry of the role goes.
        remove = not replacement.text and span == (0, len(expression.program.text))
        where = checked.at(expression, None if remove else span)
        changes.append(Change(where, replacement.text, remove=remove))
    return Fix(proved_rewrite.title, tuple(changes), proved_rewrite.safe)


def blocked_by_redaction(model: CheckModel, removed_path: Path, description: str) -> Row | None:
    """The first object on which a gate is true, but no longer without a field.

    None if the gate is true on some object without the field, or if no object was
    found on which it is true at all. `description` is that of the object without
    the field.
    """
    truth = table(model)
    first_row: Row | None = None
    gate = model.dialect.needs
    for row in truth.proofs({gate: True}) if gate else ():
        variables = drop(row.state.variables, (*model.root, *removed_path))
        redacted_row = truth.altered_row(row, "hidden", description, variables)
        if redacted_row.true(gate):
            return None
        first_row = first_row or redacted_row
    return first_row


def rule_diagnoses(
    checked: CheckedObject, fault: RuleFault
) -> Iterator[tuple[Path, RuleDiagnosis]]:
    """One kind of fault in each health rule of a template, with its place."""
    for rule in () if checked.partial else checked.doing("health-rule"):
        from celvet.lint.controllers import evaluators  # loads the packages of all controllers

        for evaluator in evaluators(replace(checked, checks=(rule,))):
            for diagnosis in evaluator.diagnoses():
                if diagnosis.fault == fault:
                    yield diagnosis.path, diagnosis
