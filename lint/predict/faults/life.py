"""Compares the verdicts of an entry with the known states of a kind.

The catalogue has the states of a kind's life as its controller writes them. They replace the
stock states wherever the question is which verdict comes too early, or never.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache

from celvet.lint.cel import Compiled, Outcome, compile_expression
from celvet.lint.checks import Outcomes
from celvet.lint.checks.advice import plain
from celvet.lint.model import Value
from celvet.lint.predict.faults.diagnosis import Diagnosis, Fault
from celvet.lint.predict.reads.terms import Steps, definite
from celvet.lint.predict.states.building import get, put
from celvet.lint.predict.states.state import State
from celvet.lint.predict.truth_table import Row, Table
from celvet.lint.values import ABSENT
from celvet.record import replace
from celvet.regex import regex
from celvet.schemas import Dialect, KindFacts
from celvet.schemas.facts import LifeState, steps_of

_WORDS = regex(r"\b\w{2,}\b(?!\()|\[\d+\]")

_STAGES = {
    "fresh": "just applied",
    "coming": "on its way up",
    "updating": "being updated",
    "transient": "with an error that is tried again",
    "ready": "ready",
    "suspended": "suspended",
    "failing": "failing",
}
_EARLY = ("fresh", "coming", "transient", "failing")
"""Stages in which nothing may count as ready."""
_WAITING = ("InProgress", "Unknown")
_MILD = ("transient", "suspended")
"""Stages that an object need not pass through; their verdict may be a choice."""
_TELLING = ("coming", "fresh", "ready", "updating", "failing", "transient", "suspended")
"""Stages, those that show best what is wrong first."""


def known(table: Table) -> KindFacts | None:
    """The facts of the kind, if the check is about its health."""
    facts, model = table.model.facts, table.model
    health = model.dialect.purpose == "health" and not model.root
    return facts if health else None


@lru_cache(maxsize=2)
def life(table: Table) -> tuple[tuple[LifeState, Row], ...]:
    """The states of the kind's life, each with its row; none if there are no facts.

    They are in the order in which an object passes through them. Several faults use them.
    """
    facts = known(table)
    return tuple(_life_rows(table, facts)) if facts else ()


def early_in_life(table: Table, facts: KindFacts) -> Iterator[Diagnosis]:
    """For each wrong verdict, the state of the life that shows it best.

    A variant in the catalogue is not wrong.
    """
    texts = {role: plain(each.text) for role, each in table.model.programs.items()}
    if any(texts == _plain_entry(each.entry) for each in facts.variants.values()):
        return
    rows = [(state, row) for state, row in life(table) if not state.until]
    for verdict, wrong in (("Failed", _wrongly_failed), ("Current", _wrongly_current)):
        role = table.model.role(verdict)
        found = [
            (state, row) for state, row in rows if row.verdict == verdict and wrong(state, facts)
        ]
        if role and found:
            current = table.model.role("Current")
            both = role != current and any(
                row.true(current) for state, row in found if state.verdict != "Current"
            )
            yield replace(_diagnosis(role, found, facts), other=current if both else "")


def choices(table: Table, role: str, fault: Fault) -> dict[str, str]:
    """The verdicts that an author has chosen, by state, for whom one role has a fault.

    None, if it is a `failed` whose verdicts are in doubt.
    """
    if role == table.model.role("Failed") and fault != "stale":
        return {}
    return {state.name: row.verdict for state, row in life(table) if not state.until}


@lru_cache(maxsize=64)
def uncovered(table: Table, role: str, fault: Fault, reported: frozenset[str]) -> tuple[str, ...]:
    """The other roles to rewrite with one, for a known kind.

    With the recommended expression, or none, in the place of one, a verdict may still be wrong in
    a state of the life, or wrong in another way. The `reported` roles have help of their own.
    """
    model, facts = table.model, known(table)
    if facts is None or not facts.entry:
        return ()
    texts = [each.text for each in model.programs.values()]
    entry = facts.closest_entry(texts, choices(table, role, fault))
    advised = replace(model, programs=_compiled(entry, model.dialect))
    states = [
        (state, row, advised.outcomes(row.state.variables))
        for state, row in life(table)
        if not state.until
    ]
    written = tuple(each for each in model.programs if each != role)
    others = (*written, *(each for each in entry if each not in model.programs))
    for more in ((), *((each,) for each in others), written):
        roles = (role, *more)
        if all(
            _as_right(state, row, recommended, roles, reported)
            for state, row, recommended in states
        ):
            return more
    return others


def _compiled(entry: Mapping[str, str], dialect: Dialect) -> dict[str, Compiled]:
    """The expressions of an entry of the catalogue, by role."""
    texts = _plain_entry(entry)
    return {role: compile_expression(text, dialect) for role, text in texts.items() if text}


def _as_right(
    state: LifeState,
    row: Row,
    recommended: Outcomes,
    roles: Collection[str],
    reported: Collection[str],
) -> bool:
    """Whether a state gets a right verdict, or keeps a reported one, with recommended `roles`.

    It may also go on waiting, unless it is ready and no other finding is about that.
    """
    chosen = {
        each.name: recommended if each.name in roles else row.outcomes
        for each in row.model.dialect.roles
    }
    outcomes = _Chosen({name: of for name, of in chosen.items() if name in of})
    verdict = row.model.verdict(row.state.variables, outcomes)
    current = row.model.role("Current")
    stuck = state.verdict == "Current" and (current in roles or current not in reported)
    waits = row.verdict in _WAITING and not stuck
    kept = waits or row.model.role(row.verdict) in reported
    fine = (row.verdict, state.verdict) if kept else (state.verdict,)
    return any(is_right(verdict, each) for each in fine)


class _Chosen(Mapping[str, Outcome]):
    """The outcomes of roles, of different entries; each is evaluated on first use."""

    def __init__(self, by_role: Mapping[str, Mapping[str, Outcome]]) -> None:
        self._by_role = by_role

    def __getitem__(self, role: str) -> Outcome:
        return self._by_role[role][role]

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_role)

    def __len__(self) -> int:
        return len(self._by_role)


def is_right(verdict: str, wanted: str) -> bool:
    """Whether a verdict is the wanted one, or makes Flux wait like that."""
    return verdict == wanted or (verdict in _WAITING and wanted in _WAITING)


def buried(table: Table) -> Iterator[Diagnosis]:
    """`failed` that is true of a failing object, while an `inProgress` is true of it as well."""
    waits, failed = table.model.role("InProgress"), table.model.role("Failed")
    rows = life(table) if waits and failed else ()
    for state, row in rows:
        failing = state.stage == "failing" and not state.until
        if failing and row.true(waits) and row.true(failed):
            yield Diagnosis(
                fault="hidden", role=waits, row=row, how="life", other=failed, detail=state.name
            )
            return


def outdated(table: Table) -> Iterator[Diagnosis]:
    """`current` that is true just after a change, which the recommended entry waits for."""
    facts, current = known(table), table.model.role("Current")
    if facts is None or not facts.generation_in:
        return
    for state, row in life(table):
        waits = state.stage == "updating" and state.verdict != "Current" and not state.until
        if waits and _is_dated(state) and row.verdict == "Current":
            yield Diagnosis(fault="stale", role=current, row=row, how="life", detail=state.name)
            return


def explained(table: Table, found: Diagnosis) -> Diagnosis:
    """The diagnosis with the reason of a pitfall that has the same words and wrong verdicts."""
    verdicts = {state.name: row.verdict for state, row in life(table)}
    facts = known(table)
    if facts is None or found.detail not in verdicts or found.role not in table.model.programs:
        return found
    words = _words(table.model.programs[found.role].text)
    for each in facts.pitfalls:
        # a user's own file may name a state that is not in the life
        given = {name: wrong for name, wrong in each.does.items() if verdicts.get(name) == wrong}
        alike = found.role in each.entry and _words(each.entry[found.role]) <= words
        if alike and found.detail in given and {*given.values()} == {*each.does.values()}:
            return replace(found, says=each.says)
    return found


def _words(text: str) -> set[str]:
    """The fields, values and indices of an expression, without functions and short variables."""
    return set(_WORDS.findall(text))


def _life_rows(table: Table, facts: KindFacts) -> Iterator[tuple[LifeState, Row]]:
    chosen = _chosen(table, facts)
    for state in facts.life:
        obj: Value = dict(state.object)
        for path, text in chosen.items():
            if get(obj, definite(path)) is not ABSENT:
                obj = put(obj, definite(path), text)
        words = f"in the state `{state.name}` ({_STAGES[state.stage]})"
        yield state, table.row(State(state.name, words, "proof", obj, obj))


def _chosen(table: Table, facts: KindFacts) -> Mapping[Steps, str]:
    """The texts that the entry compares with fields whose text is the user's choice."""
    paths = (steps_of(each["path"]) for each in facts.content.get("facts", ()) if "chosen" in each)
    read = ((path, table.reading.fields.get(path)) for path in paths)
    texts = {path: [x for x in each.values if isinstance(x, str)] for path, each in read if each}
    return {path: found[0] for path, found in texts.items() if found}


