"""Rewrites that remove a fault, proved on the stock states and more.

A rewrite is dropped if it changes any verdict but the wrong one, or if it adds
a fault.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from itertools import islice, permutations
from typing import TypeAlias, assert_never
from weakref import WeakKeyDictionary

from celvet.lint.cel import compile_expression
from celvet.lint.cel.syntax.tree import Literal, walk
from celvet.lint.checks.advice import plain
from celvet.lint.model import Confidence, Path, Span, Value
from celvet.lint.predict.check_model import CheckModel
from celvet.lint.predict.faults.diagnose import diagnose
from celvet.lint.predict.faults.diagnosis import (
    Blocked,
    Diagnosis,
    InLife,
    Negation,
    NeverTrue,
    NothingMatches,
    OpenGate,
    Premature,
    Replacement,
    Rewrite,
    Shadowed,
    Stale,
    Unguarded,
    Unwritten,
    Vacuous,
)
from celvet.lint.predict.faults.life import chosen_verdicts, is_right
from celvet.lint.predict.faults.life_rows import health_facts, life_rows
from celvet.lint.predict.faults.unwritten import misspelling
from celvet.lint.predict.faults.vacuous import all_vacuities, find_vacuity
from celvet.lint.predict.fixes.guards import guard_replacements, guarding_rewrites
from celvet.lint.predict.fixes.loosening import is_looser, is_looser_alone, unimplied_parts
from celvet.lint.predict.reads.terms import at_first_elements
from celvet.lint.predict.states.building import get
from celvet.lint.predict.truth_table import Table, table
from celvet.lint.values import drop
from celvet.record import replace

_Condition: TypeAlias = dict[str, Value]
_PROOFS = 8
"""How many objects are built on which an expression is true."""

_PATHS = 8
"""How many fields are left out, one at a time."""

_PAIRS = 200
"""How many states of each sort have two conditions."""


def rewrite(model: CheckModel, diagnosis: Diagnosis) -> Rewrite | None:
    """The first rewrite that can be proved, None if there is none."""
    rewrites = _PROVED_REWRITES.setdefault(table(model), [])
    for known_diagnosis, known_rewrite in rewrites:
        if known_diagnosis is diagnosis:
            return known_rewrite
    rewrites.append((diagnosis, _rewrite(model, diagnosis)))
    return rewrites[-1][1]


_PROVED_REWRITES: MutableMapping[Table, list[tuple[Diagnosis, Rewrite | None]]] = (
    WeakKeyDictionary()
)
"""Proved fixes of the diagnoses of cached tables."""


def _rewrite(model: CheckModel, diagnosis: Diagnosis) -> Rewrite | None:
    if isinstance(diagnosis, NeverTrue) and isinstance(diagnosis.proof, Unwritten):
        candidate = _respelling(model, diagnosis.proof)
        if candidate.replacements and _fixed_model(model, diagnosis, candidate):
            return candidate
    # A misspelt value explains the early verdict, but its correction changes when the entry passes.
    if isinstance(diagnosis, Premature) and (proof := misspelling(table(model), diagnosis.role)):
        return replace(_respelling(model, proof), safe=False)
    # The recommended entry is right by the life of the kind. What the author tests besides may
    # have other reasons, so it is safe only if no object passes that was held back before.
    loose_rewrite: Rewrite | None = None
    for candidate in _recommended_rewrites(model, diagnosis):
        new_model = _fixed_model(model, diagnosis, candidate)
        if new_model is None or not _improves_life(model, new_model):
            continue
        if candidate.safe and not (
            is_looser(model, new_model) or is_looser_alone(model, new_model)
        ):
            return candidate
        loose_rewrite = loose_rewrite or replace(candidate, safe=False)
    # The smallest change that removes the fault and changes no other verdict.
    for candidate in _candidates(model, diagnosis):
        new_model = _fixed_model(model, diagnosis, candidate)
        if new_model and _keeps_verdicts(model, new_model, candidate):
            # What held an object back by mistake may have been all that did.
            is_safe = candidate.safe and not is_looser(model, new_model, after_error=False)
            return replace(candidate, safe=is_safe)
    return loose_rewrite


def _fixed_model(model: CheckModel, diagnosis: Diagnosis, candidate: Rewrite) -> CheckModel | None:
    """The model after a rewrite; None if the fault remains, or a new one appears."""
    new_model = _rewritten_model(model, candidate)
    # The life has few states, so it is compared first.
    if new_model is None or not _is_right_along_life(model, new_model):
        return None
    return new_model if _is_better(model, new_model, diagnosis, candidate) else None


def _respelling(model: CheckModel, proof: Unwritten) -> Rewrite:
    """The rewrite of a misspelt word, which changes nothing else that the author wrote."""
    replacements = tuple(
        Replacement(role, node.span, _respelt(program.text[slice(*node.span)], proof))
        for role, program in model.programs.items()
        for node in (walk(program.tree) if program.tree and proof.intention else ())
        if isinstance(node, Literal) and node.value == proof.word
    )
    return Rewrite(f"Write `{proof.intention}` for `{proof.word}`.", replacements)


def _respelt(literal: str, proof: Unwritten) -> str:
    return literal.replace(proof.word, proof.intention)


def _recommended_rewrites(model: CheckModel, diagnosis: Diagnosis) -> Iterator[Rewrite]:
    """The recommended expression alone, then all of them; unsafe if the fault may be intended."""
    facts = health_facts(table(model))
    if facts is None or not facts.entry:
        return
    texts = [program.text for program in model.programs.values()]
    is_stale = isinstance(diagnosis, Stale)
    verdicts = chosen_verdicts(table(model), diagnosis.role, is_stale=is_stale)
    entry = facts.closest_entry(texts, verdicts)
    is_sure = diagnosis.confidence is Confidence.HIGH
    for roles in ((diagnosis.role,), tuple(model.programs)):
        texts_by_role = {role: plain(entry.get(role, "")) for role in roles}
        title = f"Use the expression recommended for `{facts.title}`."
        if len(texts_by_role) == 1 and not any(texts_by_role.values()):
            title = f"Remove `{diagnosis.role}`."
        yield Rewrite(title, tuple(_replacements(model, texts_by_role)), safe=is_sure)
        # The next rewrite is asked for only if this one is loose.
        passing_role = model.role("Ready" if model.gate else "Current")
        text = texts_by_role.get(passing_role, "")
        # With all parts of an expression that is never true, the new one would be so as well.
        stays_dead = isinstance(diagnosis, NeverTrue) and diagnosis.role == passing_role
        if not is_sure or not text or stays_dead:
            continue
        if parts := unimplied_parts(model, passing_role, text):
            longer_texts = {**texts_by_role, passing_role: " && ".join((text, *parts))}
            title = f"Put the expression recommended for `{facts.title}` before yours."
            yield Rewrite(title, tuple(_replacements(model, longer_texts)))


def _replacements(model: CheckModel, texts_by_role: Mapping[str, str]) -> Iterator[Replacement]:
    """The replacements of whole expressions."""
    for role, text in texts_by_role.items():
        yield Replacement(role, Span(0, len(model.programs[role].text)), text)


def _candidates(model: CheckModel, diagnosis: Diagnosis) -> Iterator[Rewrite]:
    """Rewrites to try, the smallest change first."""
    match diagnosis:
        case Vacuous(span=span) | Premature(proof=NothingMatches(span=span)):
            # Other parts of the entry may be vacuous in the same way; the fault goes only with all
            # of them, but if one is enough, the rest stays as its author wrote it.
            replacements = tuple(_demands(model))
            in_span = tuple(
                replacement
                for replacement in replacements
                if _is_within(replacement, diagnosis.role, span)
            )
            if in_span:
                yield _demanding_rewrite(in_span)
            if replacements:
                yield _demanding_rewrite(replacements)
        case Stale(proof=OpenGate(test=test)):
            replacements = guard_replacements(model, diagnosis.role, test)
            yield Rewrite("Compare the generations as well.", replacements, safe=False)
        case Premature(proof=InLife(cure=cure)) if cure:
            replacements = guard_replacements(model, diagnosis.role, cure)
            yield Rewrite("Require the condition `Ready` as well.", replacements, safe=False)
        case Blocked() | Unguarded():
            yield from guarding_rewrites(model, diagnosis.role, diagnosis.row)
        case Premature() | NeverTrue() | Shadowed() | Negation() | Stale():
            return  # only the recommended entry may help
        case _:
            assert_never(diagnosis)


def _demanding_rewrite(replacements: tuple[Replacement, ...]) -> Rewrite:
    """The rewrite of an expression that is true when nothing matches."""
    adds_exists = any(".exists(" in replacement.text for replacement in replacements)
    title = "Write `exists` for `filter` and `all`."
    if adds_exists:
        title = "Require a match with `exists`."
    return Rewrite(title, replacements)


def _demands(model: CheckModel) -> Iterator[Replacement]:
    """The replacements that make each `all` and `filter` demand that something matches."""
    for role, program in model.programs.items():
        for vacuity in all_vacuities(program):
            yield from (Replacement(role, span, text) for span, text in vacuity.edits)


def _is_within(replacement: Replacement, role: str, span: Span) -> bool:
    """Whether a replacement is within the faulty part of the expression of a role."""
    is_inside = span.start <= replacement.span.start and replacement.span.end <= span.end
    return is_inside and replacement.role == role


def _rewritten_model(model: CheckModel, candidate: Rewrite) -> CheckModel | None:
    """The model with the replacements made; None if the controller would refuse one."""
    programs = dict(model.programs)
    # From the last one on, so that the spans of the others stay right.
    by_span = sorted(candidate.replacements, key=lambda replacement: replacement.span, reverse=True)
    for replacement in by_span:
        role, span = replacement.role, replacement.span
        text, dialect = programs[role].text, programs[role].dialect
        if not replacement.text and span == (0, len(text)):
            del programs[role]
        else:
            text = text[: span.start] + replacement.text + text[span.end :]
            programs[role] = compile_expression(text, dialect)
    is_accepted = all(
        program.tree and program.analysed and not program.refusals for program in programs.values()
    )
    return replace(model, programs=programs) if is_accepted else None


def _is_better(
    model: CheckModel, new_model: CheckModel, diagnosis: Diagnosis, candidate: Rewrite
) -> bool:
    """Whether the fault is gone and none is new.

    An unchanged expression may still trust outdated conditions, and so may any of a known kind,
    unless only its conditions have the generation.
    """
    old_faults, new_faults = _faults(model), _faults(new_model)
    trusting_roles = set(new_model.programs)
    facts = health_facts(table(model))
    if isinstance(diagnosis, Stale):
        trusting_roles.clear()  # the next one would be reported instead
    elif facts is None or facts.generation_in == ("conditions",):
        trusting_roles -= {replacement.role for replacement in candidate.replacements}
    tolerated_faults = {(Stale, role) for role in trusting_roles}
    is_gone = (type(diagnosis), diagnosis.role) not in new_faults
    return is_gone and new_faults - tolerated_faults <= old_faults


def _faults(model: CheckModel) -> set[tuple[type[Diagnosis], str]]:
    """The kinds of fault in a model, each with its role."""
    return {(type(diagnosis), diagnosis.role) for diagnosis in diagnose(model)}


def _keeps_verdicts(model: CheckModel, new_model: CheckModel, candidate: Rewrite) -> bool:
    """Whether every state keeps its verdict, apart from the wrong ones.

    An unsafe rewrite changes verdicts on purpose; each must stay possible.
    """
    if not candidate.safe:
        return all(table(new_model).proof({role: True}).row for role in new_model.programs)
    roles = {replacement.role for replacement in candidate.replacements}
    return all(
        _verdict(model, variables) == _verdict(new_model, variables)
        or _is_wrong(model, variables, roles)
        for variables in _proof_states(table(model), roles)
    )


def _verdict(model: CheckModel, variables: Value) -> str:
    return model.verdict(variables, model.outcomes(variables))


def _is_wrong(model: CheckModel, variables: Value, roles: set[str]) -> bool:
    """Whether the verdict comes from an error, or from an `all` over nothing in a role."""
    return _verdict(model, variables) == "Unknown" or any(
        find_vacuity(model.programs[role], variables) is not None for role in roles
    )


def _is_right_along_life(model: CheckModel, new_model: CheckModel) -> bool:
    """Whether no state of the kind's life gets a wrong verdict that it did not have."""
    rows = zip(life_rows(table(model)), life_rows(table(new_model)), strict=True)
    return all(
        state.until
        or new_row.verdict == old_row.verdict
        or is_right(new_row.verdict, state.verdict)
        for (state, old_row), (_, new_row) in rows
    )


