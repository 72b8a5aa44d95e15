"""JSON, for programs."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from celvet.lint.list_item import item
from celvet.lint.safe_text import json_text
from celvet.lint.suggest.suggestion import Snippet, Suggestion, Suggestions
from celvet.schemas.snippets import FLUX


def render(report: Suggestions, color: bool) -> str:
    """One document with all suggestions."""
    unknown = [
        {"group": kind.group, "kind": kind.kind, "waitedForBy": places}
        for kind, places in report.unknown.items()
    ]
    suggestions = [_suggestion(suggestion) for suggestion in report.suggestions]
    return json_text({"suggestions": suggestions, "unknown": unknown})


def _suggestion(suggestion: Suggestion) -> dict[str, Any]:
    if suggestion.snippet:
        return _snippet(suggestion, suggestion.snippet)
    variants = {
        name: {**alternative.entry, "why": alternative.why}
        for name, alternative in suggestion.variants.items()
    }
    return {
        "group": suggestion.kind.group,
        "kind": suggestion.kind.kind,
        "dialect": FLUX,
        "text": "".join(f"{line}\n" for line in item(suggestion.fields)) or None,
        "expressions": suggestion.entry,
        "entry": suggestion.fields or None,
        "proven": suggestion.proven,
        "basis": suggestion.basis,
        "reasons": suggestion.reasons,
        "questions": suggestion.questions,
        "variant": suggestion.variant or None,
        "variants": variants,
        "evidence": [asdict(evidence) for evidence in suggestion.evidence],
        "waitedForBy": suggestion.waiters,
    }


def _snippet(suggestion: Suggestion, snippet: Snippet) -> dict[str, Any]:
    return {
        "group": suggestion.kind.group,
        "kind": suggestion.kind.kind,
        "dialect": snippet.dialect,
        "mirrors": snippet.mirrors,
        "place": snippet.place,
        "text": snippet.text or None,
        "expressions": snippet.expressions,
        "variable": snippet.variable or None,
        "needless": snippet.needless,
        "cannotSay": snippet.unsaid,
        "differs": [asdict(difference) for difference in snippet.differs],
        "notes": snippet.notes,
        "proven": suggestion.proven,
        "basis": suggestion.basis,
        "variant": suggestion.variant or None,
    }