def _plain_entry(entry: Mapping[str, str]) -> dict[str, str]:
    return {role: plain(text) for role, text in entry.items()}


def _wrongly_failed(state: LifeState, facts: KindFacts) -> bool:
    return state.verdict != "Failed" and state.stage != "failing" and not _is_old(state, facts)


def _wrongly_current(state: LifeState, facts: KindFacts) -> bool:
    return state.verdict != "Current" and state.stage in _EARLY and not _is_old(state, facts)


def _is_old(state: LifeState, facts: KindFacts) -> bool:
    """Whether the controller has not seen the update yet, a case for `stale-generation`."""
    status = state.object.get("status")
    if state.stage != "updating":
        return False
    if _is_dated(state):
        return True
    others = (each for each in facts.life if each.stage != "updating")
    return any(_undated(status) == _undated(each.object.get("status")) for each in others)


def _is_dated(state: LifeState) -> bool:
    """Whether a generation in the status is older than that of the object."""
    wanted = state.object["metadata"]["generation"]
    return any(each < wanted for each in _generations(state.object.get("status")))


def _generations(value: Value) -> Iterator[int]:
    """The generations in a status."""
    if isinstance(value, Mapping):
        # Argo Rollouts writes it as a string.
        observed = str(value.get("observedGeneration", ""))
        if observed.isdecimal():
            yield int(observed)
    for each in value.values() if isinstance(value, Mapping) else value or ():
        if isinstance(each, Mapping | list):
            yield from _generations(each)


