"""A template: parsed, then executed or analysed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from celvet.lint.go.numbers import Int
from celvet.lint.go.quoting import quote
from celvet.lint.go.step_meter import LimitError
from celvet.lint.gotemplate.analysis import TemplateAnalysis, analyse
from celvet.lint.gotemplate.errors import ErrorKind, SourceSpan
from celvet.lint.gotemplate.evaluation import TemplateEvaluator
from celvet.lint.gotemplate.formats.printing import show
from celvet.lint.gotemplate.source_map import Rendered, SourcePiece, assemble
from celvet.lint.gotemplate.syntax.nodes import (
    ActionNode,
    BranchNode,
    JumpNode,
    LiteralText,
    NodeList,
    Statement,
    TemplateNode,
)
from celvet.lint.gotemplate.syntax.parser import parse_trees
from celvet.lint.gotemplate.syntax.tokens import NAME
from celvet.lint.gotemplate.template_limits import TemplateLimits
from celvet.lint.gotemplate.template_values import GoMap, Value, item, truth, unbox
from celvet.record import record, replace

_LIMITS = TemplateLimits()


@record
class GoTemplate:
    """A template that Go accepts.

    Attributes:
        source: its text.
        trees: its tree, and that of each `define` and `block`, by name.
    """

    source: str
    trees: Mapping[str, NodeList]

    def execute(self, inputs: dict[str, Any] | None, limits: TemplateLimits = _LIMITS) -> Rendered:
        """Render it, as the operator does: the dot is nil, and `inputs` gives the inputs.

        Args:
            inputs: an input set, as `json.loads` gives it; None for none. As in the operator,
                `set` and `unset` change it in place.
            limits: the bounds.

        Returns:
            The text, and which part of the source each part of it comes from.

        Raises:
            TemplateError: Go would stop with an error, a limit is reached, or something is used
                whose result cannot be known here.
        """
        dot = GoMap({}, is_nil=True) if inputs is None else inputs
        return _Executor(self.source, self.trees, dot, limits).run()

    def analyse(self) -> TemplateAnalysis:
        """The inputs that it reads and the functions that it calls, with their places."""
        return analyse(self.trees)


def parse(source: str, limits: TemplateLimits = _LIMITS) -> GoTemplate:
    """Parse a template of Flux Operator, whose functions are the only ones it may call.

    Args:
        source: its text.
        limits: the bounds of its size and of its depth.

    Raises:
        TemplateError: Go would refuse it, or a limit is reached.
    """
    return GoTemplate(source, parse_trees(source, limits))


class _Executor(TemplateEvaluator):
    """One execution of one template: text, blocks, loops (text/template/exec.go, Go 1.26)."""

    def __init__(
        self, source: str, trees: Mapping[str, NodeList], inputs: Value, limits: TemplateLimits
    ) -> None:
        super().__init__(source, inputs, limits)
        self._trees = trees
        self._pieces: list[SourcePiece] = []

    def run(self) -> Rendered:
        """Execute the template; its dot is nil.

        Raises:
            TemplateError: Go stops with an error, or a limit is reached.
        """
        self.variables = [("$", None)]
        try:
            self._list(None, self._trees[NAME])
        except LimitError as error:
            raise self.error(str(error), ErrorKind.LIMIT) from None
        except RecursionError:
            raise self.error(
                "a value or the template is nested too deeply", ErrorKind.LIMIT
            ) from None
        return replace(assemble(self._pieces), steps=self.meter.steps)

    def _write(self, text: str, source: SourceSpan, action: SourceSpan | None) -> None:
        self.meter.write(len(text))
        self._pieces.append(SourcePiece(text, source, action))

    def _list(self, dot: Value, nodes: NodeList) -> str:
        """Execute statements; returns `break` or `continue` if one of them ends the list."""
        self.enter()
        jump = ""
        for node in nodes.nodes:
            self.meter.spend()
            self.node = node
            jump = self._statement(dot, node)
            if jump:
                break
        self.leave()
        return jump

    def _statement(self, dot: Value, node: Statement) -> str:
        if isinstance(node, LiteralText):
            self._write(node.text, node.span, None)
        elif isinstance(node, ActionNode):
            self._action(dot, node)
        elif isinstance(node, JumpNode):
            return node.keyword
        elif isinstance(node, TemplateNode):
            self._template(dot, node)
        elif node.keyword == "range":
            return self._range(dot, node)
        else:
            return self._branch(dot, node)
        return ""

    def _action(self, dot: Value, node: ActionNode) -> None:
        value = self.pipeline(dot, node.pipe)
        if node.pipe.variables:
            return
        self.node = node
        text = "<no value>" if value is None else show(value, self.meter)
        self._write(text, node.pipe.span, node.action)

    def _branch(self, dot: Value, node: BranchNode) -> str:
        mark = len(self.variables)
        value = self.pipeline(dot, node.pipe)
        jump = ""
        if truth(value):
            jump = self._list(value if node.keyword == "with" else dot, node.body)
        elif node.otherwise is not None:
            jump = self._list(dot, node.otherwise)
        del self.variables[mark:]
        return jump

    def _template(self, dot: Value, node: TemplateNode) -> None:
        tree = self._trees.get(node.name)
        if tree is None:
            self.fail(f"template {quote(node.name)} not defined")
        dot = self.pipeline(dot, node.pipe)
        outer_state = self.variables, self.template, self.node
        self.variables, self.template = [("$", dot)], node.name
        self._list(dot, tree)
        self.variables, self.template, self.node = outer_state

    def _range(self, dot: Value, node: BranchNode) -> str:
        variable_count = len(self.variables)
        value = self.pipeline(dot, node.pipe)
        mark = len(self.variables)
        empty = True
        for index, element in self._elements(value, node):
            # the variables of the pipeline stay declared for all rounds, those of a round do not
            empty = False
            self.meter.spend()
            self._bind(node, index, element)
            jump = self._list(element, node.body)
            del self.variables[mark:]
            if jump == "break":
                break
        jump = ""
        if empty and node.otherwise is not None:
            jump = self._list(dot, node.otherwise)
        del self.variables[variable_count:]
        # Go's `walkRange` also recovers from a `break` in its `else`, but not from a `continue`.
        return "" if jump == "break" else jump

    def _elements(self, value: Value, node: BranchNode) -> Iterable[tuple[Value, Value]]:
        if value is None:
            return []
        if isinstance(value, dict | list):
            self.meter.items(len(value))
        if isinstance(value, dict):
            # Go visits the keys of a map in order (`fmtsort`).
            return [(key, item(value, value[key])) for key in sorted(value)]
        if isinstance(value, list):
            return [(Int(index), item(value, entry)) for index, entry in enumerate(value)]
        if isinstance(value, int) and not isinstance(value, bool):
            # Since Go 1.24 a range takes a number, but gives no index beside it.
            if len(node.pipe.variables) > 1:
                self.fail(f"can't use {int(value)} to iterate over more than one variable")
            if value > self.meter.limits.items:
                raise LimitError(f"a range has more than {self.meter.limits.items} rounds")
            return ((None, type(value)(index)) for index in range(value))
        return self.fail(f"range can't iterate over {show(unbox(value), self.meter)}")

    def _bind(self, node: BranchNode, index: Value, element: Value) -> None:
        names = [variable.name for variable in node.pipe.variables]
        if not names:
            return
        values = [element] if len(names) == 1 else [index, element]
        if node.pipe.assigns:
            for name, value in zip(names, values, strict=True):
                self.assign(name, value)
        else:
            self.variables[-len(names) :] = zip(names, values, strict=True)
