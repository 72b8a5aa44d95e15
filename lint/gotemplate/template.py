"""A template: parsed, then executed or analysed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from celvet.lint.gotemplate.analysis import TemplateAnalysis, analyse
from celvet.lint.gotemplate.execution import Executor
from celvet.lint.gotemplate.functions.library import OPERATOR, with_inputs
from celvet.lint.gotemplate.functions.signature import Function
from celvet.lint.gotemplate.limits import TemplateLimits
from celvet.lint.gotemplate.source_map import Rendered
from celvet.lint.gotemplate.syntax.nodes import NodeList
from celvet.lint.gotemplate.syntax.parser import parse_trees
from celvet.lint.gotemplate.values import GoMap
from celvet.record import record

DELIMS = ("<<", ">>")
LIMITS = TemplateLimits()


@record
class GoTemplate:
    """A template that Go accepts.

    Attributes:
        source: its text.
        name: what its errors call it.
        trees: its tree, and that of each `define` and `block`, by name.
        functions: what it may call.
    """

    source: str
    name: str
    trees: Mapping[str, NodeList]
    functions: Mapping[str, Function]

    def execute(self, inputs: dict[str, Any] | None, limits: TemplateLimits = LIMITS) -> Rendered:
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
        given = GoMap({}, is_nil=True) if inputs is None else inputs
        functions = with_inputs(self.functions, given)
        return Executor(self.source, self.name, self.trees, functions, limits).run(None)

    def analyse(self) -> TemplateAnalysis:
        """The inputs that it reads and the functions that it calls, with their places."""
        return analyse(self.trees, self.name)


def parse(
    source: str,
    name: str = "resourceset",
    delims: tuple[str, str] = DELIMS,
    functions: Mapping[str, Function] = OPERATOR,
    limits: TemplateLimits = LIMITS,
) -> GoTemplate:
    """Parse a template.

    Args:
        source: its text.
        name: what its errors call it, and what a `template` inside may call it.
        delims: what begins and ends an action.
        functions: those that it may call; any other name is a syntax error.
        limits: the bounds of its size and of its depth.

    Raises:
        TemplateError: Go would refuse it, or a limit is reached.
    """
    trees = parse_trees(source, name, delims, functions, limits)
    return GoTemplate(source, name, trees, functions)
