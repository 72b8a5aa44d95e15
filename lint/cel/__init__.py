"""Compiles, checks and evaluates CEL expressions as the controllers do.

    compiled = compile_expression("status.phase == 'Ready'", dialect)
    compiled.refusals                     # empty: the controller accepts it
    compiled.evaluate({"status": {...}})  # Outcome(value=True)
    compiled.trace({"status": {...}})     # the same, step by step

All of the CEL library is behind this package. Names are loaded when they are
first asked for, so that a module that needs only `celvet.lint.cel.syntax.tree` does not load
the engine.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from celvet.lint.cel.check.unknown_functions import UnknownCall, unknown_calls
    from celvet.lint.cel.compilation import Compiled, compile_expression
    from celvet.lint.cel.engine.activation import Bound
    from celvet.lint.cel.engine.outcome import Outcome
    from celvet.lint.cel.eval.budget import Excess
    from celvet.lint.cel.free_variables import variables
    from celvet.lint.cel.syntax.refusal import Cause, Refusal, Stage
    from celvet.lint.cel.trace.coverage import Condition, Coverage
    from celvet.lint.cel.trace.explain_error import Explanation, explain_error
    from celvet.lint.cel.trace.trace import Round, Step, Trace

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
    "Bound": "engine.activation",
    "Cause": "syntax.refusal",
    "Compiled": "compilation",
    "Condition": "trace.coverage",
    "Excess": "eval.budget",
    "Coverage": "trace.coverage",
    "Explanation": "trace.explain_error",
    "Outcome": "engine.outcome",
    "Refusal": "syntax.refusal",
    "Round": "trace.trace",
    "Stage": "syntax.refusal",
    "Step": "trace.trace",
    "Trace": "trace.trace",
    "UnknownCall": "check.unknown_functions",
    "compile_expression": "compilation",
    "explain_error": "trace.explain_error",
    "unknown_calls": "check.unknown_functions",
    "variables": "free_variables",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
