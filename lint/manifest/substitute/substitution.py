"""Flux post-build substitution of one text, with the way back to what was written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from celvet.lint.manifest.substitute.expand import Piece, expand
from celvet.lint.manifest.substitute.grammar import BadSubstitutionError
from celvet.lint.model import Span
from celvet.record import record
from celvet.regex import regex

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
    pieces: tuple[Piece, ...] = ()

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
        """The same for another reading of the text, whose every part stands for the whole."""
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

    def _placed(self) -> Iterator[tuple[int, Piece]]:
        at = 0
        for piece in self.pieces:
            yield at, piece
            at += len(piece.text)


def substitute(text: str, variables: Mapping[str, str]) -> Substituted:
    """Expand `${VAR}` in a text as Flux's post-build substitution does.

    Defaults count without any variable given. Never raises.
    """
    try:
        expansion = expand(text, variables)
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
    return not _NEEDS_QUOTES.search(text)


_NEEDS_QUOTES = regex(
    r"\A\Z|\A[\s,\[\]{}#&*!|>'\"%@`]|\A[-?:](?:\s|\Z)|\A(?:---|\.\.\.)|\s\Z|:(?:\s|\Z)|\s#"
    r"|[^\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)
