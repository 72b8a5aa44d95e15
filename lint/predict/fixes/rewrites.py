"""Rewrites that remove a fault, proved on the stock states and more.

A rewrite is dropped if it changes any verdict but the wrong one, or if it adds
a fault.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping
from typing import assert_never
from weakref import WeakKeyDictionary

from celvet.lint.cel import compile_expression
from celvet.lint.cel.syntax.tree import Literal, walk
from celvet.lint.checks.advice import plain
from celvet.lint.model import Confidence, Span
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
from celvet.lint.predict.faults.life import chosen_verdicts
from celvet.lint.predict.faults.life_rows import health_facts
from celvet.lint.predict.faults.unwritten import misspelling
from celvet.lint.predict.faults.vacuous import all_vacuities
from celvet.lint.predict.fixes.guards import guard_replacements, guarding_rewrites
from celvet.lint.predict.fixes.loosening import is_looser, is_looser_alone, unimplied_parts
from celvet.lint.predict.fixes.proofs import improves_life, is_right_along_life, keeps_verdicts
from celvet.lint.predict.truth_table import Table, table
from celvet.record import replace


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
        if new_model is None or not improves_life(model, new_model):
            continue
        if candidate.safe and not (
            is_looser(model, new_model) or is_looser_alone(model, new_model)
        ):
            return candidate
        loose_rewrite = loose_rewrite or replace(candidate, safe=False)
    # The smallest change that removes the fault and changes no other verdict.
    for candidate in _candidates(model, diagnosis):
        new_model = _fixed_model(model, diagnosis, candidate)
        if new_model and keeps_verdicts(model, new_model, candidate):
            # What held an object back by mistake may have been all that did.
            is_safe = candidate.safe and not is_looser(model, new_model, after_error=False)
            return replace(candidate, safe=is_safe)
    return loose_rewrite


def _fixed_model(model: CheckModel, diagnosis: Diagnosis, candidate: Rewrite) -> CheckModel | None:
    """The model after a rewrite; None if the fault remains, or a new one appears."""
    new_model = _rewritten_model(model, candidate)
    # The life has few states, so it is compared first.
    if new_model is None or not is_right_along_life(model, new_model):
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
