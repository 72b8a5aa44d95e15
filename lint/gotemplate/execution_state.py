"""The state of an execution (`state` in text/template/exec.go, Go 1.26)."""

from __future__ import annotations

from typing import NoReturn

from celvet.lint.go.quoting import quote, to_bytes
from celvet.lint.gotemplate.errors import ErrorKind, LimitError, SourceSpan, TemplateError
from celvet.lint.gotemplate.limits import Meter, TemplateLimits
from celvet.lint.gotemplate.syntax.nodes import ParseNode
from celvet.lint.gotemplate.values import Value


class ExecutionState:
    """The variables, the depth, and the node that errors name."""

    def __init__(self, source: str, name: str, limits: TemplateLimits) -> None:
        self.source = source
        self.name = name
        self.template = name
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
        place = f"template: {self.name}:{line}:{column}"
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
        for known, value in reversed(self.variables):
            if known == name:
                return value
        return self.fail(f"undefined variable: {name}")
