"""Evaluates pipelines (text/template/exec.go, Go 1.26), with the option missingkey=error."""

from __future__ import annotations

from typing import NoReturn

from celvet.lint.go.numbers import Int
from celvet.lint.go.quoting import quote, to_bytes
from celvet.lint.go.step_meter import LimitError, UnsupportedError
from celvet.lint.gotemplate.errors import CallError, ErrorKind, SourceSpan, TemplateError
from celvet.lint.gotemplate.functions.library import OPERATOR
from celvet.lint.gotemplate.functions.signature import REFLECT, Function, function
from celvet.lint.gotemplate.functions.standard import callee_name
from celvet.lint.gotemplate.syntax.nodes import (
    BoolConstant,
    ChainNode,
    CommandNode,
    DotNode,
    FieldAccess,
    FunctionNode,
    NilNode,
    NumberNode,
    OperandNode,
    ParseNode,
    PipeNode,
    StringNode,
    VariableNode,
    Word,
)
from celvet.lint.gotemplate.syntax.tokens import NAME
from celvet.lint.gotemplate.template_limits import Meter, TemplateLimits
from celvet.lint.gotemplate.template_values import (
    ANY,
    Boxed,
    GoMap,
    Value,
    item,
    truth,
    type_name,
    unbox,
)

MISSING = object()
"""No value comes down the pipeline."""

_NILLABLE = ("", ANY, REFLECT)
_CONSTANTS = {
    "bool": ("bool", BoolConstant),
    "string": ("string", StringNode),
    "int": ("integer", NumberNode),
    "float64": ("float", NumberNode),
}


class _ExecutionState:
    """The variables, the depth, and the node that errors name."""

    def __init__(self, source: str, limits: TemplateLimits) -> None:
        self.source = source
        self.template = NAME
        self.meter = Meter(limits)
        self.node: ParseNode | None = None
        self.variables: list[tuple[str, Value]] = []
        self._depth = 0

    def fail(
        self, reason: str, kind: ErrorKind = ErrorKind.EXECUTION, span: SourceSpan | None = None
    ) -> NoReturn:
        """Stop with Go's error at the current node, or at `span`."""
        raise self.error(reason, kind, span)

    def error(
        self, reason: str, kind: ErrorKind = ErrorKind.EXECUTION, span: SourceSpan | None = None
    ) -> TemplateError:
        """Go's error at the current node; `span` is more exact than what Go names."""
        node = self.node or ParseNode(0, 0)
        begin = self.source.rfind("\n", 0, node.start) + 1
        line = self.source.count("\n", 0, node.start) + 1
        column = len(to_bytes(self.source[begin : node.start]))
        place = f"template: {NAME}:{line}:{column}"
        message = f"{place}: executing {quote(self.template)} at <{node}>: {reason}"
        error = TemplateError(message, reason, kind, self.source, span or node.span)
        error.steps = self.meter.steps
        return error

    def enter(self) -> None:
        """Go one level deeper, in blocks, parentheses or templates."""
        self._depth += 1
        limit = self.meter.limits.depth
        if self._depth > limit:
            raise LimitError(f"the template runs more than {limit} levels deep")

    def leave(self) -> None:
        """Come back from a level."""
        self._depth -= 1

    def assign(self, name: str, value: Value) -> None:
        """Change the innermost variable of this name."""
        for index in range(len(self.variables) - 1, -1, -1):
            if self.variables[index][0] == name:
                self.variables[index] = name, value
                return
        self.fail(f"undefined variable: {name}")

    def variable(self, name: str) -> Value:
        """The value of the innermost variable of this name."""
        for variable, value in reversed(self.variables):
            if variable == name:
                return value
        return self.fail(f"undefined variable: {name}")


