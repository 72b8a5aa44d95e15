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
    found = [_suggestion(each) for each in report.found]
    return json_text({"suggestions": found, "unknown": unknown})


def _suggestion(found: Suggestion) -> dict[str, Any]:
    variants = {name: {**each.entry, "why": each.why} for name, each in found.variants.items()}
    return {
        "group": found.kind.group,
        "kind": found.kind.kind,
        "entry": found.fields or None,
        "proven": found.proven,
        "basis": found.basis,
        "reasons": found.reasons,
        "questions": found.questions,
        "variant": found.variant or None,
        "variants": variants,
        "evidence": [asdict(each) for each in found.evidence],
        "waitedForBy": found.waited,
    }
