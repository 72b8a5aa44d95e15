"""The smallest part of an expression that decides its result, and what it read.

decision(program.trace(variables), variables).sentence()
# "`e.status == 'True'` is false: `status.conditions[type=Ready].status` is `False`"
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from celvet.lint.cel.engine.outcome import Outcome
from celvet.lint.cel.syntax.tree import Call, Ident, Literal, Macro, Node, Select
from celvet.lint.cel.trace.readings import (
    IDENTITIES,
    INDEX,
    UNWRAPPING,
    FieldReading,
    Keys,
    StepScope,
)
from celvet.lint.cel.trace.trace import Trace, TraceRound, TraceStep
from celvet.lint.model import Span, Value
from celvet.lint.safe_text import one_line
from celvet.record import record

_LOGICAL = frozenset({"_&&_", "_||_"})
_SEARCHES = frozenset({"exists", "exists_one", "filter"})
_MOST_READINGS = 8
_WIDTH = 72


@record
class Decision:
    """The smallest sub-expression that decides, its result, and the fields that it read.

    It is a false conjunct, a true disjunct, the test of a macro on the element that matters, the
    branch that was taken, or the selection that fails with an error. Where several parts decide
    together, it is the whole of them.
    """

    expression: str
    span: Span
    outcome: Outcome
    readings: tuple[FieldReading, ...]

    @property
    def observed(self) -> dict[str, Value]:
        """Path -> value of each field that it read; None for a field that does not exist."""
        return {reading.path: reading.value for reading in self.readings}

    def sentence(self) -> str:
        """The decision in words, on one line."""
        source = one_line(self.expression, 2 * _WIDTH)
        if self.outcome.error:
            return f"`{source}` fails: {one_line(self.outcome.error, 2 * _WIDTH)}"
        value = "empty" if self.outcome.value == [] else _json(self.outcome.value)
        values = ", ".join(in_words(self.readings))
        return f"`{source}` is {value}" + (f": {values}" if values else "")


def decision(trace: Trace, variables: Mapping[str, Value]) -> Decision:
    """What decided an evaluation on these variables; the whole expression if nothing smaller."""
    step, scope = _decider(trace.root, StepScope(variables))
    distinct_keys = dict.fromkeys(scope.keys_read(step))
    readings = tuple(map(scope.reading, islice(distinct_keys, _MOST_READINGS)))
    return Decision(trace.source(step), step.span, step.outcome, readings)


def _decider(step: TraceStep, scope: StepScope) -> tuple[TraceStep, StepScope]:
    """The last step of the way down, and the scope around it."""
    while (below := _next(step, scope)) is not None:
        if _selects(step.node) and isinstance(below[0].node, Ident):
            break  # a variable alone does not show which of its fields an expression wants
        step, scope = below
    return step, scope


def _selects(node: Node) -> bool:
    """Whether a node asks for a field: `has` does as well."""
    return isinstance(node, Select) or (isinstance(node, Macro) and node.name == "has")


def _next(step: TraceStep, scope: StepScope) -> tuple[TraceStep, StepScope] | None:
    """The one step below that decides; None if all of them do."""
    node = step.node
    if step.decisive is not None:
        if _is_choice(node) and isinstance(step.decisive.node, Literal):
            return step.parts[0], scope  # a constant branch: the condition decides
        return step.decisive, _scope_of(step, step.decisive, scope)
    match node:
        case Macro() if step.rounds:
            return _nearest(step, node, scope) if _is_unmatched(step) else _single(step, scope)
        case Macro() if node.name != "has" and step.parts:
            # Nothing to loop over: the macro that made the list decides.
            return (step.parts[0], scope) if isinstance(step.parts[0].node, Macro) else None
        case Call():
            return _operand(step, node, scope)
    return None


def _operand(step: TraceStep, node: Call, scope: StepScope) -> tuple[TraceStep, StepScope] | None:
    """The one operand of a call that decides."""
    if node.function in UNWRAPPING and step.parts:
        return _content(step.parts[0], scope)
    if node.function in _LOGICAL:
        operand = _only_test(step, node, scope)
    else:
        operand = _negated(step, node) or _counted(step, node)
    return (operand, scope) if operand is not None else None


def _content(step: TraceStep, scope: StepScope) -> tuple[TraceStep, StepScope] | None:
    """The body of the `optMap` that gives an optional its content."""
    if not isinstance(step.node, Macro) or not step.rounds:
        return None
    return step.rounds[0].steps[0], scope.bind(step, step.rounds[0])


def _is_choice(node: Node) -> bool:
    return isinstance(node, Call) and node.function == "_?_:_"


def _scope_of(step: TraceStep, below: TraceStep, scope: StepScope) -> StepScope:
    for trace_round in step.rounds:
        if any(below is part for part in trace_round.steps):
            return scope.bind(step, trace_round)
    return scope


def _is_unmatched(step: TraceStep) -> bool:
    """Whether a search over a list has found nothing."""
    name = step.node.name if isinstance(step.node, Macro) else ""
    return name in _SEARCHES and all(
        trace_round.steps and trace_round.steps[-1].outcome.value is False
        for trace_round in step.rounds
    )


def _nearest(step: TraceStep, node: Macro, scope: StepScope) -> tuple[TraceStep, StepScope] | None:
    """The test on the only element that a search is about; None if it is about several."""
    rounds = [*_addressed(step.rounds, node)]
    if len(rounds) != 1:
        return None
    return rounds[0].steps[0], scope.bind(step, rounds[0])


def _single(step: TraceStep, scope: StepScope) -> tuple[TraceStep, StepScope] | None:
    """The test of `all` on the only element; None if it holds for several."""
    name = step.node.name if isinstance(step.node, Macro) else ""
    if name != "all" or len(step.rounds) != 1:
        return None
    return step.rounds[0].steps[-1], scope.bind(step, step.rounds[0])


def _addressed(rounds: Sequence[TraceRound], node: Macro) -> Iterator[TraceRound]:
    """The rounds of the elements that the test names, as `c.type == 'Ready' && ...` does."""
    names = dict(_names(node))
    for trace_round in rounds:
        element = trace_round.value
        if not names or (
            isinstance(element, dict)
            and all(element.get(key) == name for key, name in names.items())
        ):
            yield trace_round


def _names(node: Macro) -> Iterator[tuple[str, object]]:
    """Identity -> constant for each conjunct `variable.type == constant` of a test."""
    for part in _operands(node.args[0], "_&&_"):
        if not isinstance(part, Call) or part.function != "_==_":
            continue
        for operand, constant in (part.args, part.args[::-1]):
            field = _field_of(operand, node.variables[0])
            if field in IDENTITIES and isinstance(constant, Literal):
                yield field, constant.value


def _field_of(node: Node, variable: str) -> str:
    """`field` of `variable.field` and `variable['field']`, else the empty string."""
    if isinstance(node, Select):
        owner, field = node.operand, node.field
    elif isinstance(node, Call) and node.function in INDEX and isinstance(node.args[1], Literal):
        owner, field = node.args[0], str(node.args[1].value)
    else:
        return ""
    return field if isinstance(owner, Ident) and owner.name == variable else ""


def _operands(node: Node, function: str) -> Iterator[Node]:
    """The operands of a chain of one operator."""
    if isinstance(node, Call) and node.function == function:
        for arg in node.args:
            yield from _operands(arg, function)
    else:
        yield node


def _chain(step: TraceStep, function: str) -> Iterator[TraceStep]:
    if isinstance(step.node, Call) and step.node.function == function:
        for part in step.parts:
            yield from _chain(part, function)
    else:
        yield step


def _only_test(step: TraceStep, node: Call, scope: StepScope) -> TraceStep | None:
    """The operand that decides if all others only say which field or element it reads."""
    operands = [*_chain(step, node.function)]
    if len(operands) > _MOST_READINGS:
        return None
    # In `c.type == 'Ready' && c.status == 'True'`, the first part only says which condition is
    # read.
    keys_of = {id(operand): [*scope.keys_read(operand)] for operand in operands}
    tests = [
        operand
        for operand in operands
        if not any(
            keys[: len(place)] == place and keys[-1] not in IDENTITIES
            for place in _tested_places(operand, scope)
            for sibling in operands
            if sibling is not operand and not _is_has(sibling)
            for keys in keys_of[id(sibling)]
        )
    ]
    return tests[0] if len(tests) == 1 else None


def _tested_places(step: TraceStep, scope: StepScope) -> Sequence[Keys]:
    """The field whose existence, or the element whose identity, is all that a step tests."""
    step = _without_negation(step)
    keys = [*scope.keys_read(step)]
    if _is_has(step):
        return keys[:1]
    is_comparison = isinstance(step.node, Call) and step.node.function in ("_==_", "_!=_")
    return [keys[0][:-1]] if is_comparison and len(keys) == 1 and _is_identity(keys[0]) else []


def _is_identity(keys: Keys) -> bool:
    """Whether this is the type or the name of an element of a list."""
    return keys[-1] in IDENTITIES and len(keys) > 1 and isinstance(keys[-2], int)


def _without_negation(step: TraceStep) -> TraceStep:
    while isinstance(step.node, Call) and step.node.function == "!_" and step.parts:
        step = step.parts[0]
    return step


def _is_has(step: TraceStep) -> bool:
    node = _without_negation(step).node
    return isinstance(node, Macro) and node.name == "has"


def _negated(step: TraceStep, node: Call) -> TraceStep | None:
    """The operand of `!`, or of a comparison with a constant of type bool, if it has parts."""
    if node.function == "!_" and step.parts:
        operand = step.parts[0]
    elif node.function in ("_==_", "_!=_") and len(step.parts) == 2:
        parts = [part for part in step.parts if not isinstance(part.node, Literal)]
        if len(parts) != 1 or not isinstance(parts[0].outcome.value, bool):
            return None
        operand = parts[0]
    else:
        return None
    return operand if _is_composed(operand.node) else None


def _is_composed(node: Node) -> bool:
    if isinstance(node, Macro):
        return node.name != "has"
    return isinstance(node, Call) and node.function in (*_LOGICAL, "_?_:_", "!_")


def _counted(step: TraceStep, node: Call) -> TraceStep | None:
    """The empty filter whose size a comparison wants to be greater: `size(x.filter(...)) > 0`."""
    if node.function not in ("_>_", "_>=_", "_==_", "_!=_") or step.outcome.value is not False:
        return None
    filters = [
        part
        for part in _sizes(step)
        if isinstance(part.node, Macro) and part.node.name == "filter" and part.outcome.value == []
    ]
    return filters[0] if len(filters) == 1 else None


def _sizes(step: TraceStep) -> Iterator[TraceStep]:
    for part in step.parts:
        if isinstance(part.node, Call) and part.node.function == "size":
            yield from part.parts


def in_words(readings: Sequence[FieldReading]) -> Iterator[str]:
    """The fields with their values, and the types or names of elements that have no other field.

    The path of another field of an element already has its type.
    """
    names: dict[str, list[str]] = {}
    for reading in readings:
        if not reading.exists:
            yield f"there is no `{reading.path}`"
        elif not _is_identity(reading.keys):
            note = f" ({one_line(reading.note, 2 * _WIDTH)})" if reading.note else ""
            yield f"`{reading.path}` is {_json(reading.value)}{note}"
        elif not any(
            sibling is not reading and sibling.keys[:-1] == reading.keys[:-1]
            for sibling in readings
        ):
            values_text = names.setdefault(f"`{reading.path.rpartition('[')[0]}` has", [])
            values_text.append(one_line(f"{reading.value}", _WIDTH))
    yield from (f"{beginning} {', '.join(values_text)}" for beginning, values_text in names.items())


def _json(value: Value) -> str:
    return one_line(json.dumps(value, ensure_ascii=False, default=str), _WIDTH)
