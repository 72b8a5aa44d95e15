"""The comments of a manifest; a `#` inside a scalar does not begin one."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from celvet.lint.manifest.document import Document, Manifest
from celvet.lint.manifest.yaml.node import YamlNode, walk
from celvet.record import record
from celvet.regex import regex

_HASH = regex(r"#[^\r\n\x85\u2028\u2029]*")
_AFTER_BLANK = regex(rf"(?<![^ \t\r\n]){_HASH.pattern}")
_BLOCK_HEADER = regex(r"[|>][-+0-9]*[ \t]*")


@record
class Comment:
    """One comment: `text` from the `#` to the end of the line, at `start` in the file's text.

    `own_line` says that only blanks precede it on its line.
    """

    document: int
    start: int
    text: str
    own_line: bool


def comments(manifest: Manifest) -> list[Comment]:
    """All comments, in the order of the text.

    For libyaml, every `#` outside of a scalar starts one, even right after `]`. In an unreadable
    document, whose scalars are unknown, the first `#` of a line that follows white space does.
    """
    if "#" not in manifest.text:
        return []
    return [
        comment
        for document in manifest.documents
        for comment in (_comments_of if document.readable else _guess_comments)(
            manifest.text, document
        )
    ]


def _guess_comments(text: str, document: Document) -> Iterator[Comment]:
    for comment in _AFTER_BLANK.finditer(text, document.start, document.end):
        start = comment.start()
        yield Comment(document.index, start, comment[0].rstrip(), _has_own_line(text, start))


def _comments_of(text: str, document: Document) -> Iterator[Comment]:
    scalars = [_content(text, node) for node in walk(document.root) if node.kind == "scalar"]
    starts = [start for start, _ in scalars]
    start = document.start
    while (start := text.find("#", start, document.end)) >= 0:
        # A `#` in a scalar is text: go on behind that scalar.
        index = bisect_right(starts, start) - 1
        if index >= 0 and start < scalars[index][1]:
            start = scalars[index][1]
            continue
        comment = _HASH.match(text, start, document.end)
        end = comment.end() if comment else document.end
        yield Comment(document.index, start, text[start:end].rstrip(), _has_own_line(text, start))
        start = end


def _content(text: str, node: YamlNode) -> tuple[int, int]:
    """The range of a scalar without the header of a block, which may contain a comment."""
    if node.style not in ("literal", "folded"):
        return node.start, node.end
    header = _BLOCK_HEADER.match(text, node.start, node.end)
    start = header.end() if header else node.start
    comment = _HASH.match(text, start, node.end)
    return (comment.end() if comment else start), node.end


def _has_own_line(text: str, start: int) -> bool:
    while start and text[start - 1] in " \t":
        start -= 1
    return start == 0 or text[start - 1] in "\r\n"
