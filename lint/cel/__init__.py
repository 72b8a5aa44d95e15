"""Compiles, checks and evaluates CEL expressions as the controllers do.

    compiled = compile_expression("status.phase == 'Ready'", dialect)
    compiled.refusals                     # empty: the controller accepts it
    compiled.evaluate({"status": {...}})  # Outcome(value=True)
    compiled.trace({"status": {...}})     # the same, step by step

All of the CEL library is behind this package. Names are loaded when they are
first asked for, so that a module that needs only `lint.cel.tree` does not load
the engine.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lint.cel.allowance import Excess
    from lint.cel.binding import Bound
    from lint.cel.compilation import Compiled, compile_expression
    from lint.cel.coverage import Condition, Coverage
    from lint.cel.explaining import Explanation, explain_error
    from lint.cel.lookup import variables
    from lint.cel.outcome import Outcome
    from lint.cel.refusal import Cause, Refusal, Stage
    from lint.cel.trace import Round, Step, Trace
    from lint.cel.unknown import UnknownCall, unknown_calls

__all__ = [
    "Bound",
    "Cause",
    "Compiled",
    "Condition",
    "Coverage",
    "Excess",
    "Explanation",
    "Outcome",
    "Refusal",
    "Round",
    "Stage",
    "Step",
    "Trace",
    "UnknownCall",
    "compile_expression",
    "explain_error",
    "unknown_calls",
    "variables",
]

_HOMES = {
    "Bound": "binding",
    "Cause": "refusal",
    "Compiled": "compilation",
    "Condition": "coverage",
    "Excess": "allowance",
    "Coverage": "coverage",
    "Explanation": "explaining",
    "Outcome": "outcome",
    "Refusal": "refusal",
    "Round": "trace",
    "Stage": "refusal",
    "Step": "trace",
    "Trace": "trace",
    "UnknownCall": "unknown",
    "compile_expression": "compilation",
    "explain_error": "explaining",
    "unknown_calls": "unknown",
    "variables": "lookup",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