def _improves_life(model: CheckModel, new_model: CheckModel) -> bool:
    """Whether some state of the kind's life gets its right verdict only by a rewrite."""
    rows = zip(life_rows(table(model)), life_rows(table(new_model)), strict=True)
    return any(
        is_right(new_row.verdict, state.verdict) and not is_right(old_row.verdict, state.verdict)
        for (state, old_row), (_, new_row) in rows
    )


def _proof_states(table: Table, roles: Iterable[str]) -> Iterator[Value]:
    """The variables of all states on which a rewrite of these roles must keep its verdict."""
    proofs = (
        row for role in table.model.programs for row in islice(table.proofs({role: True}), _PROOFS)
    )
    states = [row.state.variables for row in (*table.rows, *proofs)]
    yield from states
    # An expression may only differ where a field is missing that each of these states has.
    for path in _paths(table, roles):
        for variables in states:
            shorter_variables = drop(variables, path)
            if shorter_variables is not variables:
                yield shorter_variables
    yield from _pairs(table)


def _paths(table: Table, roles: Iterable[str]) -> Iterator[Path]:
    """The fields that the roles read, except in elements of lists."""
    paths = dict.fromkeys(path for role in roles for path in table.read_by(role).fields)
    definite_paths = (
        at_first_elements(path)
        for path in paths
        if None not in path and table.builder.arrives(path)
    )
    return islice(definite_paths, _PATHS)


