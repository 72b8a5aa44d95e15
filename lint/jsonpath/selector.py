"""Conditions in the grammar of label selectors, whose keys are paths: `selector`.

Mirrors `WaitResource` of Argo Workflows (v4.1.2, `workflow/executor/resource.go`): apimachinery
(v0.36.4, `pkg/labels/selector.go`) parses the text, and gjson reads each key as a path. What a
label may be called leaves no more of gjson than keys and indices with dots between them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from celvet.lint.go.floats import without_exponent
from celvet.lint.go.numbers import parse_digits
from celvet.lint.jsonpath.errors import JSONPathError, PathErrorCause
from celvet.lint.jsonpath.eval.template import PathTemplate
from celvet.lint.jsonpath.parse.nodes import ArrayNode, FieldNode, ListNode, PathNode
from celvet.lint.model import Span, Value
from celvet.record import record
from celvet.regex import regex

SELECTOR: Final = "selector"

_TOKEN = regex(r"(?P<blank>[ \t\r\n]+)|(?P<sign>==|!=|[=!(),<>])|(?P<word>[^=!(),<> \t\r\n]+)")
_NAME = regex(r"(?=.{1,63}\Z)[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?")
_DNS_LABEL = r"[a-z0-9](?:[-a-z0-9]*[a-z0-9])?"
_PREFIX = regex(rf"(?=.{{1,253}}\Z){_DNS_LABEL}(?:\.{_DNS_LABEL})*")
_SIGNS = ("=", "==", "!=", ">", "<")
_WORDS = ("in", "notin")
_MOST_DIGITS = 10
_OPERATORS = "in, notin, =, ==, !=, gt, lt"

HINTS: dict[PathErrorCause, str] = {
    "invalid-selector": "separate requirements such as `status.phase == Succeeded` and"
    " `status.phase in (Failed, Error)` by commas",
    "invalid-number": "compare with an integer, or test by `==`",
    "invalid-label": "write keys and indices with dots between them, as in `status.conditions.0`,"
    " and a value without quotes",
}
"""How to correct a condition that is refused, by cause."""


@record
class Requirement:
    """A part between commas: a path, an operator and its values."""

    key: str
    operator: str
    values: tuple[str, ...]
    span: Span

    def matches(self, obj: Value) -> bool:
        """Whether an object fulfils it; one without the path does unless it has to be there."""
        text = _text_at(obj, self.key)
        if self.operator in ("!", "exists"):
            return (text is None) is (self.operator == "!")
        if self.operator in ("!=", "notin"):
            return text is None or text not in self.values
        if self.operator in ("<", ">"):
            number, bound = (parse_digits(word, 10) for word in (text or "", self.values[0]))
            if number is None or bound is None:
                return False
            return number > bound if self.operator == ">" else number < bound
        return text in self.values


@record
class _Token:
    text: str
    span: Span
    is_word: bool = False


def template(text: str, requirements: Sequence[Requirement]) -> PathTemplate:
    """The template of client-go that reads the same fields."""
    return PathTemplate(text, tuple(_nodes(requirement) for requirement in requirements))


def _nodes(requirement: Requirement) -> ListNode:
    nodes: list[PathNode] = []
    start = requirement.span.start
    for name in requirement.key.split("."):
        span = Span(start, start + len(name))
        is_index = name.isdecimal() and len(name) < _MOST_DIGITS
        index = int(name) if is_index else 0
        nodes.append(
            ArrayNode(index, index + 1, 1, True, span) if is_index else FieldNode(name, span)
        )
        start += len(name) + 1
    return ListNode(tuple(nodes), requirement.span)


def requirements(text: str) -> tuple[Requirement, ...]:
    """The requirements of a condition; raises `JSONPathError` as the parser refuses it.

    A text with a template is not read: it is rendered first.
    """
    if "{{" in text:
        span = Span(text.index("{{"), len(text))
        raise JSONPathError("computed", "templates are rendered first", span)
    return tuple(_Parser(text).parse())


class _Parser:
    """Reads the tokens one after the other, as apimachinery's parser does."""

    def __init__(self, text: str) -> None:
        self._tokens = [
            _Token(match[0], Span(*match.span()), is_word=match["word"] is not None)
            for match in _TOKEN.finditer(text)
            if match["blank"] is None
        ]
        self._tokens.append(_Token("", Span(len(text), len(text))))
        self._at = 0

    def parse(self) -> Iterator[Requirement]:
        """Each requirement; a text of blanks has none."""
        while self._next.text:
            yield self._requirement()
            token = self._take()
            if token.text not in ("", ","):
                raise _refused(token, "',' or 'end of string'")
            if token.text and not self._next.is_word and self._next.text != "!":
                raise _refused(self._next, "identifier after ','")

    def _requirement(self) -> Requirement:
        token = self._take()
        if not token.is_word and token.text != "!":
            raise _refused(token, "!, identifier, or 'end of string'")
        operator, token = ("!", self._take()) if token.text == "!" else ("", token)
        if not token.is_word:
            raise _refused(token, "identifier")
        _check_key(token)
        # A key alone, or behind `!`, asks whether it is there.
        if operator or self._next.text in ("", ","):
            return Requirement(token.text, operator or "exists", (), token.span)
        operator = self._operator()
        values = self._values() if operator in _WORDS else [self._value()]
        for value in values:
            _check_value(value, is_number=operator in ("<", ">"))
        words = tuple(value.text for value in values)
        return Requirement(token.text, "=" if operator == "==" else operator, words, token.span)

    @property
    def _next(self) -> _Token:
        return self._tokens[self._at]

    def _take(self) -> _Token:
        token = self._next
        self._at = min(self._at + 1, len(self._tokens) - 1)
        return token

    def _operator(self) -> str:
        token = self._take()
        if token.text in _WORDS or (not token.is_word and token.text in _SIGNS):
            return token.text
        raise _refused(token, _OPERATORS)

    def _value(self) -> _Token:
        """The value behind a sign, which may be empty."""
        if self._next.text in ("", ","):
            return _Token("", self._next.span)
        token = self._take()
        if not token.is_word:
            raise _refused(token, "identifier")
        return token

    def _values(self) -> list[_Token]:
        """The values in brackets; a comma without one beside it, and no value, stand for none."""
        opening = self._take()
        if opening.text != "(":
            raise _refused(opening, "'('")
        values: list[_Token] = []
        before = opening
        while (token := self._take()).text != ")":
            if token.is_word and not before.is_word:
                values.append(token)
            elif token.text == "," and not before.is_word:
                values.append(_Token("", token.span))
            elif token.text != ",":
                raise _refused(token, "',' or ')'" if before.is_word else "',', ')' or identifier")
            before = token
        return values if before.is_word else [*values, _Token("", before.span)]


