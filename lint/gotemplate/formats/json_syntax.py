"""Whether a text is JSON, and what Go says if not (encoding/json/scanner.go, Go 1.26)."""

from __future__ import annotations

from typing import NoReturn

from celvet.lint.go.quoting import quote, to_bytes

_LITERALS = {"t": "true", "f": "false", "n": "null"}
_DIGITS = "0123456789"
_SPACED = ("after a", "after o", "after t", "looking", "in string literal")


class JsonError(ValueError):
    """The value has no JSON, or the text is not JSON; the message is Go's."""


def check(text: str) -> None:
    """Check that `text` is JSON.

    Raises:
        JsonError: it is not.
    """
    scanner = _Scanner(text)
    scanner.value()
    scanner.spaces()
    if scanner.char():
        scanner.fail("after top-level value")


class _Scanner:
    def __init__(self, text: str) -> None:
        self._text = text
        self._pos = 0

    def char(self) -> str:
        return self._text[self._pos : self._pos + 1]

    def fail(self, context: str) -> NoReturn:
        # At the end, Go reads one more space, which may be wrong there as well.
        char = self.char() or " "
        if not self.char() and context.startswith(_SPACED):
            raise JsonError("unexpected end of JSON input")
        shown = quote(chr(to_bytes(char)[0]))[1:-1]
        shown = {"'": "\\'", '"': '"'}.get(char, shown)
        raise JsonError(f"invalid character '{shown}' {context}")

    def spaces(self) -> None:
        while self.char() and self.char() in " \t\r\n":
            self._pos += 1

    def _take(self, wanted: str, context: str) -> None:
        if not self.char() or self.char() not in wanted:
            self.fail(context)
        self._pos += 1

    def value(self) -> None:
        self.spaces()
        char = self.char()
        if char == "{":
            self._object()
        elif char == "[":
            self._array()
        elif char == '"':
            self._string()
        elif char in _LITERALS:
            self._literal(_LITERALS[char])
        elif char and char in "-" + _DIGITS:
            self._number()
        else:
            self.fail("looking for beginning of value")

    def _object(self) -> None:
        self._pos += 1
        self.spaces()
        if self.char() == "}":
            self._pos += 1
            return
        while True:
            self.spaces()
            if self.char() != '"':
                self.fail("looking for beginning of object key string")
            self._string()
            self.spaces()
            self._take(":", "after object key")
            self.value()
            self.spaces()
            self._take(",}", "after object key:value pair")
            if self._text[self._pos - 1] == "}":
                return

    def _array(self) -> None:
        self._pos += 1
        self.spaces()
        if self.char() == "]":
            self._pos += 1
            return
        while True:
            self.value()
            self.spaces()
            self._take(",]", "after array element")
            if self._text[self._pos - 1] == "]":
                return

    def _string(self) -> None:
        self._pos += 1
        while self.char() != '"':
            if not self.char() or self.char() < " ":
                self.fail("in string literal")
            if self.char() == "\\":
                self._escape()
            else:
                self._pos += 1
        self._pos += 1

    def _escape(self) -> None:
        self._pos += 1
        self._take('"\\/bfnrtu', "in string escape code")
        if self._text[self._pos - 1] == "u":
            for _ in range(4):
                self._take("0123456789abcdefABCDEF", "in \\u hexadecimal character escape")

    def _literal(self, word: str) -> None:
        for expected in word:
            self._take(expected, f"in literal {word} (expecting '{expected}')")

    def _digits(self) -> None:
        while self.char() and self.char() in _DIGITS:
            self._pos += 1

    def _number(self) -> None:
        if self.char() == "-":
            self._pos += 1
        self._take(_DIGITS, "in numeric literal")
        if self._text[self._pos - 1] != "0":
            self._digits()
        if self.char() == ".":
            self._pos += 1
            self._take(_DIGITS, "after decimal point in numeric literal")
            self._digits()
        if self.char() in ("e", "E"):
            self._pos += 1
            if self.char() in ("+", "-"):
                self._pos += 1
            self._take(_DIGITS, "in exponent of numeric literal")
            self._digits()
