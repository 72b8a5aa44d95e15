"""Finds values that an entry waits for, and that no object of a known kind ever has.

The catalogue has the values that a controller writes, and its states show the fields.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from celvet.lint.checks.conventions import OF_CONDITIONS, STATUSES
from celvet.lint.model import Value
from celvet.lint.predict.faults.diagnosis import NeverTrue, Unwritten
from celvet.lint.predict.faults.life import stuck_verdict
from celvet.lint.predict.faults.life_rows import health_facts, life_rows, rows_of_states
from celvet.lint.predict.reads.reading import Reading
from celvet.lint.predict.reads.terms import Steps, path_text
from celvet.lint.predict.states.state_builder import with_value
from celvet.lint.predict.truth_table import Row, Table
from celvet.lint.similar import closest_name
from celvet.record import replace
from celvet.schemas import KindFacts
from celvet.schemas.facts import LifeState, steps_of

_CONDITIONS: Steps = ("status", "conditions")
_OF_CONDITION = ("type", "status", "observedGeneration")
_GENERATION: Steps = ("metadata", "generation")
_ALIKE = 0.85
"""High, since fields of a status may have similar names."""


def find_unwritten(table: Table) -> Iterator[NeverTrue]:
    """`current` and `failed` that wait for values that never come."""
    facts, rows = health_facts(table), life_rows(table)
    if facts is None:
        yield from _in_one_test(table)
        return
    current, failed = table.model.role("Current"), table.model.role("Failed")
    ready_rows = [(state, row) for state, row in rows if state.stage == "ready" and not state.until]
    if current and ready_rows:
        is_idle = not any(row.true(current) for state, row in rows if not state.until)
        yield from _never_ready(table, facts, current, ready_rows, is_idle=is_idle)
    is_failed_idle = bool(failed) and not any(row.true(failed) for _, row in rows)
    if is_failed_idle and (unwritten := _odd_failed(table, facts, failed)):
        yield NeverTrue(role=failed, proof=unwritten)


def _in_one_test(table: Table) -> Iterator[NeverTrue]:
    """An expression that decides alone, as those of most systems, by what its object never has."""
    model, facts = table.model, table.model.facts
    roles = (role.name for role in model.dialect.roles if role.never)
    role = next((name for name in roles if name in model.programs), "")
    if facts is None or not role or not model.root:
        return
    reading = _below(table.read_by(role), model.root)
    unwritten = _odd_phase(reading, facts) or _odd_type(reading, facts)
    unwritten = unwritten or _of_other_lists(reading, facts)
    if unwritten and not any(row.true(role) for _, row in rows_of_states(table, facts)):
        yield NeverTrue(role=role, proof=unwritten)


def _below(reading: Reading, root: Steps) -> Reading:
    """What is read of the object at a root, by paths from there."""
    size = len(root)
    fields = {
        path[size:]: replace(field, path=path[size:])
        for path, field in reading.fields.items()
        if path[:size] == root
    }
    lists = tuple(path[size:] for path in reading.lists if path[:size] == root)
    return replace(reading, fields=fields, lists=lists)


def misspelling(table: Table, role: str) -> Unwritten | None:
    """A phase or condition that an expression misspells, with the right spelling."""
    facts, reading = health_facts(table), table.read_by(role)
    proof = (_odd_phase(reading, facts) or _odd_type(reading, facts)) if facts else None
    return proof if proof and proof.intention else None


def _odd_failed(table: Table, facts: KindFacts, failed: str) -> Unwritten | None:
    reading = table.read_by(failed)
    return (
        _odd_value(table, facts, failed)
        or _odd_of_condition(reading, facts)
        or _odd_field(reading, facts)
    )


def _never_ready(
    table: Table,
    facts: KindFacts,
    current: str,
    ready_rows: Sequence[tuple[LifeState, Row]],
    *,
    is_idle: bool,
) -> Iterator[NeverTrue]:
    is_never = not any(row.verdict == "Current" for _, row in ready_rows)
    reading = table.read_by(current)
    # Where only conditions are read, an error means that a ready object has none.
    reads_conditions = all(
        field.path[: len(_CONDITIONS)] == _CONDITIONS for field in reading.leaves()
    )
    is_sure = is_never and (reads_conditions or not any(_errs(row) for _, row in ready_rows))
    unwritten = _odd_value(table, facts, current) if is_sure else None
    if is_never:
        # A ready object without conditions is an error.
        unwritten = unwritten or _odd_type(reading, facts) or _of_other_lists(reading, facts)
        unwritten = unwritten or _odd_of_condition(reading, facts) or _odd_field(reading, facts)
    waiting = next((proof for proof in ready_rows if _is_pitfall(*proof, facts)), None)
    # What is true of an object, as where nothing matches, is another fault of the expressions.
    if unwritten and is_idle:
        yield NeverTrue(role=current, proof=unwritten)
    elif waiting:
        yield stuck_verdict(table, *waiting, always=is_never)
    elif is_never and (proof := _complete_object(table, facts, current, ready_rows)):
        yield stuck_verdict(table, *proof, always=True)


def _is_pitfall(state: LifeState, row: Row, facts: KindFacts) -> bool:
    """Whether Flux waits for a ready object, as with a pitfall of the catalogue."""
    waiting = ("InProgress", "Unknown")
    return row.verdict in waiting and facts.pitfall(state.name, *waiting) is not None


def _complete_object(
    table: Table, facts: KindFacts, current: str, ready_rows: Sequence[tuple[LifeState, Row]]
) -> tuple[LifeState, Row] | None:
    """A ready object that has every field that is read, and that Flux waits for all the same.

    The life has all types of conditions and all phases, but of other fields only examples: there
    only an error counts.
    """
    paths = [field.path for field in table.reading.leaves()]
    # What `failed` reads makes no object Current.
    current_paths = [path for path in paths if path in table.read_by(current).fields]
    is_life_enough = all(_has_all_values(path, facts) for path in current_paths)
    is_life_enough = is_life_enough and not table.model.role("InProgress")
    for state, row in ready_rows:
        is_waiting = is_life_enough and row.verdict == "InProgress"
        present = current_paths if is_waiting else paths
        is_complete = all(_fields(state.object, path) for path in present)
        if is_complete and (is_waiting or row.error(current)):
            return state, row
    return None


def _has_all_values(path: Steps, facts: KindFacts) -> bool:
    """Whether the life shows each value that a ready object has in a field."""
    in_condition = path[:-2] == _CONDITIONS and path[-1] in _OF_CONDITION
    return (
        in_condition
        or path == _GENERATION
        or any(path == steps_of(phase.path) and not phase.open for phase in facts.phases)
    )


def _errs(row: Row) -> bool:
    return any(row.error(role) for role in row.outcomes)


def _odd_value(table: Table, facts: KindFacts, role: str) -> Unwritten | None:
    """The first value that an expression waits for and that never comes."""
    reading = table.read_by(role)
    return (
        _odd_phase(reading, facts)
        or _odd_type(reading, facts)
        or _odd_status(reading, facts)
        or _odd_number(table, facts, role)
        or _of_other_lists(reading, facts)
    )


def _odd_phase(reading: Reading, facts: KindFacts) -> Unwritten | None:
    """The value of a field of the state, if it is none of those that it is compared with."""
    for phase in facts.phases:
        field = reading.fields.get(steps_of(phase.path))
        texts = (
            [value for value in field.values if isinstance(value, str) and value] if field else []
        )
        # One value that is written is enough: lists such as `['Ready', 'ready']` are there for old
        # releases.
        if texts and not any(text in phase.values for text in texts):
            text = texts[0]
            current_values = phase.values_for("current")
            intention = phase.never.get(text, "") or closest_name(text, phase.values)
            # A text of former releases most likely means the one value for a ready object.
            if text in phase.former:
                intention = intention or (current_values[0] if len(current_values) == 1 else "")
                return _instead(facts, phase.path, text, intention, since=phase.former[text])
            if text in phase.never or not phase.open:
                return _instead(facts, phase.path, text, intention)
    return None


def _instead(
    facts: KindFacts, path: str, text: str, intention: str, *, since: str = ""
) -> Unwritten:
    # What former releases write is no misspelling: both words are right somewhere.
    if since:
        instead = f"`{intention}`, not `{text}`," if intention else f"no `{text}`"
        reason = f"{facts.project} writes {instead} to `{path}` since {since}"
        return Unwritten(reason, was_written=True)
    if intention:
        reason = f"{facts.project} writes `{intention}` to `{path}`, never `{text}`"
        return Unwritten(reason, text, intention)
    return Unwritten(f"{facts.project} never writes `{text}` to `{path}`")


def _odd_type(reading: Reading, facts: KindFacts) -> Unwritten | None:
    """A condition that the controller does not write, if it writes none of those named."""
    conditions = facts.conditions
    texts = reading.values([_CONDITIONS], "type")
    if not conditions or not texts or any(text in conditions for text in texts):
        return None
    intention = closest_name(texts[0], conditions)
    proposal = f" (did you mean `{intention}`?)" if intention else ""
    reason = f"{facts.project} writes no condition `{texts[0]}`{proposal}"
    return Unwritten(reason, texts[0], intention)


def _of_other_lists(reading: Reading, facts: KindFacts) -> Unwritten | None:
    """The conditions of the object itself, if the controller writes only those of its parents."""
    lists = [path for path, types in facts.condition_lists.items() if types]
    usual_list = path_text(_CONDITIONS)
    reads_it = any(path[: len(_CONDITIONS)] == _CONDITIONS for path in reading.fields)
    if not reads_it or not lists or usual_list in lists:
        return None
    return Unwritten(f"{facts.project} writes no `{usual_list}` (did you mean `{lists[0]}`?)")


def _odd_status(reading: Reading, facts: KindFacts) -> Unwritten | None:
    """A condition that never has the status that it is compared with."""
    conditions = facts.conditions
    types, statuses = (reading.values([_CONDITIONS], name) for name in ("type", "status"))
    if statuses and not any(status in {*STATUSES, *facts.own_statuses} for status in statuses):
        reason = f"`status` of a condition is `True`, `False` or `Unknown`, never `{statuses[0]}`"
        return Unwritten(reason, statuses[0], closest_name(statuses[0], STATUSES))
    if len(types) != 1 or types[0] not in conditions or not statuses:
        return None
    if all(status in conditions[types[0]].get("never", ()) for status in statuses):
        return Unwritten(f"{facts.project} never sets `{types[0]}` to `{statuses[0]}`")
    return None


def _odd_of_condition(reading: Reading, facts: KindFacts) -> Unwritten | None:
    """A field that no condition has, by the API conventions and in any state."""
    for field in reading.leaves():
        name, objects = field.path[-1], [state.object for state in facts.life]
        is_known = name in OF_CONDITIONS or any(_fields(obj, field.path) for obj in objects)
        if field.path[:-1] == (*_CONDITIONS, None) and not is_known:
            return Unwritten(f"{facts.project} writes no `{name}` into a condition")
    return None


def _odd_number(table: Table, facts: KindFacts, role: str) -> Unwritten | None:
    """A counter that is below its least written value on all objects found for an expression."""
    for fact in facts.content.get("facts", ()):
        steps, least = steps_of(fact["path"]), fact.get("least")
        if least is None or steps not in table.read_by(role).fields:
            continue
        rows = list(table.proofs({role: True}))
        if rows and all(_is_too_low(table, role, row, steps, least) for row in rows):
            return Unwritten(f"{facts.project} writes no `{fact['path']}` below `{least}`")
    return None


def _is_too_low(table: Table, role: str, row: Row, steps: Steps, least: int) -> bool:
    """Whether a row exists only because a number is smaller than any that the controller writes."""
    numbers = [value for value in _fields(row.state.variables, steps) if isinstance(value, int)]
    if not numbers or min(numbers) >= least:
        return False
    variables = with_value(row.state.variables, steps, least)
    return not table.altered_row(row, "written", "as it is written", variables).true(role)


def _odd_field(reading: Reading, facts: KindFacts) -> Unwritten | None:
    """A misspelt field, if all fields that are in no state are misspelt.

    The states have only the important fields of a status.
    """
    objects = [state.object for state in facts.life]
    paths = (field.path for field in reading.leaves())
    unknown_paths = [path for path in paths if not any(_fields(obj, path) for obj in objects)]
    names = [
        closest_name(str(path[-1]), _siblings(objects, path), _ALIKE) for path in unknown_paths
    ]
    if not unknown_paths or not all(names):
        return None
    *parents, name = unknown_paths[0]
    parent = ".".join(map(str, parents))
    reason = f"{facts.project} writes no `{parent}.{name}` (did you mean `{parent}.{names[0]}`?)"
    return Unwritten(reason)


def _siblings(objects: Sequence[Value], path: Steps) -> set[str]:
    """The siblings of the field at a path, in any state."""
    if None in path or path[0] != "status":
        return set()
    parents = (value for obj in objects for value in _fields(obj, path[:-1]))
    return {name for parent in parents if isinstance(parent, Mapping) for name in parent}


def _fields(value: Value, path: Steps) -> list[Value]:
    """The values at a path: one, none, or one for each element of the lists on the way."""
    values = [value]
    for step in path:
        if isinstance(step, str):
            mappings = (item for item in values if isinstance(item, Mapping))
            values = [mapping[step] for mapping in mappings if step in mapping]
        else:
            lists = (items for items in values if isinstance(items, list))
            values = [item for items in lists for item in items]
    return values
