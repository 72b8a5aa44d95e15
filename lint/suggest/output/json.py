"""JSON, for programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from celvet.lint.safe_text import json_text
from celvet.lint.suggest.suggestion import Suggestion


def render(report: Sequence[Suggestion], color: bool) -> str:
    """One document with all suggestions."""
    return json_text({"suggestions": [_suggestion(each) for each in report]})


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
