"""The parser: pipelines and operands (text/template/parse/parse.go, Go 1.26)."""

from __future__ import annotations

from celvet.lint.go.numbers import character, parse_number
from celvet.lint.go.quoting import quote, unquote, unquote_char
from celvet.lint.gotemplate.errors import ErrorKind, SourceSpan, TemplateError
from celvet.lint.gotemplate.functions.library import OPERATOR
from celvet.lint.gotemplate.syntax.lexer import Lexer
from celvet.lint.gotemplate.syntax.nodes import (
    BoolConstant,
    ChainNode,
    CommandNode,
    DotNode,
    FieldAccess,
    FunctionNode,
    NilNode,
    NumberNode,
    OperandNode,
    PipeNode,
    StringNode,
    VariableNode,
    Word,
)
from celvet.lint.gotemplate.syntax.tokens import NAME, Lexeme, TemplateToken
from celvet.lint.gotemplate.template_limits import TemplateLimits

_WORDS = {TemplateToken.DOT: DotNode, TemplateToken.NIL: NilNode, TemplateToken.BOOL: BoolConstant}
_NUMBERS = (TemplateToken.NUMBER, TemplateToken.CHAR_CONSTANT, TemplateToken.COMPLEX)
_STRINGS = (TemplateToken.STRING, TemplateToken.RAW_STRING)
_OPERANDS = (
    *_WORDS,
    *_NUMBERS,
    *_STRINGS,
    TemplateToken.FIELD,
    TemplateToken.IDENTIFIER,
    TemplateToken.VARIABLE,
    TemplateToken.LEFT_PAREN,
)


class _TokenReader:
    """Reads tokens, with the three tokens of look-ahead that Go has."""

    def __init__(self, source: str, limits: TemplateLimits) -> None:
        self.source = source
        self._lexer = Lexer(source)
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
        message = f"template: {NAME}:{line}: {reason}"
        span = SourceSpan(at.start, max(at.end, at.start))
        return TemplateError(message, reason, ErrorKind.SYNTAX, self.source, span)

    def beyond(self, reason: str) -> TemplateError:
        """The error for a template that goes beyond the limits."""
        message = f"template: {NAME}:{self.current.line}: {reason}"
        span = SourceSpan(self.current.start, self.current.end)
        return TemplateError(message, reason, ErrorKind.LIMIT, self.source, span)

    def unexpected(self, token: Lexeme, context: str) -> TemplateError:
        """The error for a token that does not fit, or for what the lexer could not read."""
        if token.kind is not TemplateToken.ERROR:
            return self.error(f"unexpected {token} in {context}", token)
        extra = ""
        if self.action_line not in (0, token.line):
            extra = f" in action started at {NAME}:{self.action_line}"
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
        """Come out of the parentheses or the block that was entered last."""
        self._depth -= 1


