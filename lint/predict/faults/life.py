"""What an entry makes of the states that objects of a known kind are in.

The catalogue has the states of a kind's life as its controller writes them. They replace the
stock states wherever the question is which verdict comes too early, or never.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from celvet.lint.model import Value
from celvet.lint.predict.faults.diagnosis import Diagnosis
from celvet.lint.predict.reads.reading import Reading
from celvet.lint.predict.reads.terms import Steps
from celvet.lint.predict.states.state import State
from celvet.lint.predict.truth_table import Row, Table
from celvet.lint.similar import similar
from celvet.schemas import KindFacts
from celvet.schemas.facts import LifeState, steps_of

_STAGES = {
    "fresh": "just applied",
    "coming": "on its way up",
    "updating": "being updated",
    "transient": "with an error that is tried again",
    "ready": "ready",
    "suspended": "suspended",
    "failing": "failing",
}
_CONDITIONS: Steps = ("status", "conditions")
_EARLY = ("fresh", "coming", "transient", "failing")
"""Stages in which nothing may be taken for ready."""
_MILD = ("transient", "suspended")
"""Stages that an object need not pass: what an entry makes of them may be a choice."""
_TELLING = ("coming", "fresh", "ready", "updating", "failing", "transient", "suspended")
"""Stages in the order in which they show best what is wrong."""


def known(table: Table) -> KindFacts | None:
    """The facts of the kind, if its life is known."""
    facts, model = table.model.facts, table.model
    health = model.dialect.purpose == "health" and not model.root
    return facts if facts and facts.life and health else None


def life(table: Table) -> list[tuple[LifeState, Row]]:
    """The states of the kind's life, each with what comes of it; none if nobody has read the kind.

    In the order in which an object passes them.
    """
    facts = known(table)
    return list(life_rows(table, facts)) if facts else []


def early_in_life(table: Table, facts: KindFacts) -> Iterator[Diagnosis]:
    """For each verdict, the state of the life that shows best that it is wrong.

    A variant of the catalogue is not wrong.
    """
    texts = {role: _plain(each.text) for role, each in table.model.programs.items()}
    if any(texts == _plain_entry(each.entry) for each in facts.variants.values()):
        return
    rows = [(state, row) for state, row in life_rows(table, facts) if not state.until]
    for verdict, wrong in (("Failed", _wrongly_failed), ("Current", _wrongly_current)):
        role = table.model.role(verdict)
        found = [
            (state, row) for state, row in rows if row.verdict == verdict and wrong(state, facts)
        ]
        if role and found:
            yield replace(_diagnosis(role, found, facts), other=_masked(table, role, found))


def _masked(table: Table, role: str, found: list[tuple[LifeState, Row]]) -> str:
    """The `current` that only a wrong `failed` keeps from being true too early."""
    current = table.model.role("Current")
    early = (row.true(current) for state, row in found if state.verdict != "Current")
    return current if role != current and any(early) else ""


def unwritten(table: Table, facts: KindFacts) -> Iterator[Diagnosis]:
    """`current` and `failed` that wait for what does not come."""
    rows = list(life_rows(table, facts))
    current, failed = table.model.role("Current"), table.model.role("Failed")
    ready = [each for each in rows if each[0].stage == "ready" and not each[0].until]
    waiting = next((each for each in ready if _waits(*each, facts)), None)
    never = ready and not any(row.verdict == "Current" or _errs(row) for _, row in ready)
    words = _odd(table, facts, current) if never else ""
    if words:
        yield Diagnosis(fault="never", role=current, row=None, how="unwritten", detail=words)
    elif waiting and current:
        some = any(row.verdict == "Current" for _, row in ready)
        yield _stuck(table, *waiting, "sometimes stuck" if some else "stuck")
    idle = failed and not any(row.true(failed) for _, row in rows)
    if words := _odd(table, facts, failed) if idle else "":
        yield Diagnosis(fault="never", role=failed, row=None, how="unwritten", detail=words)


def _waits(state: LifeState, row: Row, facts: KindFacts) -> bool:
    """Whether Flux waits for a ready object, as it does with an entry that is known for it."""
    waiting = ("InProgress", "Unknown")
    return row.verdict in waiting and facts.pitfall(state.name, *waiting) is not None


def _stuck(table: Table, state: LifeState, row: Row, how: str) -> Diagnosis:
    model = table.model
    roles = [*model.programs]
    role = next((each for each in roles if row.error(each)), "")
    if not role:
        held = row.true(model.role("InProgress"))
        role = model.role("InProgress" if held else "Current")
    return Diagnosis(fault="never", role=role, row=row, how=how, detail=state.name)


def buried(table: Table, facts: KindFacts) -> Iterator[Diagnosis]:
    """`failed` that is true of a failing object, while an `inProgress` is true of it as well."""
    waits, failed = table.model.role("InProgress"), table.model.role("Failed")
    for state, row in life_rows(table, facts) if waits and failed else ():
        failing = state.stage == "failing" and not state.until
        if failing and row.true(waits) and row.true(failed):
            yield Diagnosis(
                fault="hidden", role=waits, row=row, how="life", other=failed, detail=state.name
            )
            return


def life_rows(table: Table, facts: KindFacts) -> Iterator[tuple[LifeState, Row]]:
    """What the entry makes of each state of the life."""
    for state in facts.life:
        obj = dict(state.object)
        words = f"in the state `{state.name}` ({_STAGES[state.stage]})"
        yield state, table.row(State(state.name, words, "proof", obj, obj))


def _plain_entry(entry: Mapping[str, str]) -> dict[str, str]:
    return {role: _plain(text) for role, text in entry.items()}


def _plain(text: str) -> str:
    """An expression without its layout."""
    return " ".join(text.split())


def _errs(row: Row) -> bool:
    return any(row.error(role) for role in row.outcomes)


def _wrongly_failed(state: LifeState, facts: KindFacts) -> bool:
    return state.verdict != "Failed" and state.stage != "failing" and not _is_old(state, facts)


def _wrongly_current(state: LifeState, facts: KindFacts) -> bool:
    return state.verdict != "Current" and state.stage in _EARLY and not _is_old(state, facts)


def _is_old(state: LifeState, facts: KindFacts) -> bool:
    """Whether it is an update that nobody has seen, which `stale-generation` is about."""
    status, wanted = state.object.get("status"), state.object["metadata"]["generation"]
    if state.stage != "updating":
        return False
    if any(each < wanted for each in _generations(status)):
        return True
    others = (each for each in facts.life if each.stage != "updating")
    return any(_undated(status) == _undated(each.object.get("status")) for each in others)


def _generations(value: Value) -> Iterator[int]:
    """The generations that a status speaks of."""
    if isinstance(value, Mapping):
        observed = value.get("observedGeneration")
        if isinstance(observed, int):
            yield observed
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
    """`how` is `life`, or a milder word if all of the states are less than a mistake.

    `retried` and `suspended` are states that an object need not pass. `choice` has a variant of
    the catalogue that gives the same verdict there, or is a state of which nobody has read, and
    `hidden` is both.
    """
    state, row = min(found, key=lambda each: _rank(each[0], each[1], facts))
    how = _harm(state, row, facts)
    others = sum(_harm(*each, facts) == how for each in found) - 1
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


# values that nobody writes


def _odd(table: Table, facts: KindFacts, role: str) -> str:
    read = table.read_by(role)
    return _odd_phase(read, facts) or _odd_type(read, facts) or _odd_status(read, facts)


def _odd_phase(read: Reading, facts: KindFacts) -> str:
    """What is in a field of the state instead of all the values that it is compared with."""
    for phase in facts.phases:
        field = read.fields.get(steps_of(phase.path))
        texts = [each for each in field.values if isinstance(each, str) and each] if field else []
        if texts and not any(text in phase.values for text in texts):
            text = texts[0]
            current = [value for value, means in phase.values.items() if means == "current"]
            meant = phase.never.get(text, "") or similar(text, phase.values)
            if text in phase.former:
                meant = meant or (current[0] if len(current) == 1 else "")
                return _instead(facts, phase.path, text, meant, phase.former[text])
            if text in phase.never or not phase.open:
                return _instead(facts, phase.path, text, meant)
    return ""


def _instead(facts: KindFacts, path: str, text: str, meant: str, since: str = "") -> str:
    who = f"{facts.project} {since} and later" if since else facts.project
    if meant:
        return f"{who} {'write' if since else 'writes'} `{meant}` to `{path}`, never `{text}`"
    return f"{who} never {'write' if since else 'writes'} `{text}` to `{path}`"


def _odd_type(read: Reading, facts: KindFacts) -> str:
    """The condition that the controller does not write, where it writes none of those named."""
    written = facts.content.get("conditions", {})
    texts = read.values([_CONDITIONS], "type")
    if not written or not texts or any(text in written for text in texts):
        return ""
    meant = similar(texts[0], written)
    proposal = f"; did you mean `{meant}`?" if meant else ""
    return f"{facts.project} writes no condition `{texts[0]}`{proposal}"


def _odd_status(read: Reading, facts: KindFacts) -> str:
    """A condition that never has the status that it is compared with."""
    written = facts.content.get("conditions", {})
    types, statuses = (read.values([_CONDITIONS], name) for name in ("type", "status"))
    if len(types) != 1 or types[0] not in written or not statuses:
        return ""
    if all(status in written[types[0]].get("never", ()) for status in statuses):
        return f"{facts.project} never sets `{types[0]}` to `{statuses[0]}`"
    return ""
