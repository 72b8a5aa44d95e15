"""Compiles, checks and evaluates CEL expressions as the controllers do.

    compiled = compile_expression("status.phase == 'Ready'", dialect)
    compiled.refusals                     # empty: the controller accepts it
    compiled.evaluate({"status": {...}})  # Outcome(value=True)

All of the CEL library is behind this package. Names are loaded when they are
first asked for, so that a module that needs only `lint.cel.tree` does not load
the engine.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lint.cel.compilation import Compiled, compile_expression
    from lint.cel.lookup import variables
    from lint.cel.outcome import Outcome
    from lint.cel.refusal import Cause, Refusal, Stage
    from lint.cel.unknown import UnknownCall, unknown_calls

__all__ = [
    "Cause",
    "Compiled",
    "Outcome",
    "Refusal",
    "Stage",
    "UnknownCall",
    "compile_expression",
    "unknown_calls",
    "variables",
]

_HOMES = {
    "Compiled": "compilation",
    "compile_expression": "compilation",
    "Outcome": "outcome",
    "Cause": "refusal",
    "Refusal": "refusal",
    "Stage": "refusal",
    "UnknownCall": "unknown",
    "unknown_calls": "unknown",
    "variables": "lookup",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