def _check_key(token: _Token) -> None:
    prefix, slash, name = token.text.rpartition("/")
    if not _NAME.fullmatch(name) or (slash and not _PREFIX.fullmatch(prefix)):
        raise _invalid(token, "key")


def _check_value(token: _Token, *, is_number: bool) -> None:
    if token.text and not _NAME.fullmatch(token.text):
        raise _invalid(token, "value")
    if is_number and parse_digits(token.text, 10) is None:
        wording = "for 'Gt', 'Lt' operators, the value must be an integer"
        raise JSONPathError("invalid-number", wording, token.span)


def _invalid(token: _Token, part: str) -> JSONPathError:
    wording = f"the {part} must consist of letters, digits, '-', '_' and '.', at most 63"
    return JSONPathError("invalid-label", wording, token.span)


def _refused(token: _Token, expected: str) -> JSONPathError:
    wording = f"found '{token.text}', expected: {expected}"
    return JSONPathError("invalid-selector", wording, token.span)


def _text_at(value: Value, key: str) -> str | None:
    """What gjson (v1.18.0) gives as text for a path of names; None if there is nothing."""
    for name in key.split("."):
        if isinstance(value, list):
            is_index = name.isascii() and name.isdecimal() and len(name) < _MOST_DIGITS
            if not is_index or int(name) >= len(value):
                return None
            value = value[int(name)]
        elif isinstance(value, dict) and name in value:
            value = value[name]
        else:
            return None
    if value is None or isinstance(value, str):
        return value or ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return without_exponent(value)
    # An object or a list is its JSON, which no value of a requirement can be.
    return "{}" if isinstance(value, dict | list) else str(value)
