"""The text of one document, as it is in the file and as the parser is to see it."""

from __future__ import annotations

from celvet.lint.model import Span
from celvet.record import record
from celvet.regex import regex


@record
class DocumentText:
    """One document of a file.

    `text` is the text of the whole file, of which the document has the range from
    `start` to `end`; `content` is that part. `index` counts documents from 1.
    `parser_text` is what the parser gets: as long as `content`, but possibly different
    inside double quotes, so that such scalars are to be decoded from `text`.
    """

    text: str
    start: int
    end: int
    index: int
    content: str
    parser_text: str

    @classmethod
    def of(cls, text: str, span: Span, index: int) -> DocumentText:
        """The document in a range of a file's text."""
        content = text[span.start : span.end]
        return cls(text, span.start, span.end, index, content, _without_surrogates(content))

    @property
    def patched(self) -> bool:
        """Whether the parser gets another text than the file has."""
        return self.parser_text is not self.content

    @property
    def misused_separator(self) -> Span | None:
        """The first line with `---` and text behind it, for which kubectl and kustomize refuse it.

        In the first line of a file, kustomize accepts it.
        """
        line = _MISUSED_SEPARATOR.search(self.text, max(self.start - 1, 0), self.end)
        return Span(line.start() + 1, line.end()) if line else None


_MISUSED_SEPARATOR = regex(r"\n---[^\S\n]*(?=[^\s#])[^\r\n]*")
_SURROGATE = regex(r"\\u[dD][89a-fA-F][0-9a-fA-F]{2}")


def _without_surrogates(text: str) -> str:
    r"""JSON with each `\ud83d` replaced by an escape as long that YAML accepts.

    YAML knows no surrogate pairs. What is replaced by mistake, after a doubled
    backslash, does no harm: the scalars are decoded from the text as it is.
    """
    if text.lstrip()[:1] not in ("{", "[") or "\\ud" not in text.lower():
        return text
    return _SURROGATE.sub(r"\\u0020", text)
