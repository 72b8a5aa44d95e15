"""The entry of a kind in the catalogue, with its reasons."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from celvet.lint.checks.advice import plain
from celvet.lint.model import GroupKind
from celvet.lint.suggest.suggestion import Choice, Suggestion
from celvet.record import replace
from celvet.schemas import KindFacts

_LONGEST = 160
_UNSEEN = "Nobody has read the controller: is what people write for the kind right?"


def of_facts(facts: KindFacts, variant: str = "") -> Suggestion:
    """The recommended entry of a kind whose life is known, or one of its variants.

    Raises `KeyError` for an unknown variant.
    """
    content = facts.content
    suggestion = Suggestion(
        kind=GroupKind(facts.group, facts.kind),
        api_version=facts.api_version,
        entry=facts.entry,
        basis=_basis(facts),
        reasons=tuple(_reasons(facts, variant)),
        questions=(_UNSEEN,) if content["source"]["basis"] == "users" else (),
        variants={
            name: Choice(variant_entry.entry, variant_entry.why)
            for name, variant_entry in facts.variants.items()
        },
        evidence=tuple(facts.evidence.values()),
        life=facts.life,
    )
    return _with_variant(suggestion, facts, variant) if variant else suggestion


def of_built_in(kind: GroupKind) -> Suggestion:
    """The suggestion for a kind of kube-apiserver that the catalogue does not have: no entry."""
    reason = "No entry is needed: Flux judges built-in kinds by itself."
    version = f"{kind.group}/v1".lstrip("/")
    return Suggestion(kind, version, {}, "a built-in kind", reasons=(reason,))


def _with_variant(suggestion: Suggestion, facts: KindFacts, name: str) -> Suggestion:
    alternative = facts.variants[name]
    life = tuple(
        replace(state, verdict=alternative.differs.get(state.name, state.verdict))
        for state in suggestion.life
    )
    return replace(
        suggestion,
        entry=alternative.entry,
        reasons=(f"The variant `{name}`: {alternative.why}", *suggestion.reasons),
        variant=name,
        life=life,
    )


def _basis(facts: KindFacts) -> str:
    repository = facts.content["source"]["repository"]
    return " ".join(filter(None, (facts.project, facts.release, f"({repository})")))


def _reasons(facts: KindFacts, variant: str) -> Iterator[str]:
    content = facts.content
    if facts.entry:
        why = content["entry"]["why"]
        yield f"The recommended entry: {why}" if variant else why
    yield _note_without_entry(facts)
    yield from _failure_notes(content["failure"], bool(facts.entry))
    if note := content["observedGeneration"].get("says"):
        text = note.removeprefix("Written ")
        yield (
            f"About `observedGeneration`: {note}"
            if text == note
            else f"`observedGeneration` is written {text}"
        )
    if note := content["crd"].get("differs"):
        yield note
    for phase in facts.phases:
        for value, until in phase.former.items():
            yield f"`{phase.path}` is `{value}` only before {facts.project} {until}."
    for pitfall in content.get("pitfalls", ()):
        yield f"Why not {_pitfall_text(pitfall)}? {pitfall['says']}"


def _note_without_entry(facts: KindFacts) -> str:
    note = facts.content["kstatus"].get("says", "")
    verb = note.partition(" ")[0]
    if facts.entry and verb.endswith("s"):  # it says what Flux does
        return f"Without an entry, Flux {note[:1].lower()}{note[1:]}"
    if facts.entry:
        return f"Without an entry: {note}" if note else ""
    return f"No entry is needed: Flux judges the kind correctly by itself. {note}".strip()


def _failure_notes(failure: Mapping[str, Any], with_entry: bool) -> Iterator[str]:
    note = failure.get("says", "")
    if not failure["exists"] and with_entry:
        reason = "since no value of the status means a lasting failure"
        yield f"The entry has no `failed`, {reason}. {note}".strip()
    elif note:
        yield note
    if final := failure.get("final"):
        yield f"These failures are final: {'; '.join(final)}."
    if reasons := failure.get("retried"):
        yield f"These are retried: {'; '.join(reasons)}."


def _pitfall_text(pitfall: Mapping[str, Any]) -> str:
    """The expression of a pitfall that goes wrong first."""
    role = next(name for name in ("failed", "inProgress", "current") if name in pitfall)
    text = plain(pitfall[role])
    return f"`{role}: {text if len(text) <= _LONGEST else f'{text[:_LONGEST]}...'}`"