def _undated(value: Value) -> Value:
    """The value without the generations in it."""
    if isinstance(value, Mapping):
        kept = (key for key in value if key != "observedGeneration")
        return {key: _undated(value[key]) for key in kept}
    return [_undated(each) for each in value] if isinstance(value, list) else value


def _diagnosis(role: str, found: list[tuple[LifeState, Row]], facts: KindFacts) -> Diagnosis:
    """`how` is `life`, `ready` or `failing`, or a milder word if no state is a clear mistake.

    An object need not pass through `retried` and `suspended`. In `choice` a variant of the
    catalogue gives the same verdict, or the state has no evidence; `hidden` is both.
    """
    state, row = min(found, key=lambda each: _rank(each[0], each[1], facts))
    how = _harm(state, row, facts)
    others = sum(_harm(*each, facts) == how for each in found) - 1
    if how == "life" and state.stage in ("ready", "failing"):
        how = state.stage
    return Diagnosis(
        fault="premature", role=role, row=row, how=how, detail=state.name, others=others
    )


_HARMS = ("life", "retried", "suspended", "choice", "hidden")


def _rank(state: LifeState, row: Row, facts: KindFacts) -> tuple[int, bool, int]:
    harm = _HARMS.index(_harm(state, row, facts))
    return harm, bool(state.since), _TELLING.index(state.stage)


def _harm(state: LifeState, row: Row, facts: KindFacts) -> str:
    meant = state.unverified or any(
        each.differs.get(state.name) == row.verdict for each in facts.variants.values()
    )
    if state.stage in _MILD:
        return "hidden" if meant else "suspended" if state.stage == "suspended" else "retried"
    return "choice" if meant else "life"
