"""Compiles, checks and evaluates CEL expressions as the controllers do.

    compiled = compile_expression("status.phase == 'Ready'", dialect)
    compiled.refusals                     # empty: the controller accepts it
    compiled.evaluate({"status": {...}})  # Outcome(value=True)
    compiled.trace({"status": {...}})     # the same, step by step

The CEL library is used only below this package. Its layers, each importing only
those before it:

    syntax             text to tree; the functions of a dialect
    cost | functions   bounds of time and memory; functions in which cel-cpp differs
    engine             cel-cpp: environments, activations, protobuf
    compat             trees that cel-cpp evaluates as cel-go would
    eval               evaluation within a budget
    trace              evaluation step by step, explained
    check              finds what the controller refuses
    compilation        all checks of the controller, in its order
    typo_fixes         finds corrections that compile

Names are loaded when they are first used, so that a module that needs only
`celvet.lint.cel.syntax.tree` does not load the engine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from celvet.lint.lazy import on_first_use

if TYPE_CHECKING:
    from celvet.lint.cel.check.unknown_functions import UnknownCall as UnknownCall
    from celvet.lint.cel.compilation import compile_expression as compile_expression
    from celvet.lint.cel.compiled import Compiled as Compiled
    from celvet.lint.cel.engine.activation import Activation as Activation
    from celvet.lint.cel.engine.outcome import Outcome as Outcome
    from celvet.lint.cel.eval.excess import Excess as Excess
    from celvet.lint.cel.syntax.refusal import Refusal as Refusal
    from celvet.lint.cel.trace.coverage import ConditionCoverage as ConditionCoverage
    from celvet.lint.cel.trace.coverage import Coverage as Coverage
    from celvet.lint.cel.trace.decision import Decision as Decision
    from celvet.lint.cel.trace.decision import decision as decision
    from celvet.lint.cel.trace.explain_error import ErrorExplanation as ErrorExplanation
    from celvet.lint.cel.trace.explain_error import explain_error as explain_error
    from celvet.lint.cel.trace.readings import FieldReading as FieldReading
    from celvet.lint.cel.trace.trace import Trace as Trace
    from celvet.lint.cel.trace.trace import TraceRound as TraceRound
    from celvet.lint.cel.trace.trace import TraceStep as TraceStep

_MODULES = {
    "check.unknown_functions": "UnknownCall",
    "compilation": "compile_expression",
    "compiled": "Compiled",
    "engine.activation": "Activation",
    "engine.outcome": "Outcome",
    "eval.excess": "Excess",
    "syntax.refusal": "Refusal",
    "trace.coverage": "ConditionCoverage Coverage",
    "trace.decision": "Decision decision",
    "trace.explain_error": "ErrorExplanation explain_error",
    "trace.readings": "FieldReading",
    "trace.trace": "Trace TraceRound TraceStep",
}
"""The names of each module; a test holds them against the imports above."""

__getattr__ = on_first_use(__name__, _MODULES)
