"""The text of one document, as it stands in the file and as the parser is to see it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from celvet.lint.model import Span


@dataclass(frozen=True, slots=True)
class Chunk:
    """`text` is the file's, `start` and `end` bound the document, which counts `index` from 1.

    `parsed` has the length of the document's own text and may differ from it
    inside double quotes: such scalars are then to be decoded from `text`.
    """

    text: str
    start: int
    end: int
    index: int
    own: str
    parsed: str

    @classmethod
    def of(cls, text: str, span: Span, index: int) -> Chunk:
        """The chunk of a range of a file's text."""
        own = text[span.start : span.end]
        return cls(text, span.start, span.end, index, own, _without_surrogates(own))

    @property
    def patched(self) -> bool:
        """Whether the parser sees another text."""
        return self.parsed is not self.own


_SURROGATE = re.compile(r"\\u[dD][89a-fA-F][0-9a-fA-F]{2}")


def _without_surrogates(text: str) -> str:
    r"""JSON with each `\ud83d` replaced by an escape as long that YAML accepts.

    YAML knows no surrogate pairs. What is replaced by mistake, after a doubled
    backslash, does no harm: the scalars are decoded from the text as it is.
    """
    if text.lstrip()[:1] not in ("{", "[") or "\\ud" not in text.lower():
        return text
    return _SURROGATE.sub(r"\\u0020", text)
