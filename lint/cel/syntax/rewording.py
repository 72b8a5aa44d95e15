"""The tree of a text made of that of another one, which differs in names of fields and strings.

That takes a third of the time of parsing it.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter

from celvet.lint.cel.syntax.lexer import Token
from celvet.lint.cel.syntax.literals import value_of
from celvet.lint.cel.syntax.tree import Call, Ident, Literal, Macro, Node, Select, walk
from celvet.lint.model import Span

_REWORDED = (Select, Ident, Literal, Call, Macro)
"""What nearly all expressions are made of; for others it does not pay."""


class Rewording:
    """A tree and its tokens, to be used for other tokens of the same kinds."""

    def __init__(self, root: Node, tokens: Sequence[Token]) -> None:
        starts = {token.start: index for index, token in enumerate(tokens[:-1])}
        ends = {token.end: index for index, token in enumerate(tokens[:-1])}
        nodes = sorted(walk(root), key=attrgetter("id"))  # a node comes after its parts
        self._nodes = [
            (node, starts[node.span.start], ends[node.span.end], starts.get(_at(node).start, 0))
            for node in nodes
        ]
        self.possible = all(isinstance(node, _REWORDED) for node in nodes)

    def tree(self, tokens: Sequence[Token]) -> Node:
        """The tree of a text with these tokens."""
        made: dict[int, Node] = {}
        for node, first, last, named in self._nodes:
            span, token = Span(tokens[first].start, tokens[last].end), tokens[named]
            made[node.id] = _reworded(node, span, token, made)
        return made[node.id]


def _at(node: Node) -> Span:
    """The token that gives a node its name."""
    return node.at if isinstance(node, Select | Call | Macro) else node.span


def _reworded(node: Node, span: Span, token: Token, made: dict[int, Node]) -> Node:
    at = Span(token.start, token.end)
    match node:
        case Select():
            field = token.text if token.kind == "ident" else node.field
            return Select(node.id, span, made[node.operand.id], field, node.optional, at)
        case Ident():
            return Ident(node.id, span, node.name)
        case Literal():
            value = value_of(token)[1] if node.kind == "string" else node.value
            return Literal(node.id, span, node.kind, value)
        case Call() | Macro():
            target = node.target and made[node.target.id]
            args = tuple([made[each.id] for each in node.args])
            if isinstance(node, Call):
                return Call(node.id, span, node.function, target, args, at)
            return Macro(node.id, span, node.name, target, node.variables, args, at)
    raise TypeError(f"not made of {_REWORDED}: {node}")
