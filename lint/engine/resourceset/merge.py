"""Merges the results of a template's renderings: equal findings once, at the template."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from celvet.lint.engine.resourceset.independent import IndependentOutcomes
from celvet.lint.engine.resourceset.places import input_place
from celvet.lint.engine.resourceset.renderings import Rendering
from celvet.lint.engine.result import Counts, Crash, FileResult, TemplateResults
from celvet.lint.model import Finding, Related, Where
from celvet.lint.rules import on_unused
from celvet.record import replace

_Key = tuple[str, Where, int]
"""The rule and place of an outcome, and how many before it in its document have the same."""


def merge_renderings(texts: Sequence[Rendering], results: Sequence[FileResult]) -> TemplateResults:
    """The results of the renderings of one template.

    Findings of a rule at one place count as equal. Something is unused only if no rendering
    uses it.
    """
    examples: dict[_Key, tuple[Finding | Crash, Rendering]] = {}
    frequencies: Counter[_Key] = Counter()
    for text, result in zip(texts, results, strict=True):
        ordinals: Counter[tuple[str, Where, int]] = Counter()
        keys: set[_Key] = set()  # a `range` writes several documents
        placed_outcomes = [(outcome, text.place(outcome.where)) for outcome in result.outcomes]
        false_alarms = _used_by_some(placed_outcomes, text, result)
        for outcome, place in placed_outcomes:
            rule, document = outcome.rule, outcome.where.document
            # What one rendering leaves unused, another may use.
            if (rule, place) in false_alarms:
                continue
            # A rule may report a place twice in one document; the number tells the two apart in all
            # renderings.
            key = rule, place, ordinals[rule, place, document]
            ordinals[rule, place, document] += 1
            keys.add(key)
            examples.setdefault(key, (outcome, text))
        frequencies.update(keys)
    outcomes = [
        _at_template(outcome, key[1], text, times=frequencies[key], of=len(texts))
        for key, (outcome, text) in examples.items()
        if outcome.rule not in on_unused() or frequencies[key] == len(texts)
    ]
    counts = Counts()
    for result in results:
        # The texts with an unresolved variable are counted in the ResourceSet.
        counts += replace(result.counts, unresolved=0)
    return TemplateResults(outcomes=tuple(outcomes), counts=counts, results=tuple(results))


def merge_independent(independent: IndependentOutcomes) -> TemplateResults:
    """The results of a template, of which only what does not depend on its inputs counts."""
    return TemplateResults(
        outcomes=tuple(
            _at_template(outcome, text.place(outcome.where), text, times=1, of=1)
            for outcome, text in independent.outcomes
        ),
        counts=replace(independent.counts, unresolved=0),
        results=(independent.clearest,),
    )


def _used_by_some(
    placed_outcomes: Iterable[tuple[Finding | Crash, Where]], text: Rendering, result: FileResult
) -> set[tuple[str, Where]]:
    """The rules and places of things that an object from the same part of a template uses.

    `placed_outcomes` are the outcomes with their places in the file.
    """
    documents_by_key: defaultdict[tuple[str, Where], set[int]] = defaultdict(set)
    for outcome, place in placed_outcomes:
        if outcome.rule in on_unused():
            documents_by_key[outcome.rule, place].add(outcome.where.document)
    if not documents_by_key:
        return set()
    # The objects that one `kind` of the template writes, by its place.
    siblings: defaultdict[Where, set[int]] = defaultdict(set)
    for where in (checked_object.place(("kind",)) for checked_object in result.checked):
        siblings[text.place(where)].add(where.document)
    return {
        key
        for key, unused_in in documents_by_key.items()
        if any(unused_in & documents and documents - unused_in for documents in siblings.values())
    }


def _at_template(
    outcome: Finding | Crash, where: Where, text: Rendering, *, times: int, of: int
) -> Finding | Crash:
    """An outcome at its place in the file, which some of the renderings have.

    It has no fix: what is right in one rendering may be wrong in another.
    """
    if isinstance(outcome, Crash):
        return replace(outcome, where=where)
    notes = [Related(note.message, text.place(note.where)) for note in outcome.related]
    if action := text.action(outcome.where):
        notes.append(Related(f"`{action}` writes this", where))
    if of > 1:
        input_set = input_place(text.owner, text.origin.index) or where
        notes.append(
            Related(f"in {times} of {of} renderings, the first of this input set", input_set)
        )
    return replace(outcome, where=where, related=tuple(notes), fix=None)
