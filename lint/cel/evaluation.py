"""Evaluates a tree on variables, plainly first, and precisely where that fails."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from lint.cel import engine
from lint.cel.lowering import lower
from lint.cel.messages import translate
from lint.cel.outcome import BEYOND, Outcome
from lint.cel.tree import Node
from lint.cel.wire import TooDeep
from lint.model import Value
from schemas.dialect import Dialect

_INT64 = 2**63


def evaluate(root: Node, dialect: Dialect, variables: Mapping[str, Value]) -> Outcome:
    """What cel-go gives for the tree; never raises."""
    try:
        return _run(root, dialect, variables, precise=False)
    except (TooDeep, RecursionError):
        return BEYOND
    except engine.Failed as error:
        first = error
    try:
        return _run(root, dialect, _as_json(variables), precise=True)
    except (TooDeep, RecursionError):
        return Outcome(error=translate(str(first), root))
    except engine.Failed as error:
        return Outcome(error=translate(str(error), root))


def _run(root: Node, dialect: Dialect, variables: Mapping[str, Value], *, precise: bool) -> Outcome:
    program = _program(root, dialect.libraries, dialect.checked, precise)
    return Outcome(program.run(variables))


@lru_cache(maxsize=1024)
def _program(
    root: Node,
    libraries: tuple[str, ...],
    checked: bool,
    precise: bool,
) -> engine.Program:
    return engine.load(lower(root, libraries, checked=checked, precise=precise), libraries)


def _as_json(value: Any) -> Any:
    """The value as Go decodes it: no lone surrogates, and no integers beyond 64 bits."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, int) and not -_INT64 <= value < _INT64:
        return float(value)
    if isinstance(value, list):
        return [_as_json(item) for item in value]
    if isinstance(value, Mapping):
        return {_as_json(key): _as_json(item) for key, item in value.items()}
    return value
