"""Flux post-build substitution of one text, with the way back to what was written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from celvet.lint.manifest.substitute.grammar import (
    BadSubstitutionError,
    FuncNode,
    PlainText,
    SubstitutionNode,
    parse,
)
from celvet.lint.manifest.substitute.operators import apply
from celvet.lint.model import Span
from celvet.record import record
from celvet.regex import regex

_MAX_EXPANDED = 256 * 1024
"""Code points that one expansion may give; `${a//x/${b//y/...}}` multiplies."""

DEFAULTS = frozenset((":=", ":-", ":+", ":?", "="))
"""The operators that need no value (`isDefaultOp` of fluxcd/pkg/envsubst)."""


@record
class _Piece:
    """Expanded text and the source range it stands for; an exact one is a copy of it."""

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
        found: list[_Piece] = []
        for part in parts:
            if isinstance(part, PlainText):
                text = self._text[part.start : part.end]
                found.append(_Piece(text, part.start, part.end, exact=True))
            else:
                found += self._call(part)
        return [piece for piece in found if piece.text]

    def _call(self, call: FuncNode) -> list[_Piece]:
        value = self._variables.get(call.name, "").replace("\n", "")
        if call.operator in DEFAULTS:
            if not value:
                return self.pieces(call.arguments[0])
        else:
            if call.name not in self._variables:
                self.missing[call.name] = None
            # Nothing has a length, too: `${#UNSET}` is 0.
            arguments = [self._joined(argument) for argument in call.arguments]
            self._charge(call.operator, value, arguments)
            value = apply(call.operator, value, arguments)
        return [_Piece(value, call.start, call.end, exact=False)]

    def _joined(self, parts: tuple[SubstitutionNode, ...]) -> str:
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

    `missing` names the variables that have neither a value nor a default; Flux
    would put nothing in their place, or refuse in strict mode. `refusal` says
    why Flux cannot expand the text at all; the text is then the original.
    """

    text: str
    original: str
    missing: tuple[str, ...] = ()
    refusal: str = ""
    pieces: tuple[_Piece, ...] = ()

    def origin(self, span: Span) -> Span:
        """The range of the original that a span of `text` stands for.

        What a variable gave stands for its whole `${...}`; a default stands for
        itself. An empty span is a point.
        """
        if not self.pieces:
            return span if self.text == self.original else Span(0, len(self.original))
        start = self._left(span.start)
        return Span(start, self._right(span.end) if span.end > span.start else start)

    def renamed(self, text: str) -> Substituted:
        """The same for another reading of the text, in which every part stands for the whole."""
        return Substituted(text, self.original)

    def _left(self, offset: int) -> int:
        for at, piece in self._placed():
            if offset < at + len(piece.text):
                return piece.start + (offset - at if piece.exact else 0)
        return self.pieces[-1].end

    def _right(self, offset: int) -> int:
        for at, piece in self._placed():
            if offset <= at + len(piece.text):
                return piece.start + offset - at if piece.exact else piece.end
        return self.pieces[-1].end

    def _placed(self) -> Iterator[tuple[int, _Piece]]:
        at = 0
        for piece in self.pieces:
            yield at, piece
            at += len(piece.text)


def substitute(text: str, variables: Mapping[str, str]) -> Substituted:
    """Expand `${VAR}` in a text as Flux's post-build substitution does.

    Defaults count without any variable given. Never raises.
    """
    try:
        expansion = _expand(text, variables)
    except BadSubstitutionError as refusal:
        return Substituted(text, text, refusal=str(refusal))
    expanded = "".join(piece.text for piece in expansion.pieces)
    return Substituted(expanded, text, expansion.missing, pieces=expansion.pieces)


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
