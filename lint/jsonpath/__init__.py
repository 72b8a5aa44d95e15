"""The JSONPath dialect of client-go, parsed, evaluated and explained; and plain paths of keys.

Not RFC 9535: text outside braces, `range` and `end`, filters of one
comparison, and quirks that vectors of client-go's own code record. The layers,
each importing only those before it: `errors`, `parse`, `eval`, `hints`, `field_path`,
`selector`, and `compile_path` here. Conditions of paths are in `selector`.
"""

from __future__ import annotations

from celvet.lint.jsonpath.compiled import CompiledPath, compile_path
from celvet.lint.jsonpath.errors import EvaluationError, JSONPathError, LimitExceededError
from celvet.lint.jsonpath.eval.printing import go_text, kubectl_text
from celvet.lint.jsonpath.eval.result import PathResult
from celvet.lint.jsonpath.eval.template import PathTemplate, parse
from celvet.lint.jsonpath.hints.analysis import FieldStep, Steps

__all__ = [
    "CompiledPath",
    "EvaluationError",
    "FieldStep",
    "JSONPathError",
    "LimitExceededError",
    "PathResult",
    "PathTemplate",
    "Steps",
    "compile_path",
    "go_text",
    "kubectl_text",
    "parse",
]
