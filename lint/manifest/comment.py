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
        for comment in (_of_document if document.readable else _guessed)(manifest.text, document)
    ]


def _guessed(text: str, document: Document) -> Iterator[Comment]:
    for found in _AFTER_BLANK.finditer(text, document.start, document.end):
        at = found.start()
        yield Comment(document.index, at, found[0].rstrip(), _has_own_line(text, at))


def _of_document(text: str, document: Document) -> Iterator[Comment]:
    scalars = [_content(text, node) for node in walk(document.root) if node.kind == "scalar"]
    starts = [start for start, _ in scalars]
    at = document.start
    while (at := text.find("#", at, document.end)) >= 0:
        index = bisect_right(starts, at) - 1
        if index >= 0 and at < scalars[index][1]:
            at = scalars[index][1]
            continue
        found = _HASH.match(text, at, document.end)
        end = found.end() if found else document.end
        yield Comment(document.index, at, text[at:end].rstrip(), _has_own_line(text, at))
        at = end


def _content(text: str, node: YamlNode) -> tuple[int, int]:
    """The range of a scalar without the header of a block, which may contain a comment."""
    if node.style not in ("literal", "folded"):
        return node.start, node.end
    header = _BLOCK_HEADER.match(text, node.start, node.end)
    start = header.end() if header else node.start
    comment = _HASH.match(text, start, node.end)
    return (comment.end() if comment else start), node.end


def _has_own_line(text: str, at: int) -> bool:
    while at and text[at - 1] in " \t":
        at -= 1
    return at == 0 or text[at - 1] in "\r\n"
