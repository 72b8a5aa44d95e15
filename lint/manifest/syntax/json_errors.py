"""Explains errors in JSON in terms of JSON: a YAML parser finds them late or never."""

from __future__ import annotations

import json

from celvet.lint.manifest.problem import Mistake
from celvet.regex import regex

_COMMENT = regex(r"//[^\r\n]*|/\*")
_NEXT = regex(r"[\"{\[\w-]")


def explain_json(text: str) -> Mistake | None:
    """Explain a comment or a missing comma in JSON; None if it is another mistake, or none."""
    if text.lstrip()[:1] not in ("{", "["):
        return None
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        return _explained(text, error)
    except (ValueError, RecursionError):
        return None
    return None


def _explained(text: str, error: json.JSONDecodeError) -> Mistake | None:
    if found := _COMMENT.match(text, error.pos):
        message = f"`{found[0][:2]}` starts no comment: JSON has none"
        return Mistake(message, "Remove the comment.", *found.span())
    if "',' delimiter" in error.msg and _NEXT.match(text, error.pos):
        end = len(text[: error.pos].rstrip())
        return Mistake(
            "no `,` follows this value, and the next one begins", "Add it.", end - 1, end
        )
    return None
