"""The words of a kind in the catalogue: condition types, reasons, phases."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeAlias

from celvet.lint.lsp.features.fields import Steps
from celvet.lint.values import mapping_at
from celvet.schemas import KindFacts
from celvet.schemas.facts import MEANINGS, Evidence, steps_of

Words: TypeAlias = Mapping[Steps, Mapping[str, str]]
"""For the steps to a field, each text that the controller writes there, with its meaning."""

_STATUSES = ("True", "False", "Unknown")
_MOST_CITED = 3


@lru_cache(maxsize=64)
def words_of(facts: KindFacts) -> Words:
    """The words of a kind, with their meaning in Markdown."""
    words: dict[Steps, dict[str, str]] = {}
    for path, types in facts.condition_lists.items():
        element_steps = (*steps_of(path), None)
        for name, claim in types.items():
            meanings = words.setdefault((*element_steps, "type"), {})
            meanings[name] = _with_citations([*_condition_lines(claim)], _citations(claim, facts))
            for reason, sentence in _reasons(name, claim):
                meanings = words.setdefault((*element_steps, "reason"), {})
                meanings[reason] = "\n\n".join(filter(None, (meanings.get(reason, ""), sentence)))
    for phase in facts.content.get("phases", ()):
        meanings = words.setdefault(steps_of(phase["path"]), {})
        for value, claim in phase["values"].items():
            meanings[value] = _with_citations(
                [_meaning(claim)], _citations(claim, facts) or _citations(phase, facts)
            )
    return words


def _condition_lines(claim: Mapping[str, Any]) -> Iterator[str]:
    for status in _STATUSES:
        if status in claim:
            yield f"- `{status}`: {_meaning(claim[status])}"
    if never := claim.get("never"):
        yield f"- never {' or '.join(f'`{status}`' for status in never)}"
    for key in ("says", "absent"):
        if key in claim:
            yield f"\n{'Missing: ' if key == 'absent' else ''}{claim[key]}"
    if since := claim.get("since"):
        yield f"\nSince {since}."


def _reasons(name: str, claim: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for status in _STATUSES:
        for reason, value in mapping_at(claim, (status, "reasons")).items():
            yield reason, f"`{name}={status}`: {_meaning(value)}"


def _meaning(claim: str | Mapping[str, Any]) -> str:
    if isinstance(claim, str):
        return f"{MEANINGS[claim]}."
    releases = [f"{key} {claim[key]}" for key in ("since", "until") if key in claim]
    means = ", ".join((MEANINGS[claim["means"]], *releases))
    return f"{means}. {claim.get('says', '')}".strip()


def _citations(claim: str | Mapping[str, Any], facts: KindFacts) -> Sequence[Evidence]:
    names = claim.get("evidence", ()) if isinstance(claim, Mapping) else ()
    return [facts.evidence[name] for name in names][:_MOST_CITED]


def _with_citations(sentences: Sequence[str], citations: Sequence[Evidence]) -> str:
    places = [
        f"*{evidence.repository} {evidence.release}, {evidence.path}: {evidence.says}*"
        for evidence in citations
    ]
    return "\n\n".join(["\n".join(sentences), *places])
