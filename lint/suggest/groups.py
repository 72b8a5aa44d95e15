"""The entries for all kinds of a group: one without `kind`, and those of the kinds that differ.

Flux takes an entry without `kind` for each kind of the group that has no entry of its own
(`status_reader.go` of `fluxcd/pkg/runtime/cel`), from kustomize-controller 1.9.0 and
helm-controller 1.6.0 on; the CRDs of earlier ones require `kind`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from celvet.lint.model import GroupKind
from celvet.lint.suggest.from_catalog import of_facts
from celvet.lint.suggest.health_test import evaluator_of
from celvet.lint.suggest.suggestion import Suggestion
from celvet.lint.verdicts.evaluator import ClusterState
from celvet.record import replace
from celvet.schemas import Catalog, KindFacts, kind_facts
from celvet.schemas.known_kinds import ANY_KIND, known_kinds

_NOW = datetime(2000, 1, 1, tzinfo=UTC)
"""Any time will do, since no entry reads the time."""

_WAITING = ("InProgress", "Unknown")


def is_group(text: str, catalog: Catalog) -> bool:
    """Whether the catalogue has kinds of a group, or a family with all of them."""
    return "." in text and bool(_kinds(text, catalog) or _family(text, catalog))


def of_group(group: str, catalog: Catalog) -> list[Suggestion]:
    """The entry for a group, and those of the kinds for which it is wrong.

    Without an entry that may stand for the group, those of its kinds.
    """
    kinds = _kinds(group, catalog)
    family = _family(group, catalog)
    for candidate in _candidates(kinds, family):
        suggestion = of_facts(candidate)
        served_kinds = [facts for facts in kinds if _serves(suggestion, facts, catalog)]
        remnant = [facts for facts in kinds if facts not in served_kinds]
        is_common = family or len(served_kinds) > max(1, len(remnant))
        # Nothing but an entry keeps a kind from that of its group.
        if is_common and all(facts.entry for facts in remnant):
            return [_of_all(suggestion, served_kinds, candidate.family), *map(of_facts, remnant)]
    entries = [of_facts(facts) for facts in kinds if facts.entry]
    if entries:
        return entries
    reason = "No entry is needed: Flux judges the known kinds of the group correctly by itself."
    return [replace(of_facts(kinds[0]), kind=GroupKind(group, ""), reasons=(reason,), life=())]


def _kinds(group: str, catalog: Catalog) -> list[KindFacts]:
    pairs = [pair for pair in known_kinds(catalog.directories) if pair[0] == group]
    all_facts = (kind_facts(*pair, catalog.directories) for pair in pairs)
    return [facts for facts in all_facts if facts]


def _family(group: str, catalog: Catalog) -> KindFacts | None:
    """The facts about each kind of a group, if a family has them all."""
    facts = kind_facts(group, ANY_KIND, catalog.directories)
    return facts if facts and facts.family else None


def _candidates(kinds: Sequence[KindFacts], family: KindFacts | None) -> Iterator[KindFacts]:
    """A kind with each entry: that of the family first, then by how many kinds have it."""
    if family and family.entry:
        yield family
    by_entry: dict[tuple[tuple[str, str], ...], list[KindFacts]] = {}
    for facts in kinds:
        if facts.entry and not family:
            by_entry.setdefault(tuple(facts.entry.items()), []).append(facts)
    for kinds_alike in sorted(by_entry.values(), key=len, reverse=True):
        yield kinds_alike[0]


def _serves(suggestion: Suggestion, facts: KindFacts, catalog: Catalog) -> bool:
    """Whether an entry is right on each state of a kind."""
    if dict(suggestion.entry) == dict(facts.entry):
        return True
    if facts.entry and not facts.life:
        return False
    evaluator = evaluator_of(replace(suggestion, kind=GroupKind(facts.group, "")), catalog)
    for state in facts.life:
        cluster = ClusterState(objects=(dict(state.object),), now=_NOW)
        verdict = evaluator.evaluate(cluster).status
        if verdict != state.verdict and not {verdict, state.verdict} <= {*_WAITING}:
            return False
    return True


def _of_all(suggestion: Suggestion, kinds: Sequence[KindFacts], family: str) -> Suggestion:
    names = ", ".join(facts.kind for facts in kinds) or family
    reason = (
        f"Right for {names}; needs Flux 2.9, which takes an entry without `kind` for every kind"
        " of the group that has none of its own, also for one that celvet does not know."
    )
    life = [
        replace(state, name=f"{facts.kind}, {state.name}")
        for facts in kinds
        for state in facts.life
    ]
    return replace(
        suggestion,
        kind=GroupKind(suggestion.kind.group, ""),
        reasons=(reason, *suggestion.reasons),
        variants={},
        life=tuple(life) or suggestion.life,
    )
