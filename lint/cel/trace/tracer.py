"""Evaluates an expression and each part of it that the evaluation reaches.

The engine evaluates each sub-expression as a tree of its own, so the values are
the engine's. Only the order of evaluation, and which operands are reached, is
reimplemented here (`interpreter/interpretable.go`
of cel-go 0.26.1).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from celvet.lint.cel.cost.estimate import ITERATIONS, cost, of_values
from celvet.lint.cel.engine.activation import Activation, VariableValues, bind
from celvet.lint.cel.engine.outcome import Outcome
from celvet.lint.cel.eval.budget import MAX_BYTES, MAX_STEPS
from celvet.lint.cel.eval.evaluation import evaluate
from celvet.lint.cel.syntax.tree import (
    Call,
    Ident,
    ListExpr,
    Literal,
    Macro,
    MapExpr,
    Node,
    Select,
    dotted_path,
    walk,
)
from celvet.lint.cel.syntax.vocabulary import MESSAGES, TYPES, functions, is_operator, resolve
from celvet.lint.cel.trace.trace import Trace, TraceRound, TraceStep
from celvet.lint.model import Span
from celvet.record import record
from celvet.schemas.dialect import Dialect

_NOWHERE = (0, Span(0, 0))
_PASSING = frozenset({"_[_]", "_==_", "_!=_", "_&&_", "_||_", "!_"})
"""Operators that make plain data from plain data."""

_KINDS = {bool: "bool", int: "int", float: "double", str: "string"}


def _call(method: str, target: Node) -> Node:
    """A tree for `target.method()`, which is in no text."""
    return Call(*_NOWHERE, method, target, (), Span(0, 0))


def _item(target: Node, place: int) -> Node:
    """A tree for `target[place]`, which is in no text."""
    return Call(*_NOWHERE, "_[_]", None, (target, _constant(place)), Span(0, 0))


def _constant(value: bool | float | str) -> Node:
    """A tree for a literal, which is in no text."""
    return Literal(*_NOWHERE, _KINDS[type(value)], value)


@record
class _Scope:
    """The variables around a sub-expression.

    The variable of a macro is in the `activation` if its value is plain data. A value such as an
    optional or a uint has no equivalent in Python: its variable is in `computed_variables`, with
    the expression that gives the value; outer macros come first.
    """

    activation: Activation
    computed_variables: tuple[tuple[str, Node], ...] = ()

    def bind(self, name: str, source: Node, value: Any) -> _Scope:
        """The scope with a macro's variable, whose value is that of `source`."""
        if self.computed_variables or not _is_plain(source):
            return _Scope(self.activation, (*self.computed_variables, (name, source)))
        return _Scope(Activation({**self.activation.variables, name: value}))

    def enclose(self, node: Node) -> Node:
        """The node with the computed variables around it: `[source].map(name, node)[0]`."""
        for name, source in reversed(self.computed_variables):
            single = ListExpr(*_NOWHERE, (source,), frozenset())
            node = _item(Macro(*_NOWHERE, "map", single, (name,), (node,), Span(0, 0)), 0)
        return node


def _is_plain(node: Node) -> bool:
    """Whether the value consists of variables and constants that JSON can express."""
    return all(map(_passes_on, walk(node)))


def _passes_on(node: Node) -> bool:
    match node:
        case Literal():
            # JSON has no unsigned numbers and no bytes.
            plain = node.kind not in ("uint", "bytes")
        case Ident():
            plain = node.name not in TYPES
        case Select():
            plain = not node.optional
        case Call():
            plain = node.function in _PASSING
        case Macro():
            plain = not node.name.startswith("opt")
        case ListExpr():
            plain = not node.optional
        case _:
            plain = isinstance(node, MapExpr) and not any(entry.optional for entry in node.entries)
    return plain


_MOST_STEPS = 5_000
_STOPS = {"_||_": True, "_&&_": False, "exists": True, "all": False}
"""Operator or macro -> the operand at which it stops."""