class TemplateEvaluator(_ExecutionState):
    """Evaluates the pipelines of an execution."""

    def __init__(self, source: str, inputs: Value, limits: TemplateLimits) -> None:
        super().__init__(source, limits)
        self._functions = {**OPERATOR, "inputs": function("-> any", lambda: inputs)}

    def pipeline(self, dot: Value, pipe: PipeNode | None) -> Value:
        """The value of a pipeline, out of its interface. Its variables stay declared."""
        if pipe is None:
            return None
        self.node = pipe
        self.enter()
        value: Value = MISSING
        for command in pipe.commands:
            self.meter.spend()
            # The value of a command is the last argument of the next one.
            value = unbox(self._command(dot, command, value))
        for variable in pipe.variables:
            if pipe.assigns:
                self.assign(variable.name, value)
            else:
                self.variables.append((variable.name, value))
        self.leave()
        return value

    def _command(self, dot: Value, command: CommandNode, final: Value) -> Value:
        operand = command.args[0]
        if isinstance(operand, FunctionNode):
            return self._function(dot, operand, command, command.args[1:], final)
        has_arguments = len(command.args) > 1 or final is not MISSING
        if isinstance(operand, FieldAccess | ChainNode | VariableNode):
            return self._path(dot, operand, has_arguments)
        if isinstance(operand, PipeNode):
            self._no_arguments(operand, has_arguments)
            return self.pipeline(dot, operand)
        self.node = operand
        self._no_arguments(operand, has_arguments)
        if isinstance(operand, NilNode):
            self.fail("nil is not a command")
        return self._literal(dot, operand)

    def _no_arguments(self, node: OperandNode, given: bool) -> None:
        if given:
            self.fail(f"can't give argument to non-function {node}")

    def _literal(self, dot: Value, node: OperandNode) -> Value:
        self.node = node
        if isinstance(node, DotNode):
            return dot
        if isinstance(node, BoolConstant):
            return node.text == "true"
        if isinstance(node, StringNode):
            return node.value
        if isinstance(node, NumberNode):
            value = node.number.ideal()
            if value is None:
                self.fail(f"{node} overflows int")
            return value
        return self.fail(f"can't handle assignment of {node} to empty interface argument")

    # Fields

    def _path(self, dot: Value, node: FieldAccess | ChainNode | VariableNode, given: bool) -> Value:
        self.node = node
        value = dot
        if isinstance(node, ChainNode):
            value = self._argument(dot, "", node.base)
        elif isinstance(node, VariableNode):
            value = self.variable(node.name)
            if not node.names:
                self._no_arguments(node, given)
                return value
        begin = node.base.start if isinstance(node, ChainNode) else node.start
        span = SourceSpan(begin, node.end)
        for name in node.names[:-1]:
            value = self._field(value, name, given=False, span=span)
        return self._field(value, node.names[-1], given=given, span=span)

    def _field(self, receiver: Value, name: str, *, given: bool, span: SourceSpan) -> Value:
        self.meter.spend()
        if receiver is None:
            self.fail(f"nil data; no entry for key {quote(name)}", span=span)
        value = unbox(receiver)
        if value is None:
            self.fail(f"nil pointer evaluating {ANY}.{name}", span=span)
        if not isinstance(value, dict):
            self.fail(f"can't evaluate field {name} in type {type_name(receiver)}", span=span)
        if given:
            self.fail(f"{name} is not a method but has arguments", span=span)
        if name not in value:
            self.fail(f"map has no entry for key {quote(name)}", span=span)
        return item(value, value[name])

    # Functions

    def _function(
        self, dot: Value, node: FunctionNode, at: ParseNode, args: list[OperandNode], final: Value
    ) -> Value:
        self.node = node
        function = self._functions[node.text]
        self._check_count(node.text, function, args, final)
        if function.special in ("and", "or"):
            return self._short_circuit(dot, function, args, final)
        values = self._arguments(dot, function, args, final)
        # A function pays for the texts it reads before it runs, so a hostile template is stopped in
        # time.
        texts = sum(len(value) for value in values if isinstance(value, str))
        self.meter.spend(texts // function.pace)
        if function.metered:
            values.insert(0, self.meter)
        if function.special == "call":
            values.insert(0, str(args[0]) if args else callee_name(final))
        try:
            result = function.call(*values)
        except CallError as error:
            self.node = at
            self.fail(f"error calling {node.text}: {error}")
        except UnsupportedError as error:
            self.node = at
            self.fail(f"`{node.text}` has no answer here: {error}", ErrorKind.UNSUPPORTED)
        if isinstance(result, str):
            self.meter.text(len(result))
        elif isinstance(result, list):
            self.meter.items(len(result))
        # Go keeps an `any` in its interface: only there does a nil have no type, which `eq` and
        # fields notice.
        return Boxed(result) if function.result == ANY else result

    def _check_count(
        self, name: str, function: Function, args: list[OperandNode], final: Value
    ) -> None:
        count = len(args) + (final is not MISSING)
        param_count = len(function.params)
        if function.variadic and count < param_count - 1:
            reason = f"want at least {param_count - 1} got {len(args)}"
            self.fail(f"wrong number of args for {name}: {reason}")
        if not function.variadic and count != param_count:
            self.fail(f"wrong number of args for {name}: want {param_count} got {count}")

    def _short_circuit(
        self, dot: Value, function: Function, args: list[OperandNode], final: Value
    ) -> Value:
        value: Value = None
        for arg in args:
            self.meter.spend()
            value = self._argument(dot, REFLECT, arg)
            if truth(value) == (function.special == "or"):
                return value
        return value if final is MISSING else final

    def _arguments(
        self, dot: Value, function: Function, args: list[OperandNode], final: Value
    ) -> list[Value]:
        params = function.params
        self.meter.spend(len(args))
        values = [
            self._argument(dot, params[min(index, len(params) - 1)], arg)
            for index, arg in enumerate(args)
        ]
        if final is not MISSING:
            values.append(self._validate(final, params[min(len(values), len(params) - 1)]))
        return [
            value if params[min(index, len(params) - 1)] == REFLECT else unbox(value)
            for index, value in enumerate(values)
        ]

    def _argument(self, dot: Value, wanted: str, node: OperandNode) -> Value:
        """The value of an argument for a parameter of type `wanted`; "" takes any type."""
        self.node = node
        if isinstance(node, DotNode):
            return self._validate(dot, wanted)
        if isinstance(node, NilNode):
            if wanted in _NILLABLE or wanted.startswith("map["):
                return _zero(wanted)
            self.fail(f"cannot assign nil to {wanted}")
        if isinstance(node, FieldAccess | ChainNode | VariableNode):
            return self._validate(self._path(dot, node, given=False), wanted)
        if isinstance(node, PipeNode):
            return self._validate(self.pipeline(dot, node), wanted)
        if isinstance(node, FunctionNode):
            return self._validate(self._function(dot, node, node, [], MISSING), wanted)
        return self._constant(dot, node, wanted)

    def _constant(self, dot: Value, node: Word | StringNode | NumberNode, wanted: str) -> Value:
        self.node = node
        if wanted in (ANY, REFLECT):
            return self._literal(dot, node)
        if wanted not in _CONSTANTS:
            self.fail(f"can't handle {node} for arg of type {wanted}")
        name, node_type = _CONSTANTS[wanted]
        if isinstance(node, node_type):
            if not isinstance(node, NumberNode):
                return self._literal(dot, node)
            number = node.number.signed if wanted == "int" else node.number.real
            if number is not None:
                return Int(number) if wanted == "int" else number
        return self.fail(f"expected {name}; found {node}")

    def _validate(self, value: Value, wanted: str) -> Value:
        if value is None:
            if wanted in _NILLABLE or wanted.startswith("map["):
                return _zero(wanted)
            self.fail(f"invalid value; expected {wanted}")
        if wanted in _NILLABLE:
            return value
        inner = unbox(value)
        actual_type = ANY if inner is None else type_name(inner)
        if actual_type != wanted:
            self.fail(f"wrong type for value; expected {wanted}; got {actual_type}")
        return inner


def _zero(wanted: str) -> Value:
    return GoMap({}, wanted, is_nil=True) if wanted.startswith("map[") else None
