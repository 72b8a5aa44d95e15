"""JSON, for programs."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from celvet.lint.safe_text import json_text
from celvet.lint.suggest.suggestion import Suggestion, Suggestions


def render(report: Suggestions, color: bool) -> str:
    """One document with all suggestions."""
    unknown = [
        {"group": kind.group, "kind": kind.kind, "waitedForBy": places}
        for kind, places in report.unknown.items()
    ]
    suggestions = [_suggestion(suggestion) for suggestion in report.suggestions]
    return json_text({"suggestions": suggestions, "unknown": unknown})


def _suggestion(suggestion: Suggestion) -> dict[str, Any]:
    variants = {
        name: {**alternative.entry, "why": alternative.why}
        for name, alternative in suggestion.variants.items()
    }
    return {
        "group": suggestion.kind.group,
        "kind": suggestion.kind.kind,
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
