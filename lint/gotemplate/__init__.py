r"""Go templates, as Flux Operator reads them in a ResourceSet.

    template = parse("name: << inputs.tenant | slugify >>")
    rendered = template.execute({"tenant": "Team 1"})
    rendered.text               # "name: team-1"
    rendered.source_offset(7)   # 6: the action that wrote the `e`

- `parse` gives a `GoTemplate`, or raises a `TemplateError`, worded as Go words it, with the line,
  the column and the span of what is wrong.
- `GoTemplate.execute` gives a `Rendered`: the text, and for each stretch of it the stretch of the
  template that wrote it, literally or by an action. All positions are code points.
- `GoTemplate.analyse` tells which paths of `inputs` it reads and which functions it calls.
- `complete` tells what may be written at a place of a template, which need not be complete.
- `TemplateLimits` bound what one execution may do.

The values are those of `json.loads`: `int` stands for int64, `float` for float64.

Mirrored are text/template of Go 1.26, with the option missingkey=error, slim-sprig v3.0.0
(`HermeticTxtFuncMap`), gosimple/slug v1.15.0 and sigs.k8s.io/yaml v1.6.0, put together as in
internal/builder/resourceset.go of Flux Operator v0.58.

Where it cannot agree with Go:

- What depends on the clock, on chance or on dates (`ago`, `randInt`, `toDate` and the like), and
  the verbs `%p`, and `%b`, `%x` and `%#` of floats, are errors of the kind `UNSUPPORTED`. So are
  scripts in a regular expression (`\p{Greek}`), characters other than Latin ones in `slugify`, and
  U+0085 in `toYaml`.
- `keys` and `values` are sorted; Go gives them in random order.
- `slice` beyond the end of a list is an error; Go gives nils up to the capacity of the list.
- Where an address in a URL is no IPv6 address, Go says in more detail why.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from celvet.lint.gotemplate.analysis import ITEM, FunctionCall, Read, TemplateAnalysis, analyse
from celvet.lint.gotemplate.completion import Completion, complete
from celvet.lint.gotemplate.errors import ErrorKind, SourceSpan, TemplateError
from celvet.lint.gotemplate.execution import Executor
from celvet.lint.gotemplate.functions import BUILTINS, OPERATOR, Function, with_inputs
from celvet.lint.gotemplate.limits import TemplateLimits
from celvet.lint.gotemplate.source_map import Rendered, Segment
from celvet.lint.gotemplate.syntax.nodes import NodeList
from celvet.lint.gotemplate.syntax.parser import parse_trees
from celvet.lint.gotemplate.values import GoMap
from celvet.record import record

__all__ = [
    "BUILTINS",
    "ITEM",
    "OPERATOR",
    "Completion",
    "ErrorKind",
    "Function",
    "FunctionCall",
    "GoTemplate",
    "Read",
    "Rendered",
    "Segment",
    "SourceSpan",
    "TemplateAnalysis",
    "TemplateError",
    "TemplateLimits",
    "complete",
    "parse",
]

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
        """Which paths of the inputs it reads and which functions it calls, and where."""
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
        functions: what it may call; another name is a syntax error.
        limits: the bounds of its size and of its depth.

    Raises:
        TemplateError: Go would refuse it, or a limit is reached.
    """
    trees = parse_trees(source, name, delims, functions, limits)
    return GoTemplate(source, name, trees, functions)
