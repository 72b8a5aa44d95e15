"""Runs a snippet over all states of a life, by the semantics of its system."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from celvet.lint.checks import check_value
from celvet.lint.controllers import evaluators
from celvet.lint.healthtest.timestamps import latest
from celvet.lint.model import Value
from celvet.lint.verdicts.evaluator import ClusterState
from celvet.lint.waiters import WAITERS, argocd
from celvet.lint.waiters.argocd.scripts import Scripts, config_scripts
from celvet.lint.waiters.kubectl_wait import ForError, parse_for
from celvet.lint.waiters.timoni import condition_check, field_check
from celvet.lint.waiters.waiter import Waiter
from celvet.record import record
from celvet.schemas import Catalog
from celvet.schemas.facts import LifeState
from celvet.schemas.snippets import SnippetForm

Judge: TypeAlias = Callable[[Value], str]
"""The verdict on an object; raises `RefusedError`."""

_WAITING = "InProgress"
_EFFECTS = {"ready": "Current", "fails": "Failed"}
ANY = "create"
"""The text behind `--for` of kubectl that any object meets."""


class RefusedError(Exception):
    """The system refuses the declaration, or fails on an object."""


@record
class StateDifference:
    """A state in which a snippet gives another verdict than the catalogue."""

    state: LifeState
    gives: str

    @property
    def is_silence(self) -> bool:
        """Whether a final failure is only not told from the wait."""
        return self.state.verdict == "Failed" and self.gives == _WAITING

    @property
    def is_forbidden(self) -> bool:
        """Whether it would do harm: a ready object is waited for, or one that recovers fails."""
        return self.gives == "Failed" or self.state.stage == "ready"


def differences(life: Sequence[LifeState], judge: Judge) -> tuple[StateDifference, ...]:
    """The states with another verdict; raises `RefusedError`."""
    verdicts = ((state, judge(dict(state.object))) for state in life)
    return tuple(
        StateDifference(state, verdict) for state, verdict in verdicts if verdict != state.verdict
    )


def judge_of(
    form: SnippetForm, declaration: Any, values: Mapping[str, Any], catalog: Catalog
) -> Judge:
    """The verdicts of the program that reads a declaration; raises `RefusedError`.

    `values` are what was put into it.
    """
    if form.language == "lua":
        return _of_waiter(argocd.waiter(Scripts(own=config_scripts(declaration))))
    if form.language == "for":
        return _of_wait(values["current"])
    if form.language == "cue":
        return _of_waiter(_cue_check(values))
    return _of_controller(form, declaration, catalog)


def own_judge(form: SnippetForm) -> Judge | None:
    """The verdicts of the system without a snippet; None if it has none of its own."""
    if not form.own:
        return None
    return _of_waiter(argocd.waiter(Scripts()) if form.own == argocd.NAME else WAITERS[form.own])


def _cue_check(values: Mapping[str, Any]) -> Waiter:
    if "path" in values:
        return field_check(values["path"].split("."), values["ready"], values["failed"])
    return condition_check(values["ready"], values["failed"])


def _of_wait(text: str) -> Judge:
    if text == ANY:
        return lambda _: _EFFECTS["ready"]
    try:
        return _of_waiter(parse_for(text))
    except ForError as error:
        raise RefusedError(str(error)) from None


def _of_waiter(waiter: Waiter) -> Judge:
    def judge(obj: Value) -> str:
        judgement = waiter.judge(obj, latest((obj,)))
        if judgement.error:
            raise RefusedError(judgement.error)
        return _EFFECTS.get(judgement.effect, _WAITING)

    return judge


def _of_controller(form: SnippetForm, declaration: Value, catalog: Catalog) -> Judge:
    declaration_object = check_value(declaration, catalog)
    for expression in declaration_object.cel:
        for refusal in expression.program.refusals:
            raise RefusedError(refusal.message)
    all_evaluators = evaluators(declaration_object)
    answers = [
        (answer, evaluator)
        for answer in form.answers
        for evaluator in all_evaluators
        if evaluator.path[: len(answer.at)] == answer.at
    ]

    def judge(obj: Value) -> str:
        cluster = ClusterState(objects=(obj,), now=latest((obj,)))
        for answer, evaluator in answers:
            verdict = evaluator.evaluate(cluster)
            if verdict.error:
                raise RefusedError(verdict.error)
            # The first answer that fits counts.
            if verdict.status == answer.status:
                return answer.verdict
        return _WAITING

    return judge
