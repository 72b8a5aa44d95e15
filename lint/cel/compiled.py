"""A compiled expression, and the questions that it answers.

The engine takes longer to load than the rest of celvet, so it is loaded with the first expression.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from celvet.lint.cel.check.free_variables import variables
from celvet.lint.cel.check.unknown_functions import UnknownCall, unknown_calls
from celvet.lint.cel.engine.activation import VariableValues
from celvet.lint.cel.engine.outcome import BEYOND, Outcome, not_evaluated
from celvet.lint.cel.eval.excess import Excess, excess
from celvet.lint.cel.syntax.dotted_names import bind_dotted_names
from celvet.lint.cel.syntax.lexer import Unparsable
from celvet.lint.cel.syntax.parser import parse
from celvet.lint.cel.syntax.refusal import Refusal
from celvet.lint.cel.syntax.tree import Ident, Node, walk
from celvet.record import field, record
from celvet.schemas.cel_go import has
from celvet.schemas.dialect import Dialect

if TYPE_CHECKING:
    from celvet.lint.cel.trace.trace import Trace

AnswerT = TypeVar("AnswerT")


@record(slots=False)
class Compiled:
    """A compiled expression.

    `refusals` is empty if the controller accepts the text. `analysed` is False if the engine cannot
    answer: it has a `limit` that the controller does not have, or it lacks the function
    `unevaluated`. Then there are no types, values or errors. `parsed` is the tree if the text has
    been parsed; `result_type` is empty if the dialect has no type check. `first` is another,
    accepted text of the same outline, which answers questions about the outline. `content` gives
    the value in the optional that this one gives, for a controller that takes it.
    """

    text: str
    dialect: Dialect
    refusals: tuple[Refusal, ...] = ()
    analysed: bool = True
    parsed: Node | None = None
    result_type: str = ""
    unevaluated: str = ""
    limit: str = ""
    first: Compiled | None = field(default=None, compare=False, repr=False)
    content: Compiled | None = field(default=None, compare=False, repr=False)
    _answers: dict[object, Any] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def tree(self) -> Node | None:
        """The source tree, None if the text does not parse; made on first use."""
        return source_tree(readable(self.text), self.dialect) if self.first else self.parsed

    def of_outline(self, question: Callable[[Compiled], AnswerT]) -> AnswerT:
        """The answer to a question about the outline, computed once, for its first text."""
        return (self.first or self).answer(question)

    def answer(self, question: Callable[[Compiled], AnswerT]) -> AnswerT:
        """The answer to a question about the expression, computed once for each text."""
        if question not in self._answers:
            self._answers[question] = question(self)
        answer: AnswerT = self._answers[question]
        return answer

    def evaluate(self, variables: VariableValues) -> Outcome:
        """The value on these variables, or the error; never raises, within a time limit.

        Several expressions share what an `Activation` has measured.
        """
        if self.refusals:
            return Outcome(error=self.refusals[0].message)
        if self.unevaluated:
            return not_evaluated(f"celvet does not evaluate `{self.unevaluated}`")
        if self.tree is None or not self.analysed:
            return not_evaluated(self.limit) if self.limit else BEYOND
        if self.content:
            return self.content.evaluate(variables)
        from celvet.lint.cel.eval.evaluation import evaluate  # the engine

        return evaluate(self.tree, self.dialect, variables)

    def trace(self, variables: VariableValues) -> Trace:
        """An evaluation on these variables, step by step; raises `ValueError` without a tree."""
        from celvet.lint.cel.trace.trace import Trace, TraceStep  # few reports need it
        from celvet.lint.cel.trace.tracer import trace

        if self.tree is None:
            raise ValueError("the text is not an expression")
        if self.refusals or not self.analysed:
            return Trace(self.text, TraceStep(self.tree, self.evaluate(variables)), complete=False)
        return trace(self.text, self.tree, self.dialect, variables)

    @property
    def unknown_calls(self) -> tuple[UnknownCall, ...]:
        """The calls of functions that the controller lacks, in source order.

        A dialect that is type-checked has none: they are among the refusals there.
        """
        return self.of_outline(_unknown_calls) and self.answer(_unknown_calls)

    @cached_property
    def variables(self) -> tuple[tuple[str, Ident], ...]:
        """The variables that the controller looks up, each with its node, in source order."""
        names = self.of_outline(_names_by_node)
        if not names or self.tree is None:
            return ()
        idents = (node for node in walk(self.tree) if isinstance(node, Ident))
        return tuple((names[ident.id], ident) for ident in idents if ident.id in names)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of these variables."""
        return tuple(self.of_outline(_names_by_node).values())

    @property
    def excess(self) -> Excess | None:
        """What makes an evaluation hopeless; None if nothing does, or it never happens."""
        return self.of_outline(_excess) and self.answer(_excess)


def readable(text: str) -> str:
    """The text without lone surrogates, which JSON allows."""
    return text.encode("utf-8", "replace").decode()


def source_tree(text: str, dialect: Dialect) -> Node | None:
    """The tree of a text; None if it does not parse."""
    try:
        root = parse(text)
    except Unparsable:
        return None
    return bind_dotted_names(root, outer=has(dialect.cel_go, "outer-name"))


def _unknown_calls(compiled: Compiled) -> tuple[UnknownCall, ...]:
    if compiled.dialect.checked or compiled.tree is None:
        return ()
    return unknown_calls(compiled.tree, compiled.dialect.libraries)


def _names_by_node(compiled: Compiled) -> Mapping[int, str]:
    """The names of the variables, by the numbers of their nodes."""
    if compiled.tree is None:
        return {}
    names = variables(compiled.tree, compiled.dialect.libraries)
    return {ident.id: name for name, ident in names}


def _excess(compiled: Compiled) -> Excess | None:
    if compiled.refusals or compiled.tree is None:
        return None
    return excess(compiled.tree, compiled.dialect.libraries)
