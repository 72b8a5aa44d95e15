"""Splits a text at its document markers, so that a broken document spares the others."""

from __future__ import annotations

import re
from collections.abc import Iterator
from heapq import merge

from celvet.lint.go.json_stream import object_ends
from celvet.lint.model import Span
from celvet.regex import regex

_EOL = "\r\n\x85\u2028\u2029"
# The lookbehind comes last, so that the search begins with fixed characters; searching for one of
# two texts takes five times as long.
_BEGINS, _ENDS = (
    regex(rf"{mark}(?<![^{_EOL}](?s:...))(?=[ \t{_EOL}]|\Z)[^{_EOL}]*")
    for mark in ("---", r"\.\.\.")
)
_NEXT_OBJECT = regex(r"\}[ \t\r\n]*\{")
"""In JSON, only a stream of objects has this outside of texts."""
_PREAMBLE = regex(rf"(?:[ \t]*(?:[#%][^{_EOL}]*)?(?:[{_EOL}]|\Z))*+")


def split(text: str) -> Iterator[Span]:
    """The ranges of the documents, in order and without gaps.

    A `---` in the first column starts a document wherever it is (inside a
    block scalar it can only stand indented), a `...` ends one. Comments and
    directives before a `---` belong to the document that it starts. Each object of a JSON stream
    is a document, as for kubectl and Flux Operator.
    """
    start = 0
    ends = object_ends(text) if _NEXT_OBJECT.search(text) else []
    for end in ends if len(ends) > 1 else ():
        yield Span(start, end)
        start = end
    markers = merge(_BEGINS.finditer(text, start), _ENDS.finditer(text, start), key=re.Match.start)
    for marker in markers:
        if marker[0].startswith("..."):
            yield Span(start, marker.end())
            start = marker.end()
        elif not _is_preamble(text, start, marker.start()):
            yield Span(start, marker.start())
            start = marker.start()
    yield Span(start, len(text))


def is_dropped(text: str, span: Span) -> bool:
    """Whether a document after a `...` does not begin with `---`.

    kubectl and kustomize divide a file at `---` and read the first document of each part.
    """
    line = text[text.rfind("\n", 0, span.start) + 1 : span.start]
    begins = _PREAMBLE.match(text, span.start, span.end)
    start = begins.end() if begins else span.start
    return line.startswith("...") and start < span.end and not text.startswith("---", start)


def _is_preamble(text: str, start: int, end: int) -> bool:
    preamble = _PREAMBLE.match(text, start, end)
    return preamble is not None and preamble.end() == end
