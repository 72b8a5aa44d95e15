"""The only place of these tests that knows of celvet's modules: what Flux says of an object."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lint.cel import compile_expression
from lint.systems.evaluator import ANSWERS, evaluate
from lint.systems.expression import truth
from lint.systems.judge import Program
from lint.systems.kstatus import read
from schemas.catalog import BUILT_IN
from schemas.dialect import Dialect
from schemas.reader import read_dialects

KINDS = Path(BUILT_IN) / "kinds"
"""The directory of the catalogue."""


def folded(entry: Mapping[str, str], obj: Mapping[str, Any]) -> tuple[str, str]:
    """What Flux makes of an object by an entry, and the error if there is one."""
    programs = [_program(role, entry[role]) for role in ANSWERS if role in entry]
    verdict = evaluate(programs, dict(obj))
    return verdict.status, verdict.error


def holds(text: str, obj: Mapping[str, Any]) -> bool:
    """Whether an expression is true of an object; an error is not true."""
    return truth(_program("failed", text), dict(obj))[0]


def refusals(text: str) -> list[str]:
    """Why Flux refuses an expression."""
    return [refusal.message for refusal in _program("failed", text).compiled.refusals]  # type: ignore[union-attr]


def by_kstatus(obj: Mapping[str, Any]) -> str:
    """What Flux makes of an object that no entry covers: kstatus, and its own rule for Jobs."""
    return read(dict(obj)).status


@functools.cache
def _dialect() -> Dialect:
    return read_dialects(BUILT_IN)["flux-health"]


@functools.cache
def _program(role: str, text: str) -> Program:
    return Program((role,), role, compile_expression(text, _dialect()))
