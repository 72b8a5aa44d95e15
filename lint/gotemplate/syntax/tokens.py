"""Tokens of a template, as text/template/parse/lex.go (Go 1.26) cuts them."""

from __future__ import annotations

from enum import Enum, auto
from typing import NamedTuple

from celvet.lint.go.quoting import quote, to_bytes

NAME = "resourceset"
"""The name that the operator gives each template."""

LEFT, RIGHT = "<<", ">>"
"""The delimiters of an action."""


class TemplateToken(Enum):
    """What a token is."""

    ERROR = auto()
    BOOL = auto()
    CHAR = auto()
    CHAR_CONSTANT = auto()
    COMPLEX = auto()
    ASSIGN = auto()
    DECLARE = auto()
    EOF = auto()
    FIELD = auto()
    IDENTIFIER = auto()
    LEFT_DELIM = auto()
    LEFT_PAREN = auto()
    NUMBER = auto()
    PIPE = auto()
    RAW_STRING = auto()
    RIGHT_DELIM = auto()
    RIGHT_PAREN = auto()
    SPACE = auto()
    STRING = auto()
    TEXT = auto()
    VARIABLE = auto()
    BLOCK = "block"
    BREAK = "break"
    CONTINUE = "continue"
    DOT = "."
    DEFINE = "define"
    ELSE = "else"
    END = "end"
    IF = "if"
    NIL = "nil"
    RANGE = "range"
    TEMPLATE = "template"
    WITH = "with"


KEYWORDS = {token.value: token for token in TemplateToken if isinstance(token.value, str)}


class Lexeme(NamedTuple):
    """A token: its kind, its text (of an error, the message), where it is, and its line."""

    kind: TemplateToken
    text: str
    start: int
    end: int
    line: int

    def __str__(self) -> str:
        """As Go shows a token in ``unexpected ...``."""
        if self.kind is TemplateToken.EOF:
            return "EOF"
        if self.kind is TemplateToken.ERROR:
            return self.text
        if isinstance(self.kind.value, str):
            return f"<{self.text}>"
        if len(to_bytes(self.text)) > 10:
            return quote(self.text[:10]) + "..."
        return quote(self.text)
