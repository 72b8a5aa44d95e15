"""Flux's post-build substitution of one text, with a map back to the original."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from celvet.lint.manifest.substitute.grammar import (
    BadSubstitutionError,
    FuncNode,
    PlainText,
    SubstitutionNode,
    parse,
)
from celvet.lint.model import Span
from celvet.record import record
from celvet.regex import regex

_MAX_EXPANDED = 256 * 1024
"""The most code points of an expansion; `${a//x/${b//y/...}}` multiplies them."""

DEFAULTS = frozenset((":=", ":-", ":+", ":?", "="))
"""The operators that need no value (`isDefaultOp` of fluxcd/pkg/envsubst)."""

_TERM = regex(
    r"\[(?P<not>\^?)(?P<class>(?:(?:\\.|[^\\\]-])(?:-(?:\\.|[^\\\]-]))?)+)\]"
    r"|\\(?P<escaped>.)|(?P<any>\?)|(?P<char>[^\\\[])",
    re.DOTALL,
)


@record
class _Piece:
    """Expanded text and its source range; an exact one is a copy of that."""

    text: str
    start: int
    end: int
    exact: bool


@record
class _Expansion:
    """The pieces of an expanded text, none empty, and the names that had no value."""

    pieces: tuple[_Piece, ...]
    missing: tuple[str, ...]


def _expand(text: str, variables: Mapping[str, str]) -> _Expansion:
    """Expand a text. Line breaks in values are dropped, as Flux drops them.

    Raises:
        BadSubstitutionError: where Flux refuses the text, and for expansions
            beyond `MAX_EXPANDED`.

    """
    run = _Expander(text, variables)
    pieces = run.pieces(parse(text))
    return _Expansion(tuple(pieces), tuple(run.missing))


class _Expander:
    def __init__(self, text: str, variables: Mapping[str, str]) -> None:
        self._text = text
        self._variables = variables
        self._size = 0
        self.missing: dict[str, None] = {}

    def pieces(self, parts: Sequence[SubstitutionNode]) -> list[_Piece]:
        pieces: list[_Piece] = []
        for part in parts:
            if isinstance(part, PlainText):
                text = self._text[part.start : part.end]
                pieces.append(_Piece(text, part.start, part.end, exact=True))
            else:
                pieces += self._call(part)
        return [piece for piece in pieces if piece.text]

    def _call(self, call: FuncNode) -> list[_Piece]:
        value = self._variables.get(call.name, "").replace("\n", "")
        if call.operator in DEFAULTS:
            if not value:
                return self.pieces(call.arguments[0])
        else:
            if call.name not in self._variables:
                self.missing[call.name] = None
            # an unset variable has a length too: `${#UNSET}` is 0
            arguments = [self._argument_text(argument) for argument in call.arguments]
            self._charge(call.operator, value, arguments)
            value = _apply(call.operator, value, arguments)
        return [_Piece(value, call.start, call.end, exact=False)]

    def _argument_text(self, parts: tuple[SubstitutionNode, ...]) -> str:
        return "".join(piece.text for piece in self.pieces(parts))

    def _charge(self, operator: str, value: str, arguments: list[str]) -> None:
        """Count the largest possible result of an operator before computing it."""
        new = arguments[1] if len(arguments) > 1 else ""
        self._size += len(value)
        if operator.startswith("/"):
            self._size += len(new) * (value.count(arguments[0]) if operator == "//" else 1)
        if self._size > _MAX_EXPANDED + len(self._text):
            raise BadSubstitutionError("the substituted text is too long")


DISABLED_KEY = "kustomize.toolkit.fluxcd.io/substitute"
"""Label or annotation that, with the value `disabled`, exempts an object."""


@record
class Substituted:
    """A text after substitution.

    `missing` names the variables that have neither a value nor a default; Flux replaces them by
    nothing, or fails in strict mode. `refusal` says why Flux cannot expand the text at all; the
    text is then the original.
    """

    text: str
    original: str
    missing: tuple[str, ...] = ()
    refusal: str = ""
    pieces: tuple[_Piece, ...] = ()

    def origin(self, span: Span) -> Span:
        """The range of the original that a span of `text` stands for.

        For the value of a variable, that is the whole `${...}`; for a default, the default itself.
        An empty span is a point.
        """
        if not self.pieces:
            return span if self.text == self.original else Span(0, len(self.original))
        start = self._left(span.start)
        return Span(start, self._right(span.end) if span.end > span.start else start)

    def renamed(self, text: str) -> Substituted:
        """A substitution with another text, in which every part maps to the whole original."""
        return Substituted(text, self.original)

    def _left(self, offset: int) -> int:
        for piece_start, piece in self._pieces_with_offsets():
            if offset < piece_start + len(piece.text):
                return piece.start + (offset - piece_start if piece.exact else 0)
        return self.pieces[-1].end

    def _right(self, offset: int) -> int:
        for piece_start, piece in self._pieces_with_offsets():
            if offset <= piece_start + len(piece.text):
                return piece.start + offset - piece_start if piece.exact else piece.end
        return self.pieces[-1].end

    def _pieces_with_offsets(self) -> Iterator[tuple[int, _Piece]]:
        offset = 0
        for piece in self.pieces:
            yield offset, piece
            offset += len(piece.text)


def substitute(text: str, variables: Mapping[str, str]) -> Substituted:
    """Expand `${VAR}` in a text as Flux's post-build substitution does.

    Defaults count without any variable given. Never raises.
    """
    try:
        expansion = _expand(text, variables)
    except BadSubstitutionError as refusal:
        return Substituted(text, text, refusal=str(refusal))
    result = "".join(piece.text for piece in expansion.pieces)
    return Substituted(result, text, expansion.missing, pieces=expansion.pieces)


def stays_plain(text: str) -> bool:
    """Whether kustomize writes a text without quotes before Flux substitutes in it.

    Flux substitutes in the YAML that `sigs.k8s.io/yaml` writes of the built
    object, whatever the style in the source: a one-line text that needs no
    quotes there is read again afterwards, so that `"${WAIT:=true}"` becomes a
    boolean.
    """
    return not (_NEEDS_QUOTES.search(text) or (not text.isascii() and _ESCAPED.search(text)))


_NEEDS_QUOTES = regex(
    r"\A\Z|\A[\s,\[\]{}#&*!|>'\"%@`]|\A[-?:](?:\s|\Z)|\A(?:---|\.\.\.)|\s\Z|:(?:\s|\Z)|\s#"
    r"|[\x00-\x1f\x7f]"
)
_ESCAPED = regex(r"[^\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
"""Apart, since it takes longer to compile than a file to read."""


def _apply(operator: str, value: str, arguments: list[str]) -> str:
    """The value after an operator with evaluated arguments.

    The default operators are not here, because their arguments are evaluated only if they are used.
    An unknown operator does not change the value.
    """
    if operator == "#" and not arguments:
        return str(len(value.encode()))
    function = _FUNCTIONS.get(operator)
    return function(value, *arguments) if function else value


def _recase(value: str, change: Callable[[str], str]) -> str:
    """Change case letter by letter, like Go: no letter becomes two."""
    return "".join(new if len(new := change(char)) == 1 else char for char in value)


def _substring(value: str, position: str, length: str | None = None) -> str:
    data = value.encode()
    start = _number(position)
    if start is None:
        return value
    if start < 0:
        start = max(0, len(data) + start)
    if length is None:
        return data[start:].decode(errors="replace")
    size = _number(length)
    if size is None:
        return value
    end = len(data) + size if size < 0 else start + size
    return data[start : max(start, end)].decode(errors="replace")


def _number(text: str) -> int | None:
    return int(text) if re.fullmatch(r"[-+]?[0-9]{1,18}", text) else None


def _replace_prefix(value: str, old: str, new: str | None = None) -> str:
    if new is None or not value.startswith(old):
        return value
    return new + value.removeprefix(old)


def _replace_suffix(value: str, old: str, new: str | None = None) -> str:
    if new is None or not value.endswith(old):
        return value
    return value.removesuffix(old) + new


def _trim_prefix(value: str, pattern: str, *, longest: bool) -> str:
    """Cut the prefix that a glob matches; an empty match cuts nothing."""
    matcher = _glob(pattern)
    if matcher is None:
        return value
    sizes = range(len(value), 0, -1) if longest else range(1, len(value) + 1)
    for size in sizes:
        if matcher.fullmatch(value, 0, size):
            return value[size:]
    return value


def _trim_suffix(value: str, pattern: str, *, longest: bool) -> str:
    """Cut a suffix as envsubst does: both texts are reversed, classes included."""
    return _trim_prefix(value[::-1], pattern[::-1], longest=longest)[::-1]


def _glob(pattern: str) -> re.Pattern[str] | None:
    r"""A glob of `*`, `?`, `[a-z]`, `[^a]` and `\c`; None for a malformed one.

    Each `*` takes the first match of what follows it and never goes back, so
    that matching stays polynomial on hostile patterns.
    """
    chunks, position, chunk = [], 0, ""
    while position < len(pattern):
        if pattern[position] == "*":
            chunks.append(chunk)
            chunk = ""
            position += 1
            continue
        term = _TERM.match(pattern, position)
        if term is None:
            return None
        chunk += _term(term)
        position = term.end()
    chunks.append(chunk)
    # An atomic group never gives back what it took, as envsubst (path/match.go) goes on after the
    # first fit of each part.
    prefix, *patterns = chunks
    if not patterns:
        return re.compile(prefix, re.DOTALL)
    middle = "".join(f"(?>.*?{part})" for part in patterns[:-1])
    return re.compile(f"{prefix}{middle}.*{patterns[-1]}", re.DOTALL)


def _term(term: re.Match[str]) -> str:
    match term.lastgroup:
        case "class":
            members = re.sub(r"\\(.)|([\[\]^&~|])", r"\\\1\2", term["class"])
            return f"[{term['not']}{members}]"
        case "any":
            return "."
        case _:
            return re.escape(term["escaped"] or term["char"])


_FUNCTIONS: dict[str, Callable[..., str]] = {
    ",": lambda value: _recase(value[:1], str.lower) + value[1:],
    ",,": lambda value: _recase(value, str.lower),
    "^": lambda value: _recase(value[:1], str.upper) + value[1:],
    "^^": lambda value: _recase(value, str.upper),
    ":": _substring,
    "/": lambda value, old, new="": value.replace(old, new, 1),
    "//": lambda value, old, new="": value.replace(old, new),
    "/#": _replace_prefix,
    "/%": _replace_suffix,
    "#": lambda value, pattern: _trim_prefix(value, pattern, longest=False),
    "##": lambda value, pattern: _trim_prefix(value, pattern, longest=True),
    "%": lambda value, pattern: _trim_suffix(value, pattern, longest=False),
    "%%": lambda value, pattern: _trim_suffix(value, pattern, longest=True),
}
