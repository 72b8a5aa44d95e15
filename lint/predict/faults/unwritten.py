"""Finds values that an entry waits for, and that no object of a known kind ever has.

The catalogue has the values that a controller writes, and its states show the fields.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from celvet.lint.checks.conventions import OF_CONDITIONS, STATUSES
from celvet.lint.model import Value
from celvet.lint.predict.faults.diagnosis import Diagnosis
from celvet.lint.predict.faults.life import life
from celvet.lint.predict.reads.reading import Reading
from celvet.lint.predict.reads.terms import Steps, shown
from celvet.lint.predict.states.state_builder import with_value
from celvet.lint.predict.truth_table import Row, Table
from celvet.lint.similar import similar
from celvet.schemas import KindFacts
from celvet.schemas.facts import LifeState, steps_of

_CONDITIONS: Steps = ("status", "conditions")
_OF_CONDITION = ("type", "status", "observedGeneration")
_GENERATION: Steps = ("metadata", "generation")
_ALIKE = 0.85
"""High, since fields of a status may have similar names."""


def unwritten(table: Table, facts: KindFacts) -> Iterator[Diagnosis]:
    """`current` and `failed` that wait for values that never come."""
    rows = life(table)
    current, failed = table.model.role("Current"), table.model.role("Failed")
    ready = [each for each in rows if each[0].stage == "ready" and not each[0].until]
    if current and ready:
        yield from _never_ready(table, facts, current, ready)
    idle = failed and not any(row.true(failed) for _, row in rows)
    if words := _odd_failed(table, facts, failed) if idle else "":
        yield Diagnosis(fault="never", role=failed, row=None, how="unwritten", detail=words)


def _odd_failed(table: Table, facts: KindFacts, failed: str) -> str:
    read = table.read_by(failed)
    return _odd(table, facts, failed) or _odd_of_condition(read, facts) or _odd_field(read, facts)


def _never_ready(
    table: Table, facts: KindFacts, current: str, ready: Sequence[tuple[LifeState, Row]]
) -> Iterator[Diagnosis]:
    never = not any(row.verdict == "Current" for _, row in ready)
    read = table.read_by(current)
    # Where only conditions are read, an error means that a ready object has none.
    alone = all(each.path[: len(_CONDITIONS)] == _CONDITIONS for each in read.leaves())
    sure = never and (alone or not any(_errs(row) for _, row in ready))
    words = _odd(table, facts, current) if sure else ""
    if never:
        # a ready object without conditions is an error
        words = words or _odd_type(read, facts) or _of_other_lists(read, facts)
        words = words or _odd_of_condition(read, facts) or _odd_field(read, facts)
    waiting = next((each for each in ready if _waits(*each, facts)), None)
    if words:
        yield Diagnosis(fault="never", role=current, row=None, how="unwritten", detail=words)
    elif waiting:
        yield _stuck(table, *waiting, "stuck" if never else "sometimes stuck")
    elif never and (shown := _shown(table, facts, current, ready)):
        yield _stuck(table, *shown, "stuck")


def _waits(state: LifeState, row: Row, facts: KindFacts) -> bool:
    """Whether Flux waits for a ready object, as with a pitfall of the catalogue."""
    waiting = ("InProgress", "Unknown")
    return row.verdict in waiting and facts.pitfall(state.name, *waiting) is not None


def _shown(
    table: Table, facts: KindFacts, current: str, ready: Sequence[tuple[LifeState, Row]]
) -> tuple[LifeState, Row] | None:
    """A ready object that has every field that is read, and that Flux waits for all the same.

    The life has all types of conditions and all phases, but of other fields only examples: there
    only an error counts.
    """
    leaves = [each.path for each in table.reading.leaves()]
    # What `failed` reads makes no object Current.
    own = [path for path in leaves if path in table.read_by(current).fields]
    told = all(_is_told(path, facts) for path in own) and not table.model.role("InProgress")
    for state, row in ready:
        waits = told and row.verdict == "InProgress"
        read = own if waits else leaves
        if (waits or row.error(current)) and all(_fields(state.object, path) for path in read):
            return state, row
    return None


def _is_told(path: Steps, facts: KindFacts) -> bool:
    """Whether the life shows each value that a ready object has in a field."""
    in_condition = path[:-2] == _CONDITIONS and path[-1] in _OF_CONDITION
    return (
        in_condition
        or path == _GENERATION
        or any(path == steps_of(phase.path) and not phase.open for phase in facts.phases)
    )


def _stuck(table: Table, state: LifeState, row: Row, how: str) -> Diagnosis:
    model = table.model
    roles = [*model.programs]
    role = next((each for each in roles if row.error(each)), "")
    if not role:
        held = row.true(model.role("InProgress"))
        role = model.role("InProgress" if held else "Current")
    return Diagnosis(fault="never", role=role, row=row, how=how, detail=state.name)


def _errs(row: Row) -> bool:
    return any(row.error(role) for role in row.outcomes)


def _odd(table: Table, facts: KindFacts, role: str) -> str:
    read = table.read_by(role)
    return (
        _odd_phase(read, facts)
        or _odd_type(read, facts)
        or _odd_status(read, facts)
        or _odd_number(table, facts, role)
        or _of_other_lists(read, facts)
    )


def _odd_phase(read: Reading, facts: KindFacts) -> str:
    """The value of a field of the state, if it is none of those that it is compared with."""
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
    """A condition that the controller does not write, if it writes none of those named."""
    written = facts.content.get("conditions", {})
    texts = read.values([_CONDITIONS], "type")
    if not written or not texts or any(text in written for text in texts):
        return ""
    meant = similar(texts[0], written)
    proposal = f" (did you mean `{meant}`?)" if meant else ""
    return f"{facts.project} writes no condition `{texts[0]}`{proposal}"


def _of_other_lists(read: Reading, facts: KindFacts) -> str:
    """The conditions of the object itself, if the controller writes only those of its parents."""
    lists = [path for path, types in facts.condition_lists.items() if types]
    own = shown(_CONDITIONS)
    asked = any(path[: len(_CONDITIONS)] == _CONDITIONS for path in read.fields)
    if not asked or not lists or own in lists:
        return ""
    return f"{facts.project} writes no `{own}` (did you mean `{lists[0]}`?)"


def _odd_status(read: Reading, facts: KindFacts) -> str:
    """A condition that never has the status that it is compared with."""
    written = facts.content.get("conditions", {})
    types, statuses = (read.values([_CONDITIONS], name) for name in ("type", "status"))
    if statuses and not any(each in {*STATUSES, *facts.own_statuses} for each in statuses):
        return f"`status` of a condition is `True`, `False` or `Unknown`, never `{statuses[0]}`"
    if len(types) != 1 or types[0] not in written or not statuses:
        return ""
    if all(status in written[types[0]].get("never", ()) for status in statuses):
        return f"{facts.project} never sets `{types[0]}` to `{statuses[0]}`"
    return ""


def _odd_of_condition(read: Reading, facts: KindFacts) -> str:
    """A field that no condition has, by the API conventions and in any state."""
    for each in read.leaves():
        name, objects = each.path[-1], [state.object for state in facts.life]
        told = name in OF_CONDITIONS or any(_fields(it, each.path) for it in objects)
        if each.path[:-1] == (*_CONDITIONS, None) and not told:
            return f"{facts.project} writes no `{name}` into a condition"
    return ""


def _odd_number(table: Table, facts: KindFacts, role: str) -> str:
    """A counter that is below its least written value on all objects found for an expression."""
    for fact in facts.content.get("facts", ()):
        steps, least = steps_of(fact["path"]), fact.get("least")
        if least is None or steps not in table.read_by(role).fields:
            continue
        rows = list(table.proofs({role: True}))
        if rows and all(_is_too_low(table, role, row, steps, least) for row in rows):
            return f"{facts.project} writes no `{fact['path']}` below `{least}`"
    return ""


def _is_too_low(table: Table, role: str, row: Row, steps: Steps, least: int) -> bool:
    """Whether a row exists only because a number is smaller than any that the controller writes."""
    numbers = [each for each in _fields(row.state.variables, steps) if isinstance(each, int)]
    if not numbers or min(numbers) >= least:
        return False
    written = with_value(row.state.variables, steps, least)
    return not table.altered(row, "written", "as it is written", written).true(role)


def _odd_field(read: Reading, facts: KindFacts) -> str:
    """A misspelt field, if all fields that are in no state are misspelt.

    The states have only the important fields of a status.
    """
    objects = [each.object for each in facts.life]
    unknown = [
        each.path for each in read.leaves() if not any(_fields(obj, each.path) for obj in objects)
    ]
    meant = [similar(str(path[-1]), _siblings(objects, path), _ALIKE) for path in unknown]
    if not unknown or not all(meant):
        return ""
    above = ".".join(str(step) for step in unknown[0][:-1])
    return (
        f"{facts.project} writes no `{above}.{unknown[0][-1]}` (did you mean `{above}.{meant[0]}`?)"
    )


def _siblings(objects: Sequence[Value], path: Steps) -> set[str]:
    """The siblings of the field at a path, in any state."""
    if None in path or path[0] != "status":
        return set()
    around = (each for obj in objects for each in _fields(obj, path[:-1]))
    return {name for each in around if isinstance(each, Mapping) for name in each}


def _fields(value: Value, path: Steps) -> list[Value]:
    """The values at a path: one, none, or one for each element of the lists on the way."""
    found = [value]
    for step in path:
        if isinstance(step, str):
            found = [each[step] for each in found if isinstance(each, Mapping) and step in each]
        else:
            found = [item for each in found if isinstance(each, list) for item in each]
    return found
