"""Merges the results of a template's renderings: equal findings once, at the template."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from celvet.lint.engine.resourceset.independent import Independent
from celvet.lint.engine.resourceset.places import input_place
from celvet.lint.engine.resourceset.renderings import Rendering
from celvet.lint.engine.result import Counts, Crash, FileResult
from celvet.lint.model import Finding, Related, Where
from celvet.lint.rules import on_unused
from celvet.record import field, record, replace

_Key = tuple[str, Where, int]
"""The rule and place of an outcome, and how many before it in its document have the same."""


@record(frozen=False)
class Merged:
    """The findings of all renderings of a file, with places in the file.

    `results` are those of the renderings; with stand-ins there is one for each template.
    """

    outcomes: list[Finding | Crash] = field(default_factory=list)
    counts: Counts = field(default_factory=Counts)
    results: list[FileResult] = field(default_factory=list)

    def add(self, texts: Sequence[Rendering], results: Sequence[FileResult]) -> None:
        """Add the results of the renderings of one template.

        Findings of a rule at one place count as equal. Something is unused only if no rendering
        uses it.
        """
        first: dict[_Key, tuple[Finding | Crash, Rendering]] = {}
        times: Counter[_Key] = Counter()
        for text, result in zip(texts, results, strict=True):
            seen: Counter[tuple[str, Where, int]] = Counter()
            keys: set[_Key] = set()  # a `range` writes several documents
            placed = [(each, text.place(each.where)) for each in result.outcomes]
            used = _used_by_some(placed, text, result)
            for each, place in placed:
                rule, document = each.rule, each.where.document
                if (rule, place) in used:
                    continue
                key = rule, place, seen[rule, place, document]
                seen[rule, place, document] += 1
                keys.add(key)
                first.setdefault(key, (each, text))
            times.update(keys)
        for key, (found, text) in first.items():
            if found.rule not in on_unused() or times[key] == len(texts):
                self.outcomes.append(_moved(found, key[1], text, times[key], len(texts)))
        self.results += results
        for result in results:
            # The texts with an unresolved variable are counted in the ResourceSet.
            self.counts += replace(result.counts, unresolved=0)

    def add_independent(self, found: Independent) -> None:
        """Add the outcomes that do not depend on the inputs of a template."""
        for outcome, text in found.outcomes:
            self.outcomes.append(_moved(outcome, text.place(outcome.where), text, 1, 1))
        self.counts += replace(found.counts, unresolved=0)
        self.results.append(found.clearest)


def _used_by_some(
    placed: Iterable[tuple[Finding | Crash, Where]], text: Rendering, result: FileResult
) -> set[tuple[str, Where]]:
    """The rules and places of things that an object from the same part of a template uses.

    `placed` are the outcomes with their places in the file.
    """
    unused: defaultdict[tuple[str, Where], set[int]] = defaultdict(set)
    for each, place in placed:
        if each.rule in on_unused():
            unused[each.rule, place].add(each.where.document)
    if not unused:
        return set()
    written: defaultdict[Where, set[int]] = defaultdict(set)
    for where in (each.place(("kind",)) for each in result.checked):
        written[text.place(where)].add(where.document)
    return {
        key
        for key, having in unused.items()
        if any(having & documents and documents - having for documents in written.values())
    }


def _moved(
    outcome: Finding | Crash, where: Where, text: Rendering, times: int, of: int
) -> Finding | Crash:
    """An outcome at its place in the file.

    It has no fix: what is right in one rendering may be wrong in another.
    """
    if isinstance(outcome, Crash):
        return replace(outcome, where=where)
    related = [Related(each.message, text.place(each.where)) for each in outcome.related]
    if action := text.action(outcome.where):
        related.append(Related(f"`{action}` writes this", where))
    if of > 1:
        given = input_place(text.owner, text.origin.index) or where
        related.append(
            Related(f"in {times} of {of} renderings, the first of this input set", given)
        )
    return replace(outcome, where=where, related=tuple(related), fix=None)
