"""Comments and annotations that suppress findings.

    current: status.ready # celvet: ignore[rule, rule] reason

A comment at the end of a line covers everything that begins on that line. A comment on a line of
its own covers the whole field, list item or document that begins next. In a document that cannot
be read, it covers everything below. Comments do not reach a cluster, so an object can have the
annotation `celvet.dev/ignore: "rule, rule: reason"`, which covers all of it.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import cached_property
from operator import itemgetter

from celvet.lint.manifest import Comment, Document, KubeObject, Manifest, YamlNode, comments
from celvet.lint.model import Span, Where
from celvet.lint.safe_text import one_line
from celvet.lint.values import get
from celvet.record import record
from celvet.regex import regex

_ANNOTATION = "celvet.dev/ignore"

_RULES = r"(?P<rules>[\w-]+(?:\s*,\s*[\w-]+)*)"
_COMMENT = regex(rf"celvet:\s*ignore\s*\[\s*{_RULES}\s*\]")
_INTENDED = regex(r"#+\s*(?P<written>celvet\s*:\s*(?:\w*\s*\[[^\]]*\]?|ignore\b.*))")
_VALUE = regex(rf"\s*{_RULES}\s*(?::|$)")


@record
class Suppression:
    """A comment or annotation: the rules that it names, its place, what it covers.

    `broken` is the text of a suppression that cannot be parsed; it then has no rules. `form` shows
    how to write one, with `{}` for the rules.
    """

    rules: tuple[str, ...]
    where: Where
    coverage: _Lines | _Below
    form: str
    broken: str = ""

    def covers(self, rule: str, where: Where) -> bool:
        """Whether a rule's finding at this place is suppressed."""
        return rule in self.rules and (where == self.where or self.coverage.contains(where))


@record
class _Below:
    """Everything at a path of a document, or below it."""

    where: Where

    def contains(self, where: Where) -> bool:
        outer, inner = self.where, where
        while outer.inner and inner.inner and _have_same_node(outer, inner):
            outer, inner = outer.inner, inner.inner
        return (
            not outer.inner
            and outer.document == inner.document
            and inner.path[: len(outer.path)] == outer.path
        )


def _have_same_node(place: Where, other_place: Where) -> bool:
    return (place.document, place.path) == (other_place.document, other_place.path)


@record
class _Lines:
    """Everything that begins within a range of a document's text."""

    document: _Beginnings
    span: Span

    def contains(self, where: Where) -> bool:
        start = self.document.start(where)
        return start is not None and self.span.start <= start < self.span.end


class _Beginnings:
    """Where places begin in a document; cached, since each suppression needs the same places."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._latest: tuple[Where, int | None] | None = None

    def start(self, where: Where) -> int | None:
        """Where a place begins in the text; None for one that is not in the document."""
        if self._latest is None or self._latest[0] is not where:
            self._latest = where, self._start(where)
        return self._latest[1]

    def _start(self, where: Where) -> int | None:
        if where.document != self._document.index:
            return None
        if where.source:
            return where.source.start
        key = self._document.key_at(where.path)
        node = key or self._document.node_at(where.path)
        return node.start if node else None

    def following(self, offset: int) -> Span:
        """The range of the outermost entry or item that begins next, or of nothing."""
        place = bisect_left(self._parts, offset, key=itemgetter(0))
        return self._parts[place] if place < len(self._parts) else Span(offset, offset)

    @cached_property
    def _parts(self) -> list[Span]:
        return [*_parts(self._document.root)]


def in_comments(manifest: Manifest) -> Iterator[Suppression]:
    """The suppressions in the comments of a file."""
    if "celvet:" not in manifest.text:
        return
    beginnings_by_document = {
        document.index: _Beginnings(document) for document in manifest.documents
    }
    for comment in comments(manifest):
        match, intention = _COMMENT.search(comment.text), _INTENDED.match(comment.text)
        document = manifest.document(comment.document)
        if (match or intention) and document:
            at = Span(comment.start, comment.start + len(comment.text))
            where = Where(comment.document, source=at)
            beginnings = beginnings_by_document[comment.document]
            span = _covered_span(manifest.text, document, beginnings, comment)
            rules, broken = _split(match), intention["written"] if intention and not match else ""
            coverage = _Lines(beginnings, span)
            yield Suppression(rules, where, coverage, "# celvet: ignore[{}]", _short(broken))


def in_annotation(obj: KubeObject) -> Iterator[Suppression]:
    """The suppression in an object's annotation."""
    path = ("metadata", "annotations", _ANNOTATION)
    value = get(obj.value, path)
    if isinstance(value, str):
        match, form = _VALUE.match(value), f'{_ANNOTATION}: "{{}}: reason"'
        where = obj.place(path)
        broken = "" if match else _short(f"{_ANNOTATION}: {value}")
        yield Suppression(_split(match), where, _Below(obj.where), form, broken)


def _split(match: re.Match[str] | None) -> tuple[str, ...]:
    return tuple(rule.strip() for rule in match["rules"].split(",")) if match else ()


def _short(text: str) -> str:
    """The text as messages quote it."""
    return one_line(text.replace("`", "'"))


def _covered_span(text: str, document: Document, beginnings: _Beginnings, comment: Comment) -> Span:
    if not comment.own_line:
        line = max(text.rfind(end, 0, comment.start) for end in "\n\r") + 1
        return Span(line, comment.start)
    if document.root is None:
        return Span(comment.start, document.end)
    return beginnings.following(comment.start)


def _parts(root: YamlNode | None) -> Iterator[Span]:
    """The ranges of the document and of its entries and items, outer ones first."""
    stack = [(Span(root.start, root.end), root)] if root else []
    while stack:
        span, node = stack.pop()
        yield span
        stack += [(Span(item.start, item.end), item) for item in reversed(node.items)]
        stack += [(Span(key.start, value.end), value) for key, value in reversed(node.pairs)]
