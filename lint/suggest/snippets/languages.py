"""The languages of snippets: each makes what stands for the names in a form, the best first."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from celvet.lint.model import Value
from celvet.lint.suggest.snippets.fill import filled
from celvet.lint.suggest.snippets.lua import UntranslatableError, script
from celvet.lint.suggest.snippets.reading import SnippetReading, alone, readings
from celvet.lint.suggest.snippets.roles import role_choices
from celvet.lint.suggest.snippets.trial import ANY, RefusedError, StateDifference
from celvet.lint.suggest.suggestion import Suggestion
from celvet.lint.waiters.kubectl_line import candidates
from celvet.record import record
from celvet.regex import regex
from celvet.schemas import KindFacts
from celvet.schemas.snippets import SnippetForm

Values: TypeAlias = Mapping[str, Value]
Trial: TypeAlias = Callable[[Values], Sequence[StateDifference]]
Assertion: TypeAlias = dict[str, Value]
_PATH = regex(r"[a-zA-Z0-9]+(\.[a-zA-Z0-9]+)*")
_UNREADY = ("inProgress", "failed", "transient")


@record
class Subject:
    """What a snippet is about: a kind with its entry and its facts, and how it is written.

    `variable` holds the object, `mark` is what stands around an expression, as in `${}`.
    """

    suggestion: Suggestion
    facts: KindFacts
    form: SnippetForm
    variable: str
    mark: str

    def readings(self) -> Iterator[SnippetReading]:
        """Each way to read the expressions of the kind."""
        observes = "status" in self.facts.generation_in
        return readings(role_choices(self.suggestion, self.facts), observes=observes)


def _cel(subject: Subject, _: Trial) -> Iterator[Values]:
    for reading in subject.readings():
        for texts in alone(reading, subject.variable):
            yield {role: _marked(text, subject.mark) for role, text in texts.items()}


def _marked(text: str, mark: str) -> str:
    return f"{mark[:-1]}{text}{mark[-1:]}"


def _lua(subject: Subject, _: Trial) -> Iterator[Values]:
    for reading in subject.readings():
        try:
            yield script(reading, subject.suggestion.kind.kind)
        except UntranslatableError:
            continue


def _for(subject: Subject, _: Trial) -> Iterator[Values]:
    if all(state.verdict == "Current" for state in subject.suggestion.life):
        yield {"current": ANY}
    yield from ({"current": text} for text in candidates(subject.facts))


def _assertions(subject: Subject, trial: Trial) -> Iterator[Values]:
    def errors(items: Sequence[Assertion]) -> int | None:
        try:
            all_differences = trial({"current": [*items]})
        except RefusedError:
            return None
        wrong = [item for item in all_differences if not item.is_silence]
        return None if any(item.is_forbidden for item in wrong) else len(wrong)

    if items := _strongest(subject.facts, subject.form.assertions, errors):
        yield {"current": items}


def _strongest(
    facts: KindFacts, forms: Mapping[str, Any], errors: Callable[[Sequence[Assertion]], int | None]
) -> list[Assertion]:
    """The fewest assertions that hold in each ready state and in the fewest others; may be empty.

    `errors` counts the states with a wrong verdict; it is None if a ready state is among them.
    """
    assertions = [item for item in _all_assertions(facts, forms) if errors([item]) is not None]
    least = errors(assertions) if assertions else None
    for item in reversed(assertions):
        fewer = [assertion for assertion in assertions if assertion is not item]
        count = errors(fewer) if fewer else None
        if count is not None and least is not None and count <= least:
            assertions = fewer
    return assertions if least is not None else []


def _all_assertions(facts: KindFacts, forms: Mapping[str, Any]) -> Iterator[Assertion]:
    """What means that an object is ready, then the absence of what means that it is not."""
    for kind, status, meaning in facts.condition_meanings():
        if meaning == "current":
            yield filled(forms["condition"], {"type": kind, "status": status})
    for phase in facts.phases:
        for value in phase.values_for("current") if _PATH.fullmatch(phase.path) else ():
            yield filled(forms["field"], {"path": phase.path, "value": value})
    for kind, status, meaning in facts.condition_meanings():
        if meaning in _UNREADY:
            status_word = "False" if status == "True" else "True"
            yield filled(forms["condition"], {"type": kind, "status": status_word})


def _cue(subject: Subject, _: Trial) -> Iterator[Values]:
    """The two forms of a check, with each pair of conditions, or of meanings of a field."""
    facts, form = subject.facts, subject.form
    kind = subject.suggestion.kind
    names = {"group": kind.group, "kind": kind.kind}
    true_conditions = [
        (kind, meaning) for kind, status, meaning in facts.condition_meanings() if status == "True"
    ]
    ready_types = [kind for kind, meaning in true_conditions if meaning == "current"]
    failed_types = [kind for kind, meaning in true_conditions if meaning == "failed"]
    for ready in ready_types if kind.group else ():
        # `#HealthCheckForCondition` of Timoni names a failure too; `Stalled` is that of kstatus.
        for failed in (*failed_types, "Stalled"):
            texts = {"ready": ready, "failed": failed}
            check = filled(form.assertions["condition"], {**names, **texts})
            yield {**texts, "check": check}
    for phase in facts.phases if kind.group else ():
        values = phase.values_for("current")
        # The language has no path through a list.
        if "[" in phase.path or not values:
            continue
        for failures in (phase.values_for("failed"), []):
            tests = {
                "fields": _optional_fields(phase.path),
                "ready": _field_test(phase.path, values),
                "failed": f"\tfailed: {_field_test(phase.path, failures)}\n" if failures else "",
            }
            check = filled(form.assertions["field"], {**names, **tests})
            lists = {"ready": values, "failed": failures, "path": phase.path}
            yield {**lists, "check": check}


def _optional_fields(path: str) -> str:
    """The type of an object in CUE that may have a text at a path."""
    *holders, field = path.split(".")
    kind = f"{field}?: string"
    for holder in reversed(holders):
        kind = f"{holder}?: {{{kind}, ...}}"
    return kind


def _field_test(path: str, values: Sequence[str]) -> str:
    return " || ".join(f"#object.{path} == {json.dumps(value)}" for value in values)


LANGUAGES: Mapping[str, Callable[[Subject, Trial], Iterator[Values]]] = {
    "assertions": _assertions,
    "cel": _cel,
    "cue": _cue,
    "for": _for,
    "lua": _lua,
}
