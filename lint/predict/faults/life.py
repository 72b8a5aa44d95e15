"""Compares the verdicts of an entry with the known states of a kind.

The catalogue has the states of a kind's life as its controller writes them. They replace the
stock states wherever the question is which verdict comes too early, or never.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from celvet.lint.cel import Outcome, compile_expression
from celvet.lint.checks import Outcomes
from celvet.lint.checks.advice import KnownState, plain
from celvet.lint.model import Confidence, Value
from celvet.lint.predict.faults.diagnosis import (
    BothInLife,
    ChangedInLife,
    InLife,
    NeverTrue,
    Premature,
    Shadowed,
    StageInLife,
    Stale,
    Stuck,
)
from celvet.lint.predict.faults.life_rows import health_facts, life_rows
from celvet.lint.predict.truth_table import Row, Table
from celvet.record import replace
from celvet.regex import regex
from celvet.schemas import KindFacts
from celvet.schemas.facts import LifeState

_WORDS = regex(r"\b\w{2,}\b(?!\()|\[\d+\]")

_EARLY = ("fresh", "coming", "transient", "failing")
"""Stages in which nothing may count as ready."""
_WAITING = ("InProgress", "NotReady", "Unknown")
_MILD = ("transient", "suspended")
"""Stages that an object need not pass through; their verdict may be a choice."""
_STAGES_TO_SHOW = ("coming", "fresh", "ready", "updating", "failing", "transient", "suspended")
"""Stages, those that show best what is wrong first."""


def premature_in_life(table: Table, facts: KindFacts) -> Iterator[Premature]:
    """For each wrong verdict, the state of the life that shows it best.

    A variant in the catalogue is not wrong.
    """
    texts = {role: plain(program.text) for role, program in table.model.programs.items()}
    if any(texts == _plain_entry(variant.entry) for variant in facts.variants.values()):
        return
    rows = [(state, row) for state, row in life_rows(table) if not state.until]
    for verdict, is_wrong in (("Failed", _is_wrongly_failed), ("Current", _is_wrongly_current)):
        role = table.model.role(verdict)
        proofs = [
            (state, row) for state, row in rows if row.verdict == verdict and is_wrong(state, facts)
        ]
        if role and proofs:
            current = table.model.role("Current")
            # Without this role `current` would decide, and in such a state it is wrong as well.
            is_contested = role != current and any(
                row.true(current) for state, row in proofs if state.verdict != "Current"
            )
            yield _premature(table, role, proofs, facts, also=current if is_contested else "")


def chosen_verdicts(table: Table, role: str, *, is_stale: bool) -> dict[str, str]:
    """The verdicts that an author has chosen, by state, for whom one role has a fault.

    None, if it is a `failed` whose verdicts are in doubt, as they are unless it `is_stale`.
    """
    if role == table.model.role("Failed") and not is_stale:
        return {}
    return {state.name: row.verdict for state, row in life_rows(table) if not state.until}


def roles_to_rewrite(
    table: Table, role: str, reported: frozenset[str], *, is_stale: bool
) -> tuple[str, ...]:
    """The other roles to rewrite with one, for a known kind.

    With the recommended expression, or none, in the place of one, a verdict may still be wrong in
    a state of the life, or wrong in another way. The `reported` roles have help of their own.
    """
    model, facts = table.model, health_facts(table)
    if facts is None or not facts.entry:
        return ()
    # The outcomes that the closest entry of the catalogue has in each state.
    texts = [program.text for program in model.programs.values()]
    entry = _plain_entry(
        facts.closest_entry(texts, chosen_verdicts(table, role, is_stale=is_stale))
    )
    programs = {
        name: compile_expression(text, model.dialect) for name, text in entry.items() if text
    }
    advice = replace(model, programs=programs)
    states = [
        (state, row, advice.outcomes(row.state.variables))
        for state, row in life_rows(table)
        if not state.until
    ]
    # The fewest roles are best: none, one more, all that the check has, all of both.
    own_roles = tuple(name for name in model.programs if name != role)
    all_roles = (*own_roles, *(name for name in entry if name not in model.programs))
    for extra_roles in ((), *((name,) for name in all_roles), own_roles):
        roles = (role, *extra_roles)
        if all(_is_right_with(*outcomes, roles, reported) for outcomes in states):
            return extra_roles
    return all_roles


def _is_right_with(
    state: LifeState,
    row: Row,
    recommended: Outcomes,
    roles: Collection[str],
    reported: Collection[str],
) -> bool:
    """Whether a state gets a right verdict, or keeps a reported one, with recommended `roles`.

    It may also go on waiting, unless it is ready and no other finding is about that.
    """
    sources = {
        role.name: recommended if role.name in roles else row.outcomes
        for role in row.model.dialect.roles
    }
    outcomes = _MixedOutcomes({name: source for name, source in sources.items() if name in source})
    verdict = row.model.verdict(row.state.variables, outcomes)
    current = row.model.role("Current")
    is_stuck = state.verdict == "Current" and (current in roles or current not in reported)
    may_wait = row.verdict in _WAITING and not is_stuck
    may_stay = may_wait or row.model.role(row.verdict) in reported
    acceptable = {state.verdict} | ({row.verdict} if may_stay else set())
    return any(is_right(verdict, right) for right in acceptable)


class _MixedOutcomes(Mapping[str, Outcome]):
    """The outcomes of roles, of different entries; each is evaluated on first use."""

    def __init__(self, by_role: Mapping[str, Mapping[str, Outcome]]) -> None:
        self._by_role = by_role

    def __getitem__(self, role: str) -> Outcome:
        return self._by_role[role][role]

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_role)

    def __len__(self) -> int:
        return len(self._by_role)


def is_right(verdict: str, right_verdict: str) -> bool:
    """Whether a verdict is the wanted one, or makes Flux wait like that."""
    return verdict == right_verdict or (verdict in _WAITING and right_verdict in _WAITING)


def find_hidden_in_life(table: Table) -> Iterator[Shadowed]:
    """`failed` that is true of a failing object, while an `inProgress` is true of it as well."""
    waiting, failed = table.model.role("InProgress"), table.model.role("Failed")
    rows = life_rows(table) if waiting and failed else ()
    for state, row in rows:
        is_failing = state.stage == "failing" and not state.until
        if is_failing and row.true(waiting) and row.true(failed):
            proof = BothInLife(_known_state(table, state, waiting))
            yield Shadowed(role=waiting, row=row, hidden_role=failed, proof=proof)
            return


def find_stale_in_life(table: Table) -> Iterator[Stale]:
    """`current` that is true just after a change, which the recommended entry waits for."""
    facts, current = health_facts(table), table.model.role("Current")
    if facts is None or not facts.generation_in:
        return
    for state, row in life_rows(table):
        is_changing = state.stage == "updating" and state.verdict != "Current" and not state.until
        if is_changing and _is_dated(state) and row.verdict == "Current":
            proof = ChangedInLife(_known_state(table, state, current))
            yield Stale(role=current, row=row, proof=proof, confidence=stale_confidence(facts))
            return


def stale_confidence(facts: KindFacts | None) -> Confidence:
    """How much it matters that a verdict is outdated just after a change.

    Low if an object is ready again as soon as its controller has seen the change: it is outdated
    for a moment, and nothing is rolled out.
    """
    states = [state for state in facts.life if state.stage == "updating"] if facts else []
    is_moment = bool(states) and all(map(_is_dated, states))
    return Confidence.LOW if is_moment else Confidence.HIGH


def stuck_verdict(table: Table, state: LifeState, row: Row, *, always: bool) -> NeverTrue:
    """The fault of a verdict that a ready object never gets, by the expression that prevents it."""
    model = table.model
    role = next((name for name in model.programs if row.error(name)), "")
    if not role:
        waiting = model.role("InProgress")
        role = waiting if row.true(waiting) else model.role("Current")
    return NeverTrue(role=role, proof=Stuck(row, _known_state(table, state, role), always))


def _known_state(table: Table, state: LifeState, role: str) -> KnownState:
    """A state, with the reason of a pitfall that has the same words and wrong verdicts."""
    facts = health_facts(table)
    if facts is None or role not in table.model.programs:
        return KnownState(state.name)
    verdicts = {state.name: row.verdict for state, row in life_rows(table)}
    words = _words(table.model.programs[role].text)
    for pitfall in facts.pitfalls:
        # A user's own file may name a state that is not in the life.
        matches = {
            name: wrong for name, wrong in pitfall.does.items() if verdicts.get(name) == wrong
        }
        is_alike = role in pitfall.entry and _words(pitfall.entry[role]) <= words
        if is_alike and state.name in matches and {*matches.values()} == {*pitfall.does.values()}:
            return KnownState(state.name, pitfall.says)
    return KnownState(state.name)


def _words(text: str) -> set[str]:
    """The fields, values and indices of an expression, without functions and short variables."""
    return set(_WORDS.findall(text))


def _plain_entry(entry: Mapping[str, str]) -> dict[str, str]:
    return {role: plain(text) for role, text in entry.items()}


def _is_wrongly_failed(state: LifeState, facts: KindFacts) -> bool:
    return state.verdict != "Failed" and state.stage != "failing" and not _is_old(state, facts)


def _is_wrongly_current(state: LifeState, facts: KindFacts) -> bool:
    return state.verdict != "Current" and state.stage in _EARLY and not _is_old(state, facts)


def _is_old(state: LifeState, facts: KindFacts) -> bool:
    """Whether the controller has not seen the update yet, a case for `stale-generation`."""
    status = state.object.get("status")
    if state.stage != "updating":
        return False
    if _is_dated(state):
        return True
    statuses = (
        settled_state.object.get("status")
        for settled_state in facts.life
        if settled_state.stage != "updating"
    )
    return any(_undated(status) == _undated(settled_status) for settled_status in statuses)


def _is_dated(state: LifeState) -> bool:
    """Whether a generation in the status is older than that of the object."""
    present = state.object["metadata"]["generation"]
    return any(generation < present for generation in _generations(state.object.get("status")))


def _generations(value: Value) -> Iterator[int]:
    """The generations in a status."""
    if isinstance(value, Mapping):
        # Argo Rollouts writes it as a string.
        generation = str(value.get("observedGeneration", ""))
        if generation.isdecimal():
            yield int(generation)
    for item in value.values() if isinstance(value, Mapping) else value or ():
        if isinstance(item, Mapping | list):
            yield from _generations(item)


def _undated(value: Value) -> Value:
    """The value without the generations in it."""
    if isinstance(value, Mapping):
        return {key: _undated(value[key]) for key in value if key != "observedGeneration"}
    return [_undated(item) for item in value] if isinstance(value, list) else value


def _premature(
    table: Table, role: str, proofs: list[tuple[LifeState, Row]], facts: KindFacts, *, also: str
) -> Premature:
    """The fault, with the state that shows it best, and the number of those as bad."""
    state, row = min(proofs, key=lambda proof: _rank(proof[0], proof[1], facts))
    confidence, stage = harm = _harm(state, row, facts)
    other_states = tuple(
        other_state.name
        for other_state, other_row in proofs
        if other_state is not state and _harm(other_state, other_row, facts) == harm
    )
    return Premature(
        role=role,
        row=row,
        proof=InLife(_known_state(table, state, role), stage, other_states),
        confidence=confidence,
        also=also,
    )


_STAGES_IN_LIFE: Mapping[str, StageInLife] = {
    "fresh": "starting",
    "coming": "starting",
    "transient": "retried",
    "updating": "updating",
    "ready": "ready",
    "suspended": "suspended",
    "failing": "failing",
}
_MILDEST_FIRST: Mapping[StageInLife, int] = {"retried": 0, "suspended": 1}


def _rank(state: LifeState, row: Row, facts: KindFacts) -> tuple[int, int, bool, int]:
    """The order in which states are preferred as proofs."""
    confidence, stage = _harm(state, row, facts)
    mildness, order = _MILDEST_FIRST.get(stage, 2), _STAGES_TO_SHOW.index(state.stage)
    return -confidence, mildness, bool(state.since), order


def _harm(state: LifeState, row: Row, facts: KindFacts) -> tuple[Confidence, StageInLife]:
    """How sure a wrong verdict is a mistake, and the stage in which it comes.

    An object need not pass through an error that is retried, nor through a suspension. A
    verdict may be a choice if a variant of the catalogue gives the same one, or if there is no
    evidence for the state.
    """
    may_be_choice = state.unverified or any(
        variant.differs.get(state.name) == row.verdict for variant in facts.variants.values()
    )
    confidence = Confidence.HIGH - may_be_choice - (state.stage in _MILD)
    return Confidence(confidence), _STAGES_IN_LIFE[state.stage]