def trace(text: str, root: Node, dialect: Dialect, variables: VariableValues) -> Trace:
    """Evaluate the tree of `text` step by step; never raises.

    All steps together may take about four times as long as a single evaluation.
    """
    activation = bind(variables)
    outcome = evaluate(root, dialect, activation)
    if not outcome.analysed:
        return Trace(text, TraceStep(root, outcome), complete=False)
    bound_cost = cost(root, dialect.libraries, of_values(activation.variables), ITERATIONS)
    most = min(4 * MAX_STEPS // bound_cost.steps, MAX_BYTES // bound_cost.bytes, _MOST_STEPS)
    tracer = _Tracer(dialect, most)
    step = tracer.step(root, _Scope(activation), outcome)
    return Trace(text, step, complete=tracer.complete)


class _Tracer:
    """Records up to a number of steps."""

    def __init__(self, dialect: Dialect, most: int) -> None:
        self._dialect = dialect
        self._known = functions(dialect.libraries)
        self._steps_left = most

    @property
    def complete(self) -> bool:
        """Whether all steps could be recorded."""
        return self._steps_left >= 0

    def step(self, node: Node, scope: _Scope, outcome: Outcome | None = None) -> TraceStep:
        """The step of a node; an outcome that is already known is not computed again."""
        self._steps_left -= 1
        outcome = outcome or self._outcome(node, scope)
        if isinstance(node, Macro) and node.target:
            return self._macro(node, node.target, scope, outcome)
        parts = tuple(self._parts(node, scope)) if self._steps_left > 0 else ()
        return TraceStep(node, outcome, parts, (), _decisive(node, outcome, parts))

    def _outcome(self, node: Node, scope: _Scope) -> Outcome:
        return evaluate(scope.enclose(node), self._dialect, scope.activation)

    def _parts(self, node: Node, scope: _Scope) -> Iterator[TraceStep]:
        if isinstance(node, Call) and node.function in ("_||_", "_&&_"):
            return self._steps_until(node.args, scope, _stops_at(_STOPS[node.function]))
        if isinstance(node, Call) and node.function == "_?_:_":
            return self._choice(node, scope)
        return self._steps_until(self._operands(node, scope), scope, _has_failed)

    def _operands(self, node: Node, scope: _Scope) -> Iterable[Node]:
        if isinstance(node, Macro):
            return node.args[0].children  # `has` evaluates the operand of its field
        if isinstance(node, Select):
            return () if dotted_path(node).removeprefix(".") in MESSAGES else node.children
        if not isinstance(node, Call) or is_operator(node.function):
            return node.children
        name, args = resolve(node, self._known)
        function = self._known.get(name)
        if function and function.binds:
            return args[:1] if function.binds > 1 else args[1:2]
        if name in ("or", "orValue") and not self._is_none(args[0], scope):
            return args[:1]
        return args

    def _is_none(self, node: Node, scope: _Scope) -> bool:
        return self._outcome(_call("hasValue", node), scope).value is False

    def _steps_until(
        self, nodes: Iterable[Node], scope: _Scope, stop: Callable[[TraceStep], bool]
    ) -> Iterator[TraceStep]:
        for node in nodes:
            if self._steps_left <= 0:
                self._steps_left = -1
                return
            step = self.step(node, scope)
            yield step
            if stop(step):
                return

    def _choice(self, node: Call, scope: _Scope) -> Iterator[TraceStep]:
        condition = self.step(node.args[0], scope)
        yield condition
        if isinstance(condition.outcome.value, bool):
            yield self.step(node.args[1 if condition.outcome.value else 2], scope)

    def _macro(self, node: Macro, target: Node, scope: _Scope, outcome: Outcome) -> TraceStep:
        over = self.step(target, scope)
        rounds: list[TraceRound] = []
        if not _has_failed(over):
            for trace_round in self._rounds(node, target, scope, over.outcome.value):
                rounds.append(trace_round)
                if _ends_loop(node, trace_round):
                    break
        round_steps = [step for trace_round in rounds for step in trace_round.steps]
        decisive = _decisive(node, outcome, [over, *round_steps])
        return TraceStep(node, outcome, (over,), tuple(rounds), decisive)

    def _rounds(self, node: Macro, target: Node, scope: _Scope, value: Any) -> Iterator[TraceRound]:
        stop = _is_skipped if node.name == "map" else _has_failed
        for place, element, inner in self._elements(node, target, scope, value):
            if self._steps_left <= 0:
                self._steps_left = -1
                return
            steps = self._steps_until(node.args, inner, stop)
            yield TraceRound(node.variables[0], place, element, tuple(steps))

    def _elements(
        self, node: Macro, target: Node, scope: _Scope, value: Any
    ) -> Iterator[tuple[int | str | None, Any, _Scope]]:
        """Index or key, the element, and the scope that binds the macro's variable to it."""
        name = node.variables[0]
        if node.name.startswith("opt"):
            content = _call("value", target)
            outcome = self._outcome(content, scope)
            if not outcome.error:
                yield None, outcome.value, scope.bind(name, content, outcome.value)
            return
        for place, element in enumerate(value if isinstance(value, (dict, list)) else ()):
            if isinstance(value, dict):
                yield element, element, scope.bind(name, _constant(element), element)
            else:
                yield place, element, scope.bind(name, _item(target, place), element)


def _has_failed(step: TraceStep) -> bool:
    return bool(step.outcome.error)


def _is_skipped(step: TraceStep) -> bool:
    """Whether the value of a `map` with a condition is not reached after this step."""
    return _has_failed(step) or step.outcome.value is False


def _stops_at(value: object) -> Callable[[TraceStep], bool]:
    return lambda step: step.outcome.value is value


def _ends_loop(node: Macro, each: TraceRound) -> bool:
    """Whether the loop ends after this round."""
    if node.name in _STOPS:
        return any(step.outcome.value is _STOPS[node.name] for step in each.steps)
    return any(map(_has_failed, each.steps))


def _decisive(node: Node, outcome: Outcome, steps: Sequence[TraceStep]) -> TraceStep | None:
    """The step below that settled the outcome."""
    if outcome.error:
        failed = [*filter(_has_failed, steps)]
        same_error = (step for step in failed if step.outcome.error == outcome.error)
        return next(same_error, failed[0] if failed else None)
    name = node.name if isinstance(node, Macro) else getattr(node, "function", "")
    if name == "_?_:_" or (name in _STOPS and outcome.value is _STOPS[name]):
        return steps[-1] if steps else None
    return None
