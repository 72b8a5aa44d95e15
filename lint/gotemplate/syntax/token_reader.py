"""The parser's view of the tokens, and its errors (text/template/parse/parse.go, Go 1.26)."""

from __future__ import annotations

from celvet.lint.gotemplate.errors import ErrorKind, SourceSpan, TemplateError
from celvet.lint.gotemplate.limits import TemplateLimits
from celvet.lint.gotemplate.syntax.lexer import Lexer
from celvet.lint.gotemplate.syntax.tokens import Lexeme, TemplateToken


class TokenReader:
    """Reads tokens, with the three tokens of look-ahead that Go has."""

    def __init__(self, source: str, name: str, lexer: Lexer, limits: TemplateLimits) -> None:
        self.source = source
        self.name = name
        self._lexer = lexer
        self._limits = limits
        self._count = 0
        self._depth = 0
        self._pushed: list[Lexeme] = []
        self.action_line = 0
        self.last_end = 0
        self._last: Lexeme = Lexeme(TemplateToken.EOF, "EOF", 0, 0, 0)
        self.current = self._last

    def _read(self) -> Lexeme:
        self.current = self._lexer.next()
        self._count += 1
        if self.current.kind is not TemplateToken.TEXT:
            self._count += len(self.current.text) // 50
        if self._count > self._limits.tokens:
            raise self.beyond(f"the template has more than {self._limits.tokens} tokens")
        return self.current

    def next(self) -> Lexeme:
        """The next token, spaces included."""
        if self._pushed:
            self._last = self._pushed.pop()
        else:
            self._last = self._read()
        self.last_end = self._last.end
        return self._last

    def backup(self) -> None:
        """Take the last token back."""
        self._pushed.append(self._last)

    def backup2(self, token: Lexeme) -> None:
        """Take the last token back, and `token` before it."""
        self._pushed += [self._last, token]

    def peek(self) -> Lexeme:
        """The token that `next` will give."""
        if not self._pushed:
            self._pushed.append(self._read())
        return self._pushed[-1]

    def next_non_space(self) -> Lexeme:
        """The next token that is not a space."""
        while (token := self.next()).kind is TemplateToken.SPACE:
            pass
        return token

    def peek_non_space(self) -> Lexeme:
        """Skip spaces, and look at the token behind them."""
        while (token := self.peek()).kind is TemplateToken.SPACE:
            self.next()
        return token

    def expect(self, kind: TemplateToken, context: str) -> Lexeme:
        """The next token that is not a space; it must be a `kind`."""
        token = self.next_non_space()
        if token.kind is not kind:
            raise self.unexpected(token, context)
        return token

    def error(self, reason: str, token: Lexeme | None = None) -> TemplateError:
        """Go's error: it names the line of the last token that was read, wherever `token` is."""
        line = self.current.line
        at = token or self.current
        message = f"template: {self.name}:{line}: {reason}"
        span = SourceSpan(at.start, max(at.end, at.start))
        return TemplateError(message, reason, ErrorKind.SYNTAX, self.source, span)

    def beyond(self, reason: str) -> TemplateError:
        """The error for a template that goes beyond the limits."""
        message = f"template: {self.name}:{self.current.line}: {reason}"
        span = SourceSpan(self.current.start, self.current.end)
        return TemplateError(message, reason, ErrorKind.LIMIT, self.source, span)

    def unexpected(self, token: Lexeme, context: str) -> TemplateError:
        """The error for a token that does not fit, or for what the lexer could not read."""
        if token.kind is not TemplateToken.ERROR:
            return self.error(f"unexpected {token} in {context}", token)
        extra = ""
        if self.action_line not in (0, token.line):
            extra = f" in action started at {self.name}:{self.action_line}"
            if token.text.endswith(" action"):
                extra = extra.removeprefix(" in action")
        return self.error(f"{token}{extra}", token)

    def enter(self) -> None:
        """Go into parentheses or a block."""
        self._depth += 1
        if self._depth > self._limits.depth:
            limit = self._limits.depth
            raise self.beyond(f"the template is nested more than {limit} levels deep")

    def leave(self) -> None:
        """Come out again."""
        self._depth -= 1
