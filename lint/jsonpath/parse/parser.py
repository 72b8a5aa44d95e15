"""Parses a text into nodes: accepts and refuses what client-go's parser does.

Written after the behaviour of `k8s.io/client-go/util/jsonpath/parser.go`
(v0.36.4), quirks included. Keys in brackets, branches of a union and the sides
of a filter are put between braces and parsed again, so a brace inside them ends
them early: what follows must parse, and is dropped.
"""

from __future__ import annotations

import re

from celvet.lint.go.numbers import parse_digits, parse_float
from celvet.lint.go.quoting import is_digit, is_letter, unicode_name
from celvet.lint.jsonpath.errors import JSONPathError, PathErrorCause
from celvet.lint.jsonpath.parse.nodes import (
    ArrayNode,
    BoolNode,
    FieldNode,
    FilterNode,
    FloatNode,
    IdentifierNode,
    IntNode,
    ListNode,
    PathNode,
    RecursiveNode,
    TextNode,
    UnionNode,
    WildcardNode,
)
from celvet.lint.jsonpath.parse.offsets import Offsets
from celvet.lint.model import Span
from celvet.regex import regex

_NAME = regex(r"(?:\\.?|[^\\ \t\r\n.,\[\]$@{}])*", re.DOTALL)
"""A key after a dot; a backslash includes the next character."""
_WORD = regex(r"[^ \t\r\n.,\[\]$@{}]*")
_NUMBER = regex(r"[+-]?[.\d]*")
_SLICE = regex(r"(-?[0-9]*)(:-?[0-9]*)?(:-?[0-9]*)?")
_COMPARISON = regex(r"([^!<>=]+)([!<>=]+)(.+)")
"""The inside of a comparing filter; the first run of `!<>=` splits it, quoted or not."""

_ESCAPE = regex(
    r"""\\(?:(?P<plain>[abfnrtv\\'"])|x(?P<byte>[0-9a-fA-F]{2})|(?P<octal>[0-7]{3})"""
    r"""|u(?P<short>[0-9a-fA-F]{4})|U(?P<long>[0-9a-fA-F]{8}))"""
)
_PLAIN = dict(zip("abfnrtv\\", "\a\b\f\n\r\t\v\\", strict=True))
_MAX_LENGTH = 65_536
_LONE_SURROGATE = regex(r"[\ud800-\udfff]")


def _is_word_character(char: str) -> bool:
    """A letter, a digit or an underscore; false for no character."""
    return bool(char) and (char == "_" or is_letter(char) or is_digit(char))


def _line_end(text: str, start: int) -> int:
    """The end of the line, at which every bracket, quote and filter must be closed."""
    newline = text.find("\n", start)
    return newline if newline >= 0 else len(text)


def _quote_end(text: str, start: int, line: int) -> int:
    """The end of the quote that opens at `start`: the first quote without a backslash before it."""
    quote = text[start]
    end = text.find(quote, start + 1, line)
    while end >= 0 and text[end - 1] == "\\":
        end = text.find(quote, end + 1, line)
    return end


def _filter_end(text: str, start: int, line: int) -> int:
    """The closing parenthesis of a filter whose condition begins at `start`.

    Only one pair of quotes is known: parentheses inside it do not count, and
    an escaped quote may open it but not close it.
    """
    quote = ""
    is_closed = False
    for index in range(start, line):
        char = text[index]
        if char == ")" and bool(quote) == is_closed:
            return index
        if char not in "\"'":
            continue
        if not quote:
            quote = char
        elif char == quote and text[index - 1] != "\\":
            is_closed = True
    return -1


def unquote(text: str) -> str | None:
    r"""The text between its quotes with escapes resolved; None for a wrong escape.

    Mirrors `UnquoteExtend` of client-go. Bytes that are not UTF-8 (`\xff`) become the lone
    surrogates of Python's `surrogateescape`.
    """
    quote, content = text[0], text[1:-1]
    if "\\" not in content:
        return None if quote in content else content
    out = bytearray()
    index = 0
    while index < len(content):
        piece = _character(content, index, quote)
        if piece is None:
            return None
        value, length = piece
        out += value
        index += length
    return out.decode("utf-8", "surrogateescape")


def _character(text: str, index: int, quote: str) -> tuple[bytes, int] | None:
    """The bytes that the next character or escape stands for, and its length."""
    char = text[index]
    if char == quote:
        return None
    if char != "\\":
        return char.encode(), 1
    match = _ESCAPE.match(text, index)
    if match is None:
        return None
    value = _unescape(match, quote)
    return None if value is None else (value, match.end() - index)


