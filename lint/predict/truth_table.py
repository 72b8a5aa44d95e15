"""The results of a model's expressions in every state, and objects that prove something."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from celvet.lint.cel import Outcome
from celvet.lint.lru_cache import CachedFunction
from celvet.lint.model import Counterexample, Value
from celvet.lint.predict.check_model import CheckModel
from celvet.lint.predict.reads.reader import read
from celvet.lint.predict.reads.reading import Reading
from celvet.lint.predict.search.candidates import Candidates
from celvet.lint.predict.states.state import State
from celvet.lint.predict.states.state_builder import StateBuilder
from celvet.lint.predict.states.stock_states import stock_states
from celvet.record import field, record

if TYPE_CHECKING:
    from celvet.lint.predict.search.search import Goal, Search

_MOST_PROPOSALS = 300
"""How many objects that a search proposes are evaluated."""

_MOST_BYTES = 64 * 2**20
_BYTES_A_ROW = 8 * 2**10
"""Bytes of a table and its derived results, per row; measured."""


@record(slots=False)
class Row:
    """One state: the outcome of each expression, by role, and the verdict.

    Both are computed when they are asked for: many a question ends at the first row that has a
    certain answer.
    """

    state: State
    outcomes: Mapping[str, Outcome]
    model: CheckModel = field(compare=False, repr=False)

    @cached_property
    def verdict(self) -> str:
        """The verdict of the controller on an object in this state."""
        return self.model.verdict(self.state.variables, self.outcomes)

    @property
    def counterexample(self) -> Counterexample:
        """The state and the verdict, as a finding shows them."""
        state = self.state
        return Counterexample(state.name, state.description, state.object, self.verdict)

    def true(self, role: str) -> bool:
        """Whether the expression exists and is true."""
        return role in self.outcomes and self.outcomes[role].value is True

    def error(self, role: str) -> str:
        """The evaluation error of the expression; empty if there is none."""
        outcome = self.outcomes.get(role)
        return outcome.error if outcome and outcome.analysed else ""


@record
class Proof:
    """The result of a search; without a row, `complete` means that there is no such object."""

    row: Row | None
    complete: bool


@record(eq=False, slots=False)
class Table:
    """All stock states of a model. Equal by identity; `table` gives the same one again."""

    model: CheckModel
    reading: Reading
    builder: StateBuilder
    rows: tuple[Row, ...]
    _read_by: Mapping[str, Reading]
    _candidates: Candidates
    _proofs: dict[tuple[tuple[str, bool], ...], Proof] = field(default_factory=dict)

    def read_by(self, role: str) -> Reading:
        """The reads of the expression of one role."""
        return self._read_by[role]

    def row(self, state: State) -> Row:
        """The row of a state, stock or not."""
        return _row(self.model, state)

    def altered_row(self, row: Row, name: str, description: str, variables: Value) -> Row:
        """A row of the state that another one turns into."""
        return self.row(self.builder.state(name, description, "proof", variables))

    def witnesses(self) -> Iterator[Row]:
        """An object for each verdict that no stock state has, if one is found.

        A stock state sets one thing; many expressions need two.
        """
        verdicts = {row.verdict for row in self.rows}
        roles = list(self.model.programs)
        for place, role in enumerate(roles):
            proof = self.proof({**dict.fromkeys(roles[:place], False), role: True}).row
            if proof and proof.verdict not in verdicts:
                words = f"that makes `{role}` true"
                yield self.altered_row(proof, f"{role}=true", words, proof.state.variables)

    def proof(self, answers: Mapping[str, bool]) -> Proof:
        """An object on which the expressions of these roles are true, or false without error."""
        key = tuple(answers.items())
        if key not in self._proofs:
            search, rows = self._search_for(answers)
            proof = next(rows, None)
            self._proofs[key] = Proof(proof, search.progress.complete)
        return self._proofs[key]

    def proofs(self, answers: Mapping[str, bool]) -> Iterator[Row]:
        """All objects that `proof` chooses from."""
        return self._search_for(answers)[1]

    def _search_for(self, answers: Mapping[str, bool]) -> tuple[Search, Iterator[Row]]:
        # the stock states are usually enough
        from celvet.lint.predict.search.search import Goal, Search

        search = Search(self.reading, self._candidates, sees_copies=bool(self.model.copies.lacking))
        trees = {role: self.model.programs[role].tree for role in answers}
        goals = [Goal(tree, answers[role], {}) for role, tree in trees.items() if tree]
        return search, self._proposed_rows(search, goals, answers)

    def _proposed_rows(
        self, search: Search, goals: list[Goal], answers: Mapping[str, bool]
    ) -> Iterator[Row]:
        words = " and ".join(f"`{role}` is {str(value).lower()}" for role, value in answers.items())
        for variables in _proposals(search, goals, self.builder.applied):
            state = self.builder.state("proof", f"on which {words}", "proof", variables)
            outcomes = self.model.outcomes(variables)
            if all(outcomes[role].value is value for role, value in answers.items()):
                yield Row(state, outcomes, self.model)


def _proposals(search: Search, goals: list[Goal], start: Value) -> Iterator[Value]:
    """The objects that a search proposes from `start`, then those from the proposals.

    The second round lets an earlier goal complete what a later one put into a list.
    Each object comes once.
    """
    variables_by_text: dict[str, Value] = {}
    for is_first_round in (True, False):
        search.progress.mending = not is_first_round
        for base in [start] if is_first_round else list(variables_by_text.values()):
            for variables in search.satisfy_all(goals, base):
                key = repr(variables)
                if key in variables_by_text:
                    continue
                if len(variables_by_text) == _MOST_PROPOSALS:
                    search.progress.only_if(False)
                    return
                variables_by_text[key] = variables
                yield variables


def _row(model: CheckModel, state: State) -> Row:
    return Row(state, model.outcomes(state.variables), model)


def table(model: CheckModel) -> Table:
    """The table of a check; the latest ones are remembered."""
    return _cached_table(_TableKey(model))


class _TableKey:
    """A key of everything that a table depends on."""

    def __init__(self, model: CheckModel) -> None:
        self.model = model
        programs = model.programs.items()
        texts = tuple((role, program.text, program.dialect) for role, program in programs)
        self._key = (texts, model.group_kind, model.version, model.schema, model.facts)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _TableKey):
            return False
        return self._key == other._key and self.model.copies == other.model.copies

    def __hash__(self) -> int:
        return hash(self._key)


def _table(request: _TableKey) -> Table:
    model = request.model
    reading = read(model.trees())
    builder = StateBuilder(model, reading)
    rows = tuple(_row(model, state) for state in stock_states(builder))
    trees = {
        role: [program.tree] if program.tree else [] for role, program in model.programs.items()
    }
    read_by = {role: read(tree) for role, tree in trees.items()}
    return Table(model, reading, builder, rows, read_by, Candidates(reading))


def _bytes(result: Table) -> int:
    return _BYTES_A_ROW * (1 + len(result.rows))


_cached_table = CachedFunction(_table, _bytes, _MOST_BYTES)
