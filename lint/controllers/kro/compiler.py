"""Compiles the expressions of a graph against the types of its variables, and keeps the refusals.

Mirrors `validateAndCompileNode` and `inspectExpressionRestricted` of kro (0302e659,
`pkg/graph/builder.go`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping

from celvet.lint.cel import compile_expression
from celvet.lint.cel.engine.structs import PACKAGE, message_name
from celvet.lint.cel.syntax.tree import Call, Node, names, walk
from celvet.lint.cel.syntax.vocabulary import TYPES
from celvet.lint.controllers.kro.embedded import NestedError, standalone
from celvet.lint.controllers.kro.graph import EACH, GraphRefusal, Term
from celvet.lint.controllers.kro.types import Types
from celvet.lint.model import Path, Span, Value
from celvet.record import replace
from celvet.regex import regex
from celvet.schemas import Dialect

_STANDALONE = "this must be exactly one expression, `${...}`, with nothing around it"
_STRUCT = regex(rf"{re.escape(PACKAGE)}\.\w+")
_MOST_TERMS = 2_000
"""More expressions are not compiled: each takes some milliseconds."""


class GraphTooLargeError(Exception):
    """A graph has too many expressions to be checked."""


class Compiler:
    """Compiles expressions.

    `typed` are the variables whose types rest on the schema of a kind, `unsure` those whose schema
    has a mistake itself.
    """

    def __init__(self, dialect: Dialect) -> None:
        self.types = Types()
        self.variables: dict[str, str] = {}
        self.typed: Collection[str] = ()
        self.unsure: Collection[str] = ()
        self.refusals: list[GraphRefusal] = []
        self._dialect = replace(
            dialect, result="", results=(), dependent=(), object="", wrap="none"
        )
        self._terms = 0

    def refuse(
        self, path: Path, message: str, span: Span | None = None, *, by_schema: bool = False
    ) -> None:
        """Note why kro refuses the graph at a path."""
        self.refusals.append(GraphRefusal(path, message, span, by_schema))

    def standalone(self, text: Value, path: Path, variables: Mapping[str, str]) -> Term | None:
        """The only expression of a text; None with a refusal for any other text."""
        if not isinstance(text, str):
            return None
        span = only_expression(text)
        if span is None:
            self.refuse(path, _STANDALONE)
            return None
        term = self.term(text[span.start : span.end], path, variables, span.start)
        if is_omitting(term):
            self.refuse(path, "`omit()` is only for the fields of a template")
        return term

    def term(
        self,
        text: str,
        path: Path,
        variables: Mapping[str, str],
        offset: int | None,
        place: Callable[[int], int] = lambda index: index,
    ) -> Term:
        """An expression, compiled; without an `offset`, spans are not those of the text.

        `place` gives the place in the text for one in an expression made from it.
        """
        self._terms += 1
        if self._terms > _MOST_TERMS:
            raise GraphTooLargeError
        declarations = {name: self._declared(kind) for name, kind in variables.items()}
        dialect = replace(self._dialect, variables=declarations, structs=self.types.structs)
        program = compile_expression(text, dialect)

        def placed(span: Span) -> Span | None:
            if offset is None:
                return None
            return Span(place(span.start) + offset, place(span.end) + offset)

        # A name such as `int` or `list` is a type of CEL, which kro's search for variables takes
        # for a resource.
        if program.tree and (kind := next(_type_names(program.tree, variables), None)):
            words = f"`{kind[0]}` is taken for a variable, and there is none of this name"
            self.refuse(path, words, placed(kind[1]))
        # The engine speaks of messages where the types of kro are objects of a schema.
        for refusal in program.refusals[:1]:
            reads_kind = any(name == EACH or name in self.typed for name in program.names)
            words = refusal.message.partition(", so ")[0]
            words = _STRUCT.sub("object", words.replace("the message has", "the object has"))
            by_schema = reads_kind and refusal.stage == "check"
            self.refuse(path, words, placed(refusal.span), by_schema=by_schema)
        return Term(path, program, frozenset(program.names), offset=offset or 0)

    def knows(self, term: Term) -> bool:
        """Whether the types of all variables of an expression are known."""
        return all(
            self.variables.get(name, "dyn") not in ("dyn", "list(dyn)") and name not in self.unsure
            for name in term.names
        )

    def worded(self, kind: str) -> str:
        """A type as messages name it, in which each struct of the graph is an `object`."""
        return _STRUCT.sub("object", self._declared(kind))

    def _declared(self, kind: str) -> str:
        """The type as the engine writes it, which has structs in its own package."""
        for opening in ("list(", "map(string, ", "optional_type("):
            if kind.startswith(opening):
                return f"{opening}{self._declared(kind[len(opening) : -1])})"
        return message_name(kind) if kind in self.types.schemas else kind


def _type_names(root: Node, variables: Collection[str]) -> Iterator[tuple[str, Span]]:
    """Names that are variables for kro's inspector, and no variables: types, and what has a dot."""
    for name, ident in names(root):
        is_message = ident.name == "google"
        if ident.name not in variables and (name in TYPES or name != ident.name or is_message):
            yield ident.name, ident.span


def only_expression(text: str) -> Span | None:
    """The expression that is all of the text."""
    try:
        return standalone(text)
    except NestedError:
        return None


def is_omitting(term: Term) -> bool:
    """Whether an expression may leave out its field."""
    tree = term.program.tree
    calls = (node for node in walk(tree) if isinstance(node, Call)) if tree else ()
    return any(call.function == "omit" and call.target is None for call in calls)


def result_of(term: Term) -> str:
    """The type of an expression, with the structs of the graph; empty if it is not known."""
    return term.program.result_type.replace(f"{PACKAGE}.", "")
