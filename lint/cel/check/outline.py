"""The outline of an expression: the part that the controller's checks depend on.

    status.phase == 'Ready'    status.state == 'Valid'

Field names and the constants of comparisons do not matter to a parser, to a type checker without
known fields, to the plan of a program, or to the cost of an evaluation. So two texts of the same
outline have the same tree, except for these words; replacing the words takes a third of the time of
parsing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from operator import attrgetter

from celvet.lint.cel.cost.size import TELLING_FIELDS
from celvet.lint.cel.syntax.lexer import SKIP, Token
from celvet.lint.cel.syntax.literals import value_of
from celvet.lint.cel.syntax.tree import Call, Ident, Literal, Macro, Node, Select, walk
from celvet.lint.cel.syntax.vocabulary import MESSAGES, functions
from celvet.lint.model import Span
from celvet.regex import regex

_MOST = 2_000
"""Characters of the longest text that has an outline."""

_LISTS = frozenset({"conditions"})
"""Fields that rules assume to be lists."""

_PACKAGES = "|".join(sorted({name.partition(".")[0] for name in MESSAGES}))
_OTHER = regex(rf"""[^\t\n\f\r -~]|[\\`]|'{{3}}|"{{3}}|\b(?:{_PACKAGES})\b""")
"""A text that contains one of these has no outline: an escape, a message with typed fields."""

_PART = regex(
    rf"""
    (?P<field>\.(?<=[\w)\]]\.)(?!(?:in|true|false|null)\b)[A-Za-z_]\w*+)(?!{SKIP}*+[({{])
  | (?P<compared>[=!]=){SKIP}*+(?P<string>"[^"\n\r]*"|'[^'\n\r]*')
        (?={SKIP}*+(?:&&|\|\||[?:,)\]}}]|\Z))
  | "[^"\n\r]*" | '[^'\n\r]*'
  | (?P<skip>{SKIP}++)
    """,
    re.VERBOSE | re.ASCII,
)
"""A field that is read, a comparison with a string, any other string, white space and comments."""


def outline(text: str, libraries: tuple[str, ...]) -> str:
    """The text without field names and without the characters of compared constants.

    If the controller accepts one text of an outline, it accepts all.
    """
    if len(text) > _MOST or _OTHER.search(text):
        return f"\0{text}"
    telling = _telling(libraries)

    def outlined(part: re.Match[str]) -> str:
        field, compared, string, skip = part.groups()
        if field:
            return field if field[1:] in telling else ".\0"
        if compared:
            return f"{compared}\0{len(string)}"
        return " " if skip else part[0]

    return _PART.sub(outlined, text)


@lru_cache(maxsize=64)
def _telling(libraries: tuple[str, ...]) -> frozenset[str]:
    """The field names that do matter: to rules, for sizes, or as part of a function's name."""
    spaces = (name.split(".")[:-1] for name in functions(libraries))
    return (TELLING_FIELDS | _LISTS).union(*spaces)


_REWORDED = (Select, Ident, Literal, Call, Macro)
"""The nodes of nearly all expressions; the shortcut does not pay for others."""


class Rewording:
    """A tree and its tokens, as a pattern for other tokens of the same kinds."""

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
