"""Evaluates a tree on variables: plainly first, and with guards if that fails."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

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
from celvet.lint.cel.syntax.tree import (
    Call,
    Ident,
    Literal,
    Macro,
    Node,
    Select,
    dotted_path,
    walk,
)
from celvet.lint.cel.syntax.vocabulary import COMPARISONS
from celvet.schemas.dialect import Dialect

_FROM_THE_LEFT = frozenset({*COMPARISONS, "!_", "_?_:_"})
"""Operators that evaluate the first operand first, and fail with its error."""
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


def is_certain(error: str, node: Node, variables: Mapping[str, Any]) -> bool:
    """Whether guards cannot change this error of a plain evaluation.

    A guard first asks for the type of a value, and the type of an error is the same error. So it
    stays if what is read first is absent, as on most objects without a status. The program with
    guards is not even made then: a new Kustomization takes a sixth less.
    """
    match node:
        case Ident() | Select() if path := dotted_path(node):
            return error == _absence(path.removeprefix("."), variables)
        case Select(operand=first) | Macro(target=Node() as first):
            return is_certain(error, first, variables)
        case Macro(args=(Select(operand=first),)):  # has
            return is_certain(error, first, variables)
        case Call(function="_&&_" | "_||_"):
            # The other operand may settle the answer, unless it fails in the same way.
            return all(is_certain(error, operand, variables) for operand in node.args)
        case Call() if node.function in _FROM_THE_LEFT:
            return is_certain(error, node.args[0], variables)
    return False


def _absence(path: str, variables: Mapping[str, Any]) -> str | None:
    """The engine's error for a path that ends in a mapping without the next key."""
    # The engine prefers a variable whose own name has the dots.
    if any("." in name for name in variables):
        return None
    container: Any = variables
    for step in path.split("."):
        if not isinstance(container, dict):
            return None
        if step not in container:
            unbound = f'No value with name "{step}" found in Activation'
            return unbound if container is variables else f'Key not found in map : "{step}"'
        container = container[step]
    return None


def _evaluate_precisely(
    root: Node, dialect: Dialect, activation: Activation, plain_error: str
) -> Outcome:
    if is_certain(plain_error, root, activation.variables):
        return _error_outcome(plain_error, root, dialect)
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
