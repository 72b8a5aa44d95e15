"""The lexer, state by state as text/template/parse/lex.go (Go 1.26) has it."""

from __future__ import annotations

import re

from celvet.lint.go.quoting import is_digit, is_letter, is_print, quote, unicode_name
from celvet.lint.gotemplate.syntax.tokens import KEYWORDS, LEFT, RIGHT, Lexeme, TemplateToken
from celvet.regex import regex

_SPACES = " \t\r\n"
_SPACE_RUN = regex("[ \t\r\n]*")
_ASCII_WORD = regex("[A-Za-z0-9_]*")
_SINGLE = {"=": TemplateToken.ASSIGN, "|": TemplateToken.PIPE}
_EXPONENTS = {"0123456789_": "eE", "0123456789abcdefABCDEF_": "pP"}
_RUNS = {
    valid: regex(f"[{valid}]*")
    for valid in ("0123456789_", "0123456789abcdefABCDEF_", "01234567_", "01_")
}
_QUOTED = {
    '"': regex(r'(?:[^"\\\n]++|\\[^\n])*+'),
    "'": regex(r"(?:[^'\\\n]++|\\[^\n])*+"),
    "`": regex("[^`]*"),
}
"""The text between two quotes."""
_BASES = {"x": "0123456789abcdefABCDEF_", "o": "01234567_", "b": "01_"}


class LexError(Exception):
    """The text has no further token; the message is Go's."""