class PipelineParser(_TokenReader):
    """Reads the inside of actions."""

    def __init__(self, source: str, limits: TemplateLimits) -> None:
        super().__init__(source, limits)
        self.variables = ["$"]
        self.parens = 0

    def template_name(self, token: Lexeme, context: str) -> str:
        """The name in a `define`, `block` or `template`."""
        if token.kind not in _STRINGS:
            raise self.unexpected(token, context)
        return self._string(token)

    def pipeline(self, context: str, end: TemplateToken) -> PipeNode:
        """A pipeline up to `end`, which is consumed."""
        pipe = PipeNode(self.peek_non_space().start, 0, [], [])
        self._declarations(pipe, context)
        while (token := self.next_non_space()).kind is not end:
            if token.kind not in _OPERANDS:
                raise self.unexpected(token, context)
            self.backup()
            pipe.commands.append(self._command())
        pipe.end = pipe.commands[-1].end if pipe.commands else token.start
        self._check(pipe, context)
        return pipe

    def _check(self, pipe: PipeNode, context: str) -> None:
        if not pipe.commands:
            raise self.error(f"missing value for {context}")
        for stage, command in enumerate(pipe.commands[1:], 2):
            operand = command.args[0]
            executable = isinstance(operand, FunctionNode) or not isinstance(
                operand, Word | NumberNode | StringNode
            )
            if not executable:
                raise self.error(f"non executable command in pipeline stage {stage}")

    def _declarations(self, pipe: PipeNode, context: str) -> None:
        while (variable := self.peek_non_space()).kind is TemplateToken.VARIABLE:
            self.next()
            adjacent = self.peek()
            follows = self.peek_non_space()
            declares = follows.kind in (TemplateToken.ASSIGN, TemplateToken.DECLARE)
            # It was an operand: both tokens go back, and the space too, since it separates
            # arguments.
            if not declares and not (follows.kind is TemplateToken.CHAR and follows.text == ","):
                self._pushed += [adjacent] if adjacent.kind is TemplateToken.SPACE else []
                self._pushed.append(variable)
                return
            self.next_non_space()
            pipe.variables.append(_variable(variable))
            self.variables.append(variable.text)
            if declares:
                pipe.assigns = follows.kind is TemplateToken.ASSIGN
                return
            # A comma follows, and only `range` takes two variables.
            if context != "range" or len(pipe.variables) > 1:
                raise self.error(f"too many declarations in {context}")
            if self.peek_non_space().kind not in (
                TemplateToken.VARIABLE,
                TemplateToken.RIGHT_DELIM,
                TemplateToken.RIGHT_PAREN,
            ):
                raise self.error("range can only initialize variables")

    def _command(self) -> CommandNode:
        command = CommandNode(self.peek_non_space().start, 0, [])
        while True:
            self.peek_non_space()
            # None ends the arguments: what follows has to be a delimiter or a pipe.
            operand = self._operand()
            if operand is not None:
                command.args.append(operand)
                command.end = operand.end
            token = self.next()
            if token.kind is TemplateToken.SPACE:
                continue
            if token.kind in (TemplateToken.RIGHT_DELIM, TemplateToken.RIGHT_PAREN):
                self.backup()
            elif token.kind is not TemplateToken.PIPE:
                raise self.unexpected(token, "operand")
            break
        if not command.args:
            raise self.error("empty command")
        return command

    def _operand(self) -> OperandNode | None:
        node = self._term()
        if node is None or self.peek().kind is not TemplateToken.FIELD:
            return node
        start, names = self.peek().start, []
        while self.peek().kind is TemplateToken.FIELD:
            names.append(self.next().text[1:])
        end = self.last_end
        if isinstance(node, FieldAccess):
            return FieldAccess(start, end, node.names + names)
        if isinstance(node, VariableNode):
            return VariableNode(start, end, node.name, node.names + names)
        if isinstance(node, FunctionNode | PipeNode):
            return ChainNode(start, end, node, names)
        raise self.error(f"unexpected . after term {quote(str(node))}")

    def _term(self) -> OperandNode | None:
        token = self.next_non_space()
        if token.kind in (TemplateToken.IDENTIFIER, TemplateToken.VARIABLE):
            return self._find_identifier(token)
        if token.kind in _WORDS:
            return _WORDS[token.kind](token.start, token.end, token.text)
        if token.kind in _NUMBERS or token.kind in _STRINGS:
            return self._literal(token)
        if token.kind is TemplateToken.FIELD:
            return FieldAccess(token.start, token.end, [token.text[1:]])
        if token.kind is TemplateToken.LEFT_PAREN:
            self.enter()
            pipe = self.pipeline("parenthesized pipeline", TemplateToken.RIGHT_PAREN)
            self.leave()
            return pipe
        self.backup()
        return None

    def _find_identifier(self, token: Lexeme) -> FunctionNode | VariableNode:
        """A function or a variable, which must be there."""
        if token.kind is TemplateToken.IDENTIFIER:
            if token.text not in OPERATOR:
                raise self.error(f"function {quote(token.text)} not defined", token)
            return FunctionNode(token.start, token.end, token.text)
        if token.text not in self.variables:
            raise self.error(f"undefined variable {quote(token.text)}", token)
        return _variable(token)

    def _literal(self, token: Lexeme) -> NumberNode | StringNode:
        text = token.text
        if token.kind in _STRINGS:
            return StringNode(token.start, token.end, text, self._string(token))
        if token.kind is TemplateToken.CHAR_CONSTANT:
            value = unquote_char(text)
            if value is None:
                raise self.error(_char_problem(text), token)
            return NumberNode(token.start, token.end, character(text, value))
        try:
            return NumberNode(token.start, token.end, parse_number(text))
        except ValueError as error:
            if token.kind is TemplateToken.COMPLEX:
                raise self.error("syntax error scanning complex number", token) from None
            raise self.error(f"{error}: {quote(text)}", token) from None

    def _string(self, token: Lexeme) -> str:
        value = unquote(token.text)
        if value is None:
            raise self.error("invalid syntax", token)
        return value


def _char_problem(text: str) -> str:
    # Go reads one character, and looks at the rest only if that is well-formed.
    char_text = text[1:3] if text[1] == "\\" else text[1:2]
    if text[1] == "'" or (char_text.startswith("\\") and char_text[1:] not in tuple("abfnrtv\\'")):
        return "invalid syntax"
    return f"malformed character constant: {text}"


def _variable(token: Lexeme) -> VariableNode:
    return VariableNode(token.start, token.end, token.text, [])
