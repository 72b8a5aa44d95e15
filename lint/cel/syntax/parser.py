"""Reads an expression into its source tree.

The engine's parser decides what is an expression. This one makes the tree, with the range of every
node, which the engine does not expose. It reads the grammar of cel-go 0.26 (`parser/gen/CEL.g4`)
and raises `Unparsable` for anything else, deep nesting included.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from celvet.lint.cel.syntax.lexer import Token, Unparsable, tokenize
from celvet.lint.cel.syntax.literals import value_of
from celvet.lint.cel.syntax.tree import (
    MACROS,
    Call,
    Ident,
    ListExpr,
    Literal,
    Macro,
    MapEntry,
    MapExpr,
    Node,
    Select,
    StructExpr,
    dotted_path,
)
from celvet.lint.model import Span

_OPERATORS = {
    "in": (1, "@in"),
    **{sign: (1, f"_{sign}_") for sign in ("<", "<=", ">=", ">", "==", "!=")},
    **{sign: (2, f"_{sign}_") for sign in ("+", "-")},
    **{sign: (3, f"_{sign}_") for sign in ("*", "/", "%")},
}
"""Sign -> how tightly it binds, and its CEL name."""

_LITERALS = frozenset({"int", "uint", "float", "string", "bytes", "true", "false", "null"})
_VARIABLES = {"has": 0} | dict.fromkeys(MACROS - {"has"}, 1)
_ARGUMENTS = {"has": (1,), "map": (2, 3)}
_MAX_DEPTH = 40
"""The deepest nesting that is read, because of Python's stack; the engine stops at 32."""


def parse(text: str) -> Node:
    """The tree of `text`; raises `Unparsable`."""
    try:
        return _CelParser(tokenize(text)).parse_all()
    except RecursionError:
        raise Unparsable("nested too deeply for the stack that is left") from None


