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
from celvet.lint.cel.eval.budget import check_budget, refusal
from celvet.lint.cel.functions.go_functions import CUT, CUT_TIME, NO_TEXT, SLOW
from celvet.lint.cel.syntax.tree import (
    Call,
    Ident,
    ListExpr,
    Literal,
    Macro,
    Node,
    Select,
    dotted_path,
    walk,
)
from celvet.lint.cel.syntax.vocabulary import TYPES, functions, is_operator, resolve
from celvet.schemas.dialect import Dialect

_LOOPS = frozenset({"all", "exists", "exists_one", "filter", "map"})

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
        admission = check_budget(root, dialect.libraries, activation)
        if admission.excess or not activation.readable:
            return refusal(admission.excess) if admission.excess else NUL
        view = activation.view(dialect.libraries, keep=admission.light)
        return Outcome(_program(root, CallSite.of(dialect), precise=False).run(view))
    except (TooDeep, RecursionError):
        return BEYOND
    except engine.TooManyIterations:
        return TOO_MANY_ITERATIONS
    except engine.Failed as error:
        if error_is_certain(root, dialect.libraries, activation.variables, str(error)):
            return _error_outcome(str(error), root, dialect)
        return _evaluate_precisely(root, dialect, activation, str(error))


def _evaluate_precisely(
    root: Node, dialect: Dialect, activation: Activation, plain_error: str
) -> Outcome:
    try:
        view = activation.precise_view(dialect.libraries)
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


def error_is_certain(
    root: Node, libraries: tuple[str, ...], variables: Mapping[str, Any], error: str
) -> bool:
    """Whether an evaluation with guards certainly ends in this error of a plain one."""
    return error != "" and _CertainError(libraries, variables).error(root) == error


class _CertainError:
    """The engine's error that a node certainly gives; empty if it may give a value.

    A guard first asks for the type of a value. If the value itself is an error, so is
    its type, and the guarded evaluation fails in the same way. Most errors on objects
    that have no status yet are of this kind.
    """

    def __init__(self, libraries: tuple[str, ...], variables: Mapping[str, Any]) -> None:
        self._known = functions(libraries)
        self._variables = variables

    def error(self, node: Node) -> str:
        if isinstance(node, Ident):
            return self._unbound_error(node.name.removeprefix("."))
        if isinstance(node, Select):
            return self.error(node.operand) or (
                "" if node.optional else self._missing_key_error(node)
            )
        if isinstance(node, Macro):
            operand = node.args[0] if node.target is None else node.target
            if isinstance(operand, Select) and node.target is None:
                return self.error(operand.operand)
            return self.error(operand) if node.name in _LOOPS else ""
        return self._call_error(node) if isinstance(node, Call) else ""

    def _unbound_error(self, name: str) -> str:
        is_name = name in self._variables or name in TYPES or name == "google"
        return "" if is_name else f'No value with name "{name}" found in Activation'

    def _missing_key_error(self, node: Select) -> str:
        """The error for a key that a map in the variables does not have."""
        container = self._value_at(node.operand)
        is_missing = isinstance(container, dict) and node.field not in container
        return f'Key not found in map : "{node.field}"' if is_missing else ""

    def _value_at(self, node: Node) -> Any:
        """The value at a plain path; None if that is not certain."""
        name = dotted_path(node).removeprefix(".")
        if isinstance(node, Ident):
            return self._variables.get(name)
        # The engine prefers a variable whose own name has the dots.
        if not isinstance(node, Select) or node.optional or name in self._variables:
            return None
        container = self._value_at(node.operand)
        return container.get(node.field) if isinstance(container, dict) else None

    def _call_error(self, node: Call) -> str:
        if node.function in ("_&&_", "_||_"):
            left, right = map(self.error, node.args)
            return left if left == right else ""
        if not is_operator(node.function):
            _, operands = resolve(node, self._known)
        elif _evaluates_second_first(node):
            return ""
        else:
            operands = node.args
        return self.error(operands[0]) if operands else ""


def _evaluates_second_first(node: Call) -> bool:
    """Whether the second operand is evaluated first, or is the only one."""
    if node.function == "@in":
        return isinstance(node.args[1], ListExpr) and not node.args[1].elements
    return node.function in ("_[_]", "_[?_]") and not isinstance(node.args[1], Literal)
