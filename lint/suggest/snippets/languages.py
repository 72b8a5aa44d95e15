"""The languages of snippets: each makes what stands for the names in a form, the best first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeAlias

from celvet.lint.model import Value
from celvet.lint.suggest.snippets import assertions
from celvet.lint.suggest.snippets.cel_text import alone
from celvet.lint.suggest.snippets.lua import UntranslatableError, script
from celvet.lint.suggest.snippets.reading import Reading, readings
from celvet.lint.suggest.snippets.roles import role_choices
from celvet.lint.suggest.snippets.trial import ANY, Difference, RefusedError
from celvet.lint.suggest.suggestion import Suggestion
from celvet.lint.waiters.kubectl_line import candidates
from celvet.record import record
from celvet.schemas import KindFacts
from celvet.schemas.snippet import SnippetForm

Values: TypeAlias = Mapping[str, Value]
Trial: TypeAlias = Callable[[Values], Sequence[Difference]]


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

    def readings(self) -> Iterator[Reading]:
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
    def errors(items: Sequence[assertions.Assertion]) -> int | None:
        try:
            all_differences = trial({"current": [*items]})
        except RefusedError:
            return None
        wrong = [item for item in all_differences if not item.is_silence]
        return None if any(item.is_forbidden for item in wrong) else len(wrong)

    if items := assertions.strongest(subject.facts, subject.form.assertions, errors):
        yield {"current": items}


LANGUAGES: Mapping[str, Callable[[Subject, Trial], Iterator[Values]]] = {
    "assertions": _assertions,
    "cel": _cel,
    "for": _for,
    "lua": _lua,
}