def _pairs(table: Table) -> Iterator[Value]:
    """States with two conditions that disagree, of named types and of types like those."""
    pairs = [
        (condition, other_condition)
        for condition, other_condition in permutations(_elements(table), 2)
        if condition["status"] != other_condition["status"]
    ]
    alike_pairs = (alike_pair for pair in pairs for alike_pair in _alike_pairs(*pair))
    different_pairs = (pair for pair in pairs if pair[0]["type"] != pair[1]["type"])
    for pair in (*islice(alike_pairs, _PAIRS), *islice(different_pairs, _PAIRS)):
        yield table.builder.with_conditions(pair, table.builder.neutral)


def _alike_pairs(
    condition: _Condition, other_condition: _Condition
) -> Iterator[tuple[_Condition, _Condition]]:
    """Pairs of conditions in which a type begins or ends with the other one."""
    if condition["type"] == other_condition["type"]:
        longer, later = f"{condition['type']}Other", f"Other{condition['type']}"
        yield condition, {**other_condition, "type": longer}
        yield condition, {**other_condition, "type": later}
        yield {**condition, "type": longer}, {**other_condition, "type": later}


def _elements(table: Table) -> list[_Condition]:
    """The single conditions of the stock states."""
    place = at_first_elements(table.builder.lists[0]) if table.builder.lists else ()
    states = (row.state for row in table.rows if place and row.state.stage == "condition")
    lists = (get(state.variables, place) for state in states)
    return [elements[0] for elements in lists if isinstance(elements, list) and elements]
