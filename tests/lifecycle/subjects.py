"""Subjects from texts, for the tests of this directory."""

from __future__ import annotations

import schemas
from lint.cel import compile_expression
from lint.lifecycle import Subject, subject
from lint.model import GroupKind

EXAMPLE = GroupKind("example.com", "Example")


def maybe(texts: dict[str, str], kind: GroupKind = EXAMPLE) -> Subject | None:
    """The subject of these expressions, by role; a gate sees `dep` if it speaks of it."""
    gate = "flux-ready" if "dep." in texts.get("readyExpr", "") else "resourceset-ready"
    dialect = schemas.load().dialects[gate if "readyExpr" in texts else "flux-health"]
    programs = {role: compile_expression(text, dialect) for role, text in texts.items()}
    return subject(texts, programs, kind)


def made(texts: dict[str, str], kind: GroupKind = EXAMPLE) -> Subject:
    """The same where there must be one."""
    found = maybe(texts, kind)
    assert found is not None, texts
    return found
