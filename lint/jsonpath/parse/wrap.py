"""Completes a path with braces as each controller does before client-go parses it."""

from __future__ import annotations

from celvet.lint.jsonpath.errors import JSONPathError
from celvet.lint.jsonpath.parse.offsets import Offsets
from celvet.lint.model import Span
from celvet.record import record
from celvet.regex import regex
from celvet.schemas.dialect import Wrap

_ROOTED = (".", "$", "@", "[")
_RELAXED = regex(r"\{\.?([^{}]+)\}|\.?([^{}]+)")


@record
class Wrapped:
    """The text that is really parsed, and where its characters come from."""

    text: str
    offsets: Offsets

    def span(self, span: Span) -> Span:
        """A span of the parsed text as a span of the user's."""
        return self.offsets.span(span)


def wrap(text: str, style: Wrap) -> Wrapped:
    """Complete a path; raises `JSONPathError` where the completion itself refuses.

    `ends` is `ensureValidWrapping` of Cartographer's `pkg/eval` (v0.7.0),
    `relaxed` is `RelaxedJSONPathExpression` of kubectl's `pkg/cmd/get`
    (v0.36.4), `none` leaves the text as it is. `pair` is for rukpak, whose design
    speaks of templates and shows paths without braces: a text with a brace is
    taken as it stands, any other gets a pair around it.
    """
    if style == "ends":
        return _with_ends(text)
    if style == "relaxed":
        return _relaxed(text)
    if style == "pair" and "{" not in text:
        return _around(text, Span(0, len(text)), "{" if text[:1] in _ROOTED else "{.", "}")
    return _around(text, Span(0, len(text)), "", "")


def _with_ends(text: str) -> Wrapped:
    """`{.` before a text that does not begin so, `}` after one that does not end so."""
    whole = Span(0, len(text))
    if not text:
        raise JSONPathError("empty-path", "empty jsonpath not allowed", whole)
    opening = "" if text.startswith("{.") else "{" if text.startswith(".") else "{."
    return _around(text, whole, opening, "" if text.endswith("}") else "}")


def _relaxed(text: str) -> Wrapped:
    """Braces and leading dot taken off where they are, and put around whatever is left."""
    if not text:
        return _around(text, Span(0, 0), "", "")
    match = _RELAXED.fullmatch(text)
    if match is None:
        wording = (
            "unexpected path string, expected a 'name1.name2' or '.name1.name2' "
            "or '{name1.name2}' or '{.name1.name2}'"
        )
        raise JSONPathError("nested-braces", wording, Span(0, len(text)))
    return _around(text, Span(*match.span(match.lastindex or 0)), "{.", "}")


def _around(text: str, kept: Span, opening: str, closing: str) -> Wrapped:
    whole = Offsets(0, 0, len(text))
    inner = opening + text[kept.start : kept.end] + closing
    return Wrapped(inner, whole.within(kept.start, kept.end, len(opening)))