class Lexer:
    """The tokens of `source`, one at a time.

    After an error there is nothing but the end of the file, as in Go.
    """

    def __init__(self, source: str) -> None:
        self._source = source
        self._pos = 0
        self._start = 0
        self._line = 1
        self._counted = 0
        self._in_action = False
        self._parens = 0
        self._failed = False

    def next(self) -> Lexeme:
        """The next token. An error is a token too."""
        if self._failed:
            return Lexeme(
                TemplateToken.EOF, "EOF", self._pos, self._pos, self._line_at(self._start)
            )
        try:
            return self._inside() if self._in_action else self._text()
        except LexError as error:
            self._failed = True
            line = self._line_at(self._start)
            return Lexeme(
                TemplateToken.ERROR, str(error), self._start, max(self._pos, self._start), line
            )

    def _line_at(self, offset: int) -> int:
        self._line += self._source.count("\n", self._counted, offset)
        self._counted = max(offset, self._counted)
        return self._line

    def _emit(self, kind: TemplateToken) -> Lexeme:
        start, self._start = self._start, self._pos
        return Lexeme(kind, self._source[start : self._pos], start, self._pos, self._line_at(start))

    def _char(self) -> str:
        return self._source[self._pos : self._pos + 1]

    def _text(self) -> Lexeme:
        while True:
            action_start = self._source.find(LEFT, self._pos)
            if action_start < 0:
                self._pos = len(self._source)
                if self._pos > self._start:
                    return self._emit(TemplateToken.TEXT)
                return Lexeme(
                    TemplateToken.EOF, "EOF", self._pos, self._pos, self._line_at(self._pos)
                )
            self._pos = action_start
            # `{{- ` takes the spaces before it away, which ends the text earlier; the action still
            # begins at its braces.
            trims = self._left_marker(action_start + len(LEFT))
            if trims:
                text = self._source[self._start : action_start]
                self._pos = self._start + len(text.rstrip(_SPACES))
            item = self._emit(TemplateToken.TEXT) if self._pos > self._start else None
            self._pos = self._start = action_start
            if item is not None:
                return item
            # A comment makes no lexeme, so the text goes on behind it.
            if not self._comment(2 if trims else 0):
                return self._left_delim(2 if trims else 0)

    def _left_marker(self, offset: int) -> bool:
        follows = self._source[offset : offset + 2]
        return len(follows) == 2 and follows[0] == "-" and follows[1] in _SPACES

    def _right_marker(self, offset: int) -> bool:
        follows = self._source[offset : offset + 2]
        marker = len(follows) == 2 and follows[0] in _SPACES and follows[1] == "-"
        return marker and self._source.startswith(RIGHT, offset + 2)

    def _left_delim(self, marker: int) -> Lexeme:
        self._pos += len(LEFT)
        item = self._emit(TemplateToken.LEFT_DELIM)
        self._pos += marker
        self._start = self._pos
        self._in_action = True
        self._parens = 0
        return item

    def _comment(self, marker: int) -> bool:
        begin = self._pos + len(LEFT) + marker
        if not self._source.startswith("/*", begin):
            return False
        self._pos = self._start = begin
        end = self._source.find("*/", begin + 2)
        if end < 0:
            raise LexError("unclosed comment")
        self._pos = end + 2
        trims = self._right_marker(self._pos)
        if not trims and not self._source.startswith(RIGHT, self._pos):
            raise LexError("comment ends before closing delimiter")
        self._pos += len(RIGHT) + (2 if trims else 0)
        if trims:
            self._skip_spaces()
        self._start = self._pos
        return True

    def _skip_spaces(self) -> None:
        self._pos = _end(_SPACE_RUN, self._source, self._pos)

    def _right_delim(self) -> Lexeme:
        trims = self._right_marker(self._pos)
        if trims:
            self._pos += 2
            self._start = self._pos
        self._pos += len(RIGHT)
        item = self._emit(TemplateToken.RIGHT_DELIM)
        if trims:
            self._skip_spaces()
            self._start = self._pos
        self._in_action = False
        return item

    def _inside(self) -> Lexeme:
        char = self._char()
        trims = char in _SPACES and self._right_marker(self._pos)
        if trims or self._source.startswith(RIGHT, self._pos):
            if self._parens:
                raise LexError("unclosed left paren")
            return self._right_delim()
        if not char:
            raise LexError("unclosed action")
        if char in _SPACES:
            return self._space()
        # A sign always begins a number here: there are no operators, and `.5` is no field.
        if char in "+-" or "0" <= char <= "9" or (char == "." and self._digit_follows()):
            return self._number()
        if char in {".", "$"} or _alphanumeric(char):
            return self._word(char)
        return self._other(char)

    def _other(self, char: str) -> Lexeme:
        if char in "\"'`":
            return self._string(char)
        if char in "()":
            return self._paren(char)
        self._pos += 1
        if char == ":":
            self._pos += 1
            if self._source[self._pos - 1 : self._pos] != "=":
                raise LexError("expected :=")
            return self._emit(TemplateToken.DECLARE)
        if char in _SINGLE:
            return self._emit(_SINGLE[char])
        # The comma of `range` is such a character; all others are refused by the parser.
        if char < "\x80" and is_print(char):
            return self._emit(TemplateToken.CHAR)
        raise LexError(f"unrecognized character in action: {unicode_name(char)}")

    def _digit_follows(self) -> bool:
        # At the very end of the text, Go takes the dot for a number as well.
        follows = self._source[self._pos + 1 : self._pos + 2]
        return not follows or "0" <= follows <= "9"

    def _space(self) -> Lexeme:
        self._skip_spaces()
        if self._right_marker(self._pos - 1):
            self._pos -= 1
            if self._pos == self._start:
                return self._right_delim()
        return self._emit(TemplateToken.SPACE)

    def _paren(self, char: str) -> Lexeme:
        self._pos += 1
        self._parens += 1 if char == "(" else -1
        if self._parens < 0:
            raise LexError("unexpected right paren")
        return self._emit(TemplateToken.LEFT_PAREN if char == "(" else TemplateToken.RIGHT_PAREN)

    def _string(self, mark: str) -> Lexeme:
        name, kind = {
            '"': ("quoted string", TemplateToken.STRING),
            "'": ("character constant", TemplateToken.CHAR_CONSTANT),
            "`": ("raw quoted string", TemplateToken.RAW_STRING),
        }[mark]
        self._pos += 1
        self._pos = _end(_QUOTED[mark], self._source, self._pos)
        if self._char() != mark:
            raise LexError(f"unterminated {name}")
        self._pos += 1
        return self._emit(kind)

    def _word(self, first: str) -> Lexeme:
        self._pos = _end(_ASCII_WORD, self._source, self._pos + 1)
        while self._char() and _alphanumeric(self._char()):
            self._pos += 1
        word = self._source[self._start : self._pos]
        if not self._at_terminator():
            raise LexError(f"bad character {unicode_name(self._char())}")
        if first == "$":
            return self._emit(TemplateToken.VARIABLE)
        if first == ".":
            return self._emit(TemplateToken.DOT if word == "." else TemplateToken.FIELD)
        if word in ("true", "false"):
            return self._emit(TemplateToken.BOOL)
        return self._emit(KEYWORDS.get(word, TemplateToken.IDENTIFIER))

    def _at_terminator(self) -> bool:
        char = self._char()
        if not char or char in _SPACES or char in ".,|:)(":
            return True
        return self._source.startswith(RIGHT, self._pos)

    def _number(self) -> Lexeme:
        complete = self._scan_number()
        if complete and self._char() and self._char() in "+-":
            complete = self._scan_number() and self._source[self._pos - 1] == "i"
            if complete:
                return self._emit(TemplateToken.COMPLEX)
        if not complete:
            text = self._source[self._start : self._pos]
            raise LexError(f"bad number syntax: {quote(text)}")
        return self._emit(TemplateToken.NUMBER)

    def _scan_number(self) -> bool:
        self._accept("+-")
        digits = "0123456789_"
        if self._accept("0"):
            base = self._char().lower()
            if base in _BASES and self._accept("xXoObB"):
                digits = _BASES[base]
        self._accept_run(digits)
        if self._accept("."):
            self._accept_run(digits)
        if digits in _EXPONENTS and self._accept(_EXPONENTS[digits]):
            self._accept("+-")
            self._accept_run("0123456789_")
        self._accept("i")
        # The lexer only finds the end of a number; the parser refuses what is none. A letter right
        # behind it is refused here.
        if self._char() and _alphanumeric(self._char()):
            self._pos += 1
            return False
        return True

    def _accept(self, valid: str) -> bool:
        if self._char() and self._char() in valid:
            self._pos += 1
            return True
        return False

    def _accept_run(self, valid: str) -> None:
        self._pos = _end(_RUNS[valid], self._source, self._pos)


def _end(run: re.Pattern[str], source: str, start: int) -> int:
    match = run.match(source, start)
    return match.end() if match else start


def _alphanumeric(char: str) -> bool:
    return char == "_" or is_letter(char) or is_digit(char)