class _CelParser:
    """One pass over the tokens, with a method for each rule of the grammar."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self._tokens = tokens
        self._next = 0
        self._kind = tokens[0].kind
        self._ids = 0
        self._depth = 0

    def parse_all(self) -> Node:
        root = self._expr()
        if self._kind != "end":
            raise Unparsable(f"{self._kind} where the end is due")
        return root

    # The tokens, the last of which is never taken.

    def _take(self) -> Token:
        token = self._tokens[self._next]
        self._next += 1
        self._kind = self._tokens[self._next].kind
        return token

    def _accept(self, kind: str) -> Token | None:
        return self._take() if self._kind == kind else None

    def _expect(self, *kinds: str) -> Token:
        if self._kind not in kinds:
            raise Unparsable(f"{self._kind} where {kinds} is due")
        return self._take()

    def _start(self) -> int:
        return self._tokens[self._next].start

    def _new_node(self, start: int) -> tuple[int, Span]:
        """Id and span of a node that begins at `start` and ends with the last token taken."""
        self._ids += 1
        return self._ids, Span(start, self._tokens[self._next - 1].end)

    # From the loosest binding to the tightest.

    def _expr(self) -> Node:
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise Unparsable("nested too deeply")
        start = self._start()
        condition = self._or()
        if sign := self._accept("?"):
            then = self._or()
            self._expect(":")
            args = (condition, then, self._expr())
            condition = Call(*self._new_node(start), "_?_:_", None, args, _at(sign))
        self._depth -= 1
        return condition

    def _or(self) -> Node:
        return self._chain("||", "_||_", self._and)

    def _and(self) -> Node:
        return self._chain("&&", "_&&_", self._operation)

    def _chain(self, sign: str, name: str, term: Callable[[], Node]) -> Node:
        start, first_term = self._start(), term()
        if self._kind != sign:
            return first_term
        terms, signs = [(start, first_term, self._last_end())], []
        while token := self._accept(sign):
            signs.append(_at(token))
            terms.append((self._start(), term(), self._last_end()))
        return self._balanced_chain(name, terms, signs)

    def _last_end(self) -> int:
        return self._tokens[self._next - 1].end

    def _balanced_chain(
        self, name: str, terms: Sequence[tuple[int, Node, int]], signs: Sequence[Span]
    ) -> Node:
        if not signs:
            return terms[0][1]
        middle = len(signs) // 2
        left = self._balanced_chain(name, terms[: middle + 1], signs[:middle])
        right = self._balanced_chain(name, terms[middle + 1 :], signs[middle + 1 :])
        self._ids += 1
        span = Span(terms[0][0], terms[-1][2])
        return Call(self._ids, span, name, None, (left, right), signs[middle])

    def _operation(self, tightness: int = 1) -> Node:
        """Operators that bind at least this tightly, from left to right."""
        start = self._start()
        left = self._unary()
        while (operator := _OPERATORS.get(self._kind)) and operator[0] >= tightness:
            sign = self._take()
            right = self._operation(operator[0] + 1)
            left = Call(*self._new_node(start), operator[1], None, (left, right), _at(sign))
        return left

    def _unary(self) -> Node:
        sign = self._tokens[self._next]
        count = 0
        while sign.kind in ("!", "-") and self._kind == sign.kind and not self._at_number(count):
            self._take()
            count += 1
        operand = self._member()
        if count % 2 == 0:
            return operand
        return Call(*self._new_node(sign.start), f"{sign.kind}_", None, (operand,), _at(sign))

    def _at_number(self, signs: int) -> bool:
        """Whether the minus here is a literal's own; after another minus it is an operator."""
        following = self._tokens[self._next + 1].kind if self._kind == "-" else ""
        return signs == 0 and following in ("int", "float")

    def _member(self) -> Node:
        start = self._start()
        node = self._primary()
        while True:
            if self._accept("."):
                node = self._selection(start, node)
            elif bracket := self._accept("["):
                name = "_[?_]" if self._accept("?") else "_[_]"
                index = self._expr()
                self._expect("]")
                node = Call(*self._new_node(start), name, None, (node, index), _at(bracket))
            elif self._kind == "{" and (name := dotted_path(node)):
                node = self._struct(start, name)
            else:
                return node

    def _selection(self, start: int, operand: Node) -> Node:
        optional = self._accept("?") is not None
        field = self._expect("ident", "quoted")
        if self._kind == "(" and field.kind == "ident" and not optional:
            return self._call(start, field, operand)
        text = field.text[1:-1] if field.kind == "quoted" else field.text
        return Select(*self._new_node(start), operand, text, optional, _at(field))

    def _primary(self) -> Node:
        start = self._start()
        if self._kind in {"ident", "."}:
            dot = "." if self._accept(".") else ""
            token = self._expect("ident")
            if self._kind == "(":
                return self._call(start, token, None, dot)
            return Ident(*self._new_node(start), dot + token.text)
        if self._accept("("):
            inner = self._expr()
            self._expect(")")
            return inner
        if self._accept("["):
            return self._list(start)
        if self._accept("{"):
            entries = self._entries(self._expr)
            return MapExpr(*self._new_node(start), entries)
        # The grammar has the sign in the literal, so that the smallest integer can be written.
        minus = self._accept("-") is not None
        token = self._expect(*_LITERALS)
        return Literal(*self._new_node(start), *value_of(token, negative=minus))

    def _call(self, start: int, name: Token, target: Node | None, dot: str = "") -> Node:
        self._expect("(")
        args: list[Node] = []
        while not self._accept(")"):
            if args:
                self._expect(",")
            args.append(self._expr())
        at, function = _at(name), dot + name.text
        if _is_macro(function, target, args):
            count = _VARIABLES[function]
            variables = tuple(arg.name for arg in args[:count] if isinstance(arg, Ident))
            return Macro(
                *self._new_node(start), function, target, variables, tuple(args[count:]), at
            )
        return Call(*self._new_node(start), function, target, tuple(args), at)

    def _list(self, start: int) -> Node:
        elements: list[Node] = []
        optional = set()
        while not self._accept("]"):
            if self._accept(","):
                self._expect("]")
                break
            if self._accept("?"):
                optional.add(len(elements))
            elements.append(self._expr())
            if self._kind != "]":
                self._expect(",")
        return ListExpr(*self._new_node(start), tuple(elements), frozenset(optional))

    def _struct(self, start: int, name: str) -> Node:
        at = Span(start, self._last_end())
        self._expect("{")
        entries = self._entries(lambda: self._expect("ident", "quoted").text.strip("`"))
        return StructExpr(*self._new_node(start), name, entries, at)

    def _entries(self, key: Callable[[], Node | str]) -> tuple[MapEntry, ...]:
        entries: list[MapEntry] = []
        while not self._accept("}"):
            if self._accept(","):
                self._expect("}")
                break
            optional = self._accept("?") is not None
            name = key()
            self._expect(":")
            entries.append(MapEntry(name, self._expr(), optional))
            if self._kind != "}":
                self._expect(",")
        return tuple(entries)


def _at(token: Token) -> Span:
    return Span(token.start, token.end)


def _is_macro(function: str, target: Node | None, args: Sequence[Node]) -> bool:
    if function not in MACROS or (function == "has") != (target is None):
        return False
    return len(args) in _ARGUMENTS.get(function, (2,))