def _unescape(match: re.Match[str], quote: str) -> bytes | None:
    if plain := match["plain"]:
        char = _PLAIN.get(plain) or (quote if plain == quote else None)
        return None if char is None else char.encode()
    if match["byte"] or match["octal"]:
        number = int(match["byte"], 16) if match["byte"] else int(match["octal"], 8)
        return bytes([number]) if number < 256 else None
    return _code_point(int(match["short"] or match["long"], 16))


def _code_point(number: int) -> bytes | None:
    valid = number <= 0x10FFFF and not 0xD800 <= number <= 0xDFFF
    return chr(number).encode() if valid else None


def parse_groups(text: str) -> tuple[TextNode | ListNode, ...]:
    """The texts outside braces and the `{}` groups; raises `JSONPathError`.

    A text of more than 65,536 code points, which client-go would accept, is not analysed.
    """
    if len(text) > _MAX_LENGTH:
        wording = f"longer than {_MAX_LENGTH} characters"
        raise JSONPathError("too-large", wording, Span(0, len(text)))
    clean = _LONE_SURROGATE.sub("\ufffd", text)
    return _PathParser(clean, Offsets(0, 0, len(clean))).groups()


class _PathParser:
    """One pass over one text, which may be a part of another.

    Parts do not nest deep: a bracket ends at the first `]`, and each filter
    within a filter needs a kind of quote of its own.
    """

    __slots__ = ("_offsets", "_pos", "_text")

    def __init__(self, text: str, offsets: Offsets) -> None:
        self._text = text
        self._offsets = offsets
        self._pos = 0

    def groups(self) -> tuple[TextNode | ListNode, ...]:
        groups: list[TextNode | ListNode] = []
        while self._pos < len(self._text):
            groups.append(
                self._group() if self._text[self._pos] == "{" else self._text_before_group()
            )
        return tuple(groups)

    def _text_before_group(self) -> TextNode:
        start = self._pos
        brace = self._text.find("{", start)
        self._pos = brace if brace >= 0 else len(self._text)
        return TextNode(self._text[start : self._pos], self._span(start))

    def _group(self) -> ListNode:
        start = self._pos
        self._pos += 1
        nodes: list[PathNode] = []
        while not self._text.startswith("}", self._pos):
            nodes.extend(self._steps(start, nodes))
        self._pos += 1
        return ListNode(tuple(nodes), self._span(start))

    def _steps(self, group_start: int, previous_nodes: list[PathNode]) -> tuple[PathNode, ...]:
        """The nodes of the next few characters of a group; `before` are the nodes so far."""
        if self._text.startswith("[?(", self._pos):
            return (self._filter(),)
        if self._text.startswith("..", self._pos):
            return self._descent(previous_nodes)
        char = self._peek()
        if char in ("", "\r", "\n"):
            span = self._span(self._pos, self._pos + 1) if char else self._span(group_start)
            raise JSONPathError("unclosed-action", "unclosed action", span)
        if char in " @$":
            self._pos += 1
            return ()
        if char == "[":
            return self._brackets()
        return (self._token(char),)

    def _token(self, char: str) -> PathNode:
        if char in "\"'":
            return self._quoted_text()
        if char == ".":
            self._pos += 1
            return self._field()
        if char in "+-" or is_digit(char):
            return self._number()
        if _is_word_character(char):
            return self._word()
        span = self._span(self._pos, self._pos + 1)
        wording = f"unrecognized character in action: {unicode_name(char)}"
        raise JSONPathError("unexpected-character", wording, span)

    def _field(self) -> FieldNode | WildcardNode:
        start, value = self._take(_NAME)
        if value == "*":
            return WildcardNode(self._span(start))
        return FieldNode(value.replace("\\", ""), self._span(start))

    def _word(self) -> BoolNode | IdentifierNode:
        start, value = self._take(_WORD)
        if value in ("true", "false"):
            return BoolNode(value == "true", self._span(start))
        return IdentifierNode(value, self._span(start))

    def _number(self) -> IntNode | FloatNode:
        start, value = self._take(_NUMBER)
        integer = parse_digits(value, 10)
        if integer is not None:
            return IntNode(integer, self._span(start))
        number = parse_float(value)
        if number is None:
            raise self._refusal("invalid-number", f"cannot parse number {value}", start)
        return FloatNode(number, self._span(start))

    def _descent(self, previous_nodes: list[PathNode]) -> tuple[PathNode, ...]:
        start = self._pos
        self._pos += 2
        if previous_nodes and isinstance(previous_nodes[-1], RecursiveNode):
            raise self._refusal("repeated-descent", "invalid multiple recursive descent", start)
        node = RecursiveNode(self._span(start))
        return (node, self._field()) if _is_word_character(self._peek()) else (node,)

    def _quoted_text(self) -> TextNode:
        start, line = self._pos, _line_end(self._text, self._pos)
        end = _quote_end(self._text, start, line)
        if end < 0:
            span = self._span(start, line)
            raise JSONPathError("unterminated-quote", "unterminated quoted string", span)
        self._pos = end + 1
        raw = self._text[start : self._pos]
        value = unquote(raw)
        if value is None:
            wording = f"unquote string {raw} error invalid syntax"
            raise self._refusal("invalid-quote", wording, start)
        return TextNode(value, self._span(start))

    def _brackets(self) -> tuple[PathNode, ...]:
        start, line = self._pos, _line_end(self._text, self._pos)
        end = self._text.find("]", start, line)
        if end < 0:
            raise JSONPathError("unterminated-array", "unterminated array", self._span(start, line))
        self._pos = end + 1
        content = self._text[start + 1 : end]
        if "," in content:
            return (self._union(start + 1, content),)
        if len(content) > 1 and content[0] == content[-1] == "'" and "'" not in content[1:-1]:
            return self._inner(start + 2, end - 1, ".").nodes
        return (self._array(":" if content == "*" else content, Span(start + 1, end)),)

    def _union(self, start: int, content: str) -> UnionNode:
        branches = []
        piece_start = start
        for piece in content.split(","):
            begin = piece_start + len(piece) - len(piece.lstrip(" "))
            branch = piece.strip(" ")
            branches.append(self._inner(begin, begin + len(branch), "[", "]"))
            piece_start += len(piece) + 1
        return UnionNode(tuple(branches), self._span(start - 1))

    def _array(self, content: str, place: Span) -> ArrayNode:
        match = _SLICE.fullmatch(content)
        span = self._span(place.start - 1, place.end + 1)
        if match is None:
            inner = self._span(*place)
            raise JSONPathError("invalid-index", f"invalid array index {content}", inner)
        start = self._bound(match[1], place)
        stop = self._bound((match[2] or "")[1:], place)
        step = self._bound((match[3] or "")[1:], place)
        if match[2]:
            return ArrayNode(start, stop, step, single=False, span=span)
        return ArrayNode(start, (start or 0) + 1, step, single=True, span=span)

    def _bound(self, text: str, place: Span) -> int | None:
        if not text:
            return None
        value = parse_digits(text, 10)
        if value is None:
            wording = f"array index {text} is not a number"
            raise JSONPathError("invalid-index", wording, self._span(*place))
        return value

    def _filter(self) -> FilterNode:
        start, line = self._pos, _line_end(self._text, self._pos)
        begin = start + len("[?(")
        end = _filter_end(self._text, begin, line)
        if end < 0:
            span = self._span(start, line)
            raise JSONPathError("unterminated-filter", "unterminated filter", span)
        self._pos = end + 1
        if self._peek() != "]":
            raise self._refusal("unclosed-filter", "unclosed array expect ]", start)
        self._pos = end + 2
        match = _COMPARISON.fullmatch(self._text, begin, end)
        if match is None:
            return FilterNode(self._inner(begin, end), "", None, self._span(start))
        left, right = self._inner(*match.span(1)), self._inner(*match.span(3))
        return FilterNode(left, match[2], right, self._span(start))

    def _inner(self, start: int, end: int, prefix: str = "", suffix: str = "") -> ListNode:
        """A part of this text, parsed as a separate group; only the first group counts."""
        text = "{" + prefix + self._text[start:end] + suffix + "}"
        offsets = self._offsets.within(start, end, 1 + len(prefix))
        group = _PathParser(text, offsets).groups()[0]
        assert isinstance(group, ListNode)  # noqa: S101  (the text begins with a brace)
        return group

    def _peek(self) -> str:
        return self._text[self._pos : self._pos + 1]

    def _take(self, pattern: re.Pattern[str]) -> tuple[int, str]:
        """Read the text that matches a pattern; returns its start and the text."""
        match = pattern.match(self._text, self._pos)
        assert match is not None  # noqa: S101  (each pattern here also matches an empty text)
        self._pos = match.end()
        return match.start(), match[0]

    def _span(self, start: int, end: int | None = None) -> Span:
        return self._offsets.span(Span(start, self._pos if end is None else end))

    def _refusal(self, cause: PathErrorCause, wording: str, start: int) -> JSONPathError:
        return JSONPathError(cause, wording, self._span(start))
