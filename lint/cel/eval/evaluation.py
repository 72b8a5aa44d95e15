"""Evaluates a tree on variables: plainly first, and with guards if that fails."""

from __future__ import annotations

from functools import lru_cache

from celvet.lint.cel.compat.lowering import CallSite, lower
from celvet.lint.cel.compat.macros import expanded
from celvet.lint.cel.compat.messages import translate
from celvet.lint.cel.engine import environment as engine
from celvet.lint.cel.engine.activation import Activation, VariableValues, bind
from celvet.lint.cel.engine.outcome import (
    BEYOND,
    BYTES,
    KEYS,
    LOCAL,
    NUL,
    SEARCH,
    TIMES,
    TOO_MANY_ITERATIONS,
    Outcome,
)
from celvet.lint.cel.engine.proto import TooDeep
from celvet.lint.cel.eval.budget import over_budget, refusal
from celvet.lint.cel.functions.go_functions import CUT, CUT_TIME, NO_TEXT, SLOW
from celvet.lint.cel.syntax.tree import Literal, Node, walk
from celvet.schemas.dialect import Dialect

_ONLY_OURS = ("Invalid map key type", "duplicate key in map")
_BINDING = {NO_TEXT: BYTES, CUT: NUL, CUT_TIME: TIMES, SLOW: SEARCH}
"""Our function's error for what the binding cannot pass -> the outcome."""
_TIME_ZONE = "Invalid timezone"


def evaluate(root: Node, dialect: Dialect, variables: VariableValues) -> Outcome:
    """The outcome that the tree has in cel-go; never raises; time and memory are bounded.

    See `celvet.lint.cel.eval.budget` for the bounds.
    """
    activation = bind(variables)
    try:
        root = expanded(root, dialect.libraries)
        # The bound comes first: the engine runs to its end once it has begun.
        if excess_cost := over_budget(root, dialect.libraries, activation):
            return refusal(excess_cost)
        if not activation.readable:
            return NUL
        view = engine.view(activation.as_engine_takes_them, dialect.libraries)
        return Outcome(_program(root, CallSite.of(dialect), precise=False).run(view))
    except (TooDeep, RecursionError):
        return BEYOND
    except engine.TooManyIterations:
        return TOO_MANY_ITERATIONS
    except engine.Failed as error:
        # Guards make an evaluation several times slower, so only one that fails pays for cel-go's
        # error.
        return _evaluate_precisely(root, dialect, activation, str(error))


def _evaluate_precisely(
    root: Node, dialect: Dialect, activation: Activation, plain_error: str
) -> Outcome:
    try:
        view = engine.view(activation.as_go_decodes_them, dialect.libraries)
        return Outcome(_program(root, CallSite.of(dialect), precise=True).run(view))
    except (TooDeep, RecursionError):
        return _error_outcome(plain_error, root, dialect)
    except engine.TooManyIterations:
        return TOO_MANY_ITERATIONS
    except engine.Failed as error:
        return _error_outcome(str(error), root, dialect)


def _error_outcome(message: str, root: Node, dialect: Dialect) -> Outcome:
    """The outcome for an error of the engine, which cel-go may not have."""
    if message.startswith(_ONLY_OURS):
        return KEYS
    if message in _BINDING:
        return _BINDING[message]
    if message == _TIME_ZONE and _names_local(root):
        return LOCAL
    return Outcome(error=translate(message, root, dialect.libraries))


def _names_local(root: Node) -> bool:
    return any(isinstance(node, Literal) and node.value == "Local" for node in walk(root))


@lru_cache(maxsize=1024)
def _program(root: Node, site: CallSite, *, precise: bool) -> engine.EngineProgram:
    return engine.load(lower(root, site, precise=precise), site.libraries)
