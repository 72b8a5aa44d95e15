"""Whether a rewrite lets an object pass that the author's expressions hold back.

A safe fix must not: an author who tests more than the recommended expression does so on purpose.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice, product
from math import prod

from celvet.lint.cel import Compiled, compile_expression
from celvet.lint.cel.syntax.tree import Call
from celvet.lint.model import Value
from celvet.lint.predict.check_model import CheckModel
from celvet.lint.predict.faults.life_rows import life_rows
from celvet.lint.predict.reads.terms import Steps, at_first_elements
from celvet.lint.predict.search.candidates import Candidates
from celvet.lint.predict.states.building import get
from celvet.lint.predict.states.state_builder import with_value
from celvet.lint.predict.truth_table import Table, table
from celvet.lint.values import ABSENT, Absent, drop
from celvet.record import replace

_MOST_PROPOSALS = 50
"""Objects that a search may propose; the simplest ones come first."""

_MOST_COMBINATIONS = 200
_STRIDE = 1_000_003
"""A prime: multiples of it visit combinations that differ in many fields."""

_MOST_VALUES = 4
"""Values of one field in a combination."""

_PASSES_BY_NEW = {"new": True, "old": False}
_FAILS_BY_NEW = {"old": True, "failing": True}


def is_looser(old: CheckModel, new: CheckModel, *, after_error: bool = True) -> bool:
    """Whether an object passes only by the new expressions, or passed and fails by them.

    An object of which an old expression gave an error counts only with `after_error`. Tries the
    states of both models together, combinations of all values that they compare, and what a search
    proposes.
    """
    joint = table(_joint_model(old, new))
    questions = [_PASSES_BY_NEW, *([_FAILS_BY_NEW] if "failing" in joint.model.programs else [])]
    proposals = (islice(joint.proofs(answers), _MOST_PROPOSALS) for answers in questions)
    rows = chain(joint.rows, chain.from_iterable(proposals))
    return any(
        _passes_or_fails(old, new, variables, after_error=after_error)
        for variables in chain(_combinations(joint), (row.state.variables for row in rows))
        if not _has_two_of_a_type(joint, variables)
    )


def is_looser_alone(old: CheckModel, new: CheckModel) -> bool:
    """Whether the new expression of the passing role lets an object pass that the old one does not.

    What the other roles hold back does not count: another fix of the same file may change them.
    """
    models = [(model, model.role("Ready" if model.gate else "Current")) for model in (old, new)]
    if any(role not in model.programs or len(model.programs) == 1 for model, role in models):
        return False
    old_alone, new_alone = (
        replace(model, programs={role: model.programs[role]}) for model, role in models
    )
    return is_looser(old_alone, new_alone)


def unimplied_parts(model: CheckModel, role: str, text: str) -> list[str]:
    """The operands of an expression's outermost `&&` that do not follow from another text."""
    return [
        part
        for part in _conjuncts(model.programs[role])
        if is_looser(_with_text(model, role, part), _with_text(model, role, text))
    ]


def _joint_model(old: CheckModel, new: CheckModel) -> CheckModel:
    """A model whose programs say when an object passes by each of two models, or newly fails."""
    texts = {"old": _passing_text(old), "new": _passing_text(new)}
    if role := new.role("Failed"):
        texts["failing"] = _first_true(new, role)
    dialect = next(iter(old.programs.values())).dialect
    programs = {name: compile_expression(text, dialect) for name, text in texts.items()}
    return replace(old, programs=programs)


def _passing_text(model: CheckModel) -> str:
    role = model.role("Ready" if model.gate else "Current")
    return _first_true(model, role) if role else "false"


def _first_true(model: CheckModel, role: str) -> str:
    """Says that the expression of a role is true, and none that the controller tries before."""
    roles = list(model.programs)
    earlier_texts = [model.programs[name].text for name in roles[: roles.index(role)]]
    negations = (f"!({text})" for text in earlier_texts)
    return " && ".join((*negations, f"({model.programs[role].text})"))


