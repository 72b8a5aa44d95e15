"""The JSONPath dialect of client-go: parsed, evaluated, printed, explained.

Not RFC 9535: text outside braces, `range` and `end`, filters of one
comparison, and quirks that the vectors and a differential test against
client-go's own code pin down.
"""

from __future__ import annotations

from lint.jsonpath.analysis import FieldStep, Several, Steps
from lint.jsonpath.compiled import CompiledPath, PathRefusal, compile_path
from lint.jsonpath.errors import Cause, EvaluationError, JSONPathError, LimitExceededError
from lint.jsonpath.printing import formatted, printed
from lint.jsonpath.reading import Reading
from lint.jsonpath.slips import PathSlip, SlipCause
from lint.jsonpath.template import Template, parse
from lint.jsonpath.wrap import Wrapped, wrap

__all__ = [
    "Cause",
    "CompiledPath",
    "EvaluationError",
    "FieldStep",
    "JSONPathError",
    "LimitExceededError",
    "PathRefusal",
    "PathSlip",
    "Reading",
    "Several",
    "SlipCause",
    "Steps",
    "Template",
    "Wrapped",
    "compile_path",
    "formatted",
    "parse",
    "printed",
    "wrap",
]
