"""The snippet of a kind for a system: the best that agrees with the life of the kind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from celvet.lint.list_item import block
from celvet.lint.model import Value
from celvet.lint.suggest.kind_names import UnknownKindError
from celvet.lint.suggest.snippets.fill import filled, identities, names_in
from celvet.lint.suggest.snippets.languages import LANGUAGES, Subject, Values
from celvet.lint.suggest.snippets.trial import (
    RefusedError,
    StateDifference,
    differences,
    judge_of,
    own_judge,
)
from celvet.lint.suggest.suggestion import Snippet, SnippetDifference, Suggestion
from celvet.lint.values import get
from celvet.record import record, replace
from celvet.schemas import Catalog, KindFacts, kind_facts
from celvet.schemas.snippets import SnippetForm, snippet_form


@record
class _Result:
    """A declaration that was tried, and the values in it."""

    declaration: Any
    values: Values
    variable: str
    differences: Sequence[StateDifference]

    @property
    def faults(self) -> Sequence[StateDifference]:
        """The differences other than that a failure is not told."""
        return [item for item in self.differences if not item.is_silence]

    @property
    def rank(self) -> tuple[int, int]:
        """The lower, the better."""
        return len(self.faults), len(self.differences)


def in_dialect(
    suggestion: Suggestion, dialect: str, catalog: Catalog
) -> Suggestion | UnknownKindError:
    """A suggestion as it is written for a system, or why there is none.

    Raises `EngineMissingError` where Lua is needed and not installed.
    """
    kind = suggestion.kind
    facts = kind_facts(*kind, catalog.directories)
    if facts is None:
        return UnknownKindError(
            f"nothing for `{dialect}` about `{kind}`: the catalogue has no states to try it on"
        )
    form = snippet_form(dialect)
    judge = own_judge(form)
    # A system that judges all states right by itself needs no snippet.
    needless = judge is not None and not _errors(suggestion, judge)
    result = None if needless else _best(suggestion, facts, form, catalog)
    snippet = Snippet(
        dialect=form.name,
        mirrors=form.mirrors,
        place=form.place,
        text=_text(get(result.declaration, form.print)) if result else "",
        expressions=_expressions(form, result) if result else {},
        variable=result.variable if result else "",
        needless=needless,
        unsaid=() if needless else tuple(_unsaid(form, result)),
        differs=tuple(map(_difference, result.differences)) if result else (),
        notes=form.notes if result else (),
    )
    return replace(suggestion, snippet=snippet)


def _errors(suggestion: Suggestion, judge: Any) -> bool:
    """Whether a verdict differs, or cannot be given."""
    try:
        return bool(differences(suggestion.life, judge))
    except RefusedError:
        return True


def _best(
    suggestion: Suggestion, facts: KindFacts, form: SnippetForm, catalog: Catalog
) -> _Result | None:
    """The first result without a fault, else the one with the fewest; None without one to print."""
    results = []
    for names in identities(suggestion.kind, suggestion.api_version):
        for result in _results(suggestion, facts, form, catalog, names):
            if not result.faults:
                return result
            if not any(item.is_forbidden for item in result.faults):
                results.append(result)
    return min(results, key=lambda result: result.rank, default=None)


def _results(
    suggestion: Suggestion,
    facts: KindFacts,
    form: SnippetForm,
    catalog: Catalog,
    names: dict[str, Value],
) -> Iterator[_Result]:
    dialect = catalog.dialects.get(form.dialect)
    variable = filled(form.variable, names)
    mark = dialect.wrap if dialect and dialect.wrap == _MARK else ""

    def trial(values: Values) -> Sequence[StateDifference]:
        declaration = filled(form.declaration, {**names, **values})
        judge = judge_of(form, declaration, values, catalog)
        return differences(suggestion.life, judge)

    subject = Subject(suggestion, facts, form, variable, mark)
    for values in LANGUAGES[form.language](subject, trial):
        try:
            result = trial(values)
        except RefusedError:
            continue
        declaration = filled(form.declaration, {**names, **values})
        yield _Result(declaration, values, variable, result)


_MARK = "${}"


def _text(part: Value) -> str:
    return f"{part}\n" if isinstance(part, str) else "".join(f"{line}\n" for line in block(part))


def _expressions(form: SnippetForm, result: _Result) -> dict[str, Value]:
    """The values that the form has a place for."""
    names = names_in(form.declaration)
    return {name: value for name, value in result.values.items() if name in names}


def _difference(item: StateDifference) -> SnippetDifference:
    return SnippetDifference(item.state.name, item.state.verdict, item.gives)


def _unsaid(form: SnippetForm, result: _Result | None) -> Iterator[str]:
    """Sentences about what the snippet does not say."""
    if result is None:
        yield (
            "Nothing is printed: no form of it recognises each ready state of the kind, and no"
            " other state as a failure."
        )
        return
    silent = [item for item in result.differences if item.is_silence]
    if silent:
        states = _names(silent)
        yield f"{form.failed} Failed for good and in progress are the same here: {states}.".strip()
    for verdict, clause in _CLAUSES.items():
        if states := _names([item for item in result.faults if item.gives == verdict]):
            yield f"{clause}: {states}."


_CLAUSES = {
    "Current": "It counts an object as ready too early, or one that has failed",
    "InProgress": "It goes on waiting for an object that is ready",
}


def _names(items: Sequence[StateDifference]) -> str:
    return ", ".join(f"`{item.state.name}`" for item in items)