def _combinations(joint: Table) -> Iterator[Value]:
    """Objects that have more than one thing of several states, or of what expressions compare."""
    bases = [joint.builder.neutral, *(row.state.variables for _, row in life_rows(joint))]
    # The conditions of one state with the fields of another: controllers write both at different
    # times.
    for base, other_base in islice(product(bases, repeat=2), _MOST_COMBINATIONS):
        yield _with_conditions_of(joint, other_base, base)
    fields = [
        (leaf.path, _values(joint, leaf.path))
        for leaf in joint.reading.leaves()
        if None not in leaf.path
    ]
    conditions = [_conditions(joint, type_) for type_ in joint.builder.types]
    counts = [len(options) for options in (bases, *(values for _, values in fields), *conditions)]
    # A stride without a common divisor visits all combinations once, in an order in which also the
    # first few differ in every part.
    total = prod(counts)
    for number in range(min(total, _MOST_COMBINATIONS)):
        base_choice, *choices = _choices(number * _STRIDE % total, counts)
        variables = bases[base_choice]
        for (path, values), choice in zip(fields, choices, strict=False):
            variables = _with_value(variables, path, values[choice])
        elements = [
            options[choice]
            for options, choice in zip(conditions, choices[len(fields) :], strict=True)
        ]
        yield _with_elements(joint, [element for element in elements if element], variables)


def _with_conditions_of(joint: Table, other_base: Value, base: Value) -> Value:
    for path in joint.builder.lists:
        conditions = get(other_base, at_first_elements(path))
        base = _with_value(base, path, conditions)
    return base


def _with_value(variables: Value, path: Steps, value: Value | Absent) -> Value:
    """The variables with a value, without one, or as they are if it is None."""
    if value is None:
        return variables
    if value is ABSENT:
        return drop(variables, at_first_elements(path))
    return with_value(variables, path, value)


def _with_elements(joint: Table, elements: list[dict[str, Value]], variables: Value) -> Value:
    """The variables with conditions in place of those of the same types."""
    types = {element["type"] for element in elements}
    for path in joint.builder.lists:
        present = get(variables, at_first_elements(path))
        other_texts = [
            element
            for element in (present if isinstance(present, list) else [])
            if isinstance(element, dict) and element.get("type") not in types
        ]
        variables = with_value(variables, path, [*other_texts, *elements])
    return variables


def _choices(number: int, counts: list[int]) -> list[int]:
    """The digits of a number whose places have these bases."""
    digits = []
    for count in counts:
        number, digit = divmod(number, count)
        digits.append(digit)
    return digits


def _values(joint: Table, path: Steps) -> list[Value]:
    """What a field may have; None, which leaves it as it is, is half of it."""
    values = Candidates(joint.reading).of(at_first_elements(path), None)[:_MOST_VALUES]
    options = [ABSENT, *(value for value in values if value is not None)]
    return [*options, *([None] * len(options))]


def _conditions(joint: Table, type_: str) -> list[dict[str, Value]]:
    """Conditions of a type with each status, reason and generation that may matter.

    An empty one, which leaves those of an object as they are, is half of them.
    """
    reasons = ("", *joint.builder.compared_texts("reason")[:_MOST_VALUES])
    conditions = [
        joint.builder.condition(type_, status, reason, behind=is_behind)
        for status in ("True", "False", "Unknown")
        for reason in reasons
        for is_behind in (False, True)
    ]
    return [*conditions, *({} for _ in conditions)]


def _passes_or_fails(
    old: CheckModel, new: CheckModel, variables: Value, *, after_error: bool
) -> bool:
    """Whether an object passes only by the new model, or passes by the old one and newly fails."""
    passing = "True" if old.gate else "Current"
    new_verdict = new.verdict(variables, new.outcomes(variables))
    if new_verdict not in (passing, "Failed"):
        return False
    old_verdict = old.verdict(variables, old.outcomes(variables))
    if old_verdict == "Unknown" and not after_error:
        return False
    return old_verdict != passing if new_verdict == passing else old_verdict == passing


def _has_two_of_a_type(joint: Table, variables: Value) -> bool:
    """Whether a list of conditions has two of one type, which the API server refuses."""
    for path in joint.builder.lists:
        conditions = get(variables, at_first_elements(path))
        if isinstance(conditions, list):
            types = [item.get("type") for item in conditions if isinstance(item, dict)]
            if len(set(map(repr, types))) < len(types):
                return True
    return False


def _with_text(model: CheckModel, role: str, text: str) -> CheckModel:
    program = compile_expression(text, model.programs[role].dialect)
    return replace(model, programs={role: program})


def _conjuncts(program: Compiled) -> Iterator[str]:
    """The texts of the operands of the outermost `&&`, from left to right."""
    nodes = [program.tree] if program.tree else []
    while nodes:
        node = nodes.pop()
        function = node.function if isinstance(node, Call) else ""
        if function == "_&&_":
            nodes += reversed(node.children)
            continue
        text = program.text[slice(*node.span)]
        yield f"({text})" if function in ("_||_", "_?_:_") else text
