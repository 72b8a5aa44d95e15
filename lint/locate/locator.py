"""Finds the source of a symbolic place."""

from __future__ import annotations

from celvet.lint.locate.lines import LineRange, Lines
from celvet.lint.manifest.document import Document, Manifest
from celvet.lint.manifest.yaml.node import YamlNode
from celvet.lint.manifest.yaml.scalars import Decoding, decode
from celvet.lint.model import Path, Span, Where


class Locator:
    """Places in one file of manifests; keeps decoded texts for the next request.

    A place in an aliased or merged value is where that value is written; one in a text within a
    text is where the outer file has it; one in a substituted text is the source of the
    substitution. For a place that does not exist, it is its nearest existing ancestor.
    """

    def __init__(self, manifest: Manifest) -> None:
        self._manifest = manifest
        self._lines: Lines | None = None
        self._decodings: dict[int, Decoding] = {}
        self._inner_locators: dict[tuple[int, Path], Locator | None] = {}

    def place(self, where: Where) -> LineRange:
        """Line and column of a place; a whole value ends with its last visible character."""
        start, end = self.offsets(where)
        if where.span is None and where.inner is None and where.source is None:
            end = start + len(self._manifest.text[start:end].rstrip())
        return self._file_lines().place(Span(start, end))

    @property
    def name(self) -> str:
        """The name of the file."""
        return self._manifest.name

    def source_line(self, line: int) -> str:
        """One line of the file, counted from 1, without its break."""
        return self._file_lines().text(line)

    def offsets(self, where: Where) -> Span:
        """The range of the file's text for a place.

        A whole scalar includes its quotes or its block header. With `on_key`, it is the key; for a
        list item or the root, which have none, their first key.
        """
        if where.source is not None:
            return where.source
        document = self._manifest.document(where.document)
        if document is None or document.root is None:
            start = document.start if document else 0
            return Span(start, start)
        node = document.node_at(where.path)
        if node is None:
            return self._nearest(document, where.path)
        if where.inner is not None:
            locator = self._inner_locator(document, where.path)
            return self._within(node, locator.offsets(where.inner)) if locator else node.span
        if where.on_key:
            return self._head(document, where.path, node)
        return node.span if where.span is None else self._within(node, where.span)

    def source_span(self, where: Where) -> Span | None:
        """The range with exactly the place's span, for an edit; None if there is none.

        There is none for text from a variable, and for a missing path.
        """
        document = self._manifest.document(where.document)
        node = document.node_at(where.path) if document else None
        span = where.span
        if document and where.inner is not None:
            locator = self._inner_locator(document, where.path)
            span = locator.source_span(where.inner) if locator else None
        if node is None or span is None or node.kind != "scalar":
            return None
        origin = self._origin(node, span)
        if node.written[origin.start : origin.end] != node.text[span.start : span.end]:
            return None
        return self._within(node, span)

    def _file_lines(self) -> Lines:
        if self._lines is None:
            self._lines = Lines(self._manifest.text)
        return self._lines

    def _within(self, node: YamlNode, span: Span) -> Span:
        """The source of a span of a node's text; the whole node if it is not a scalar."""
        if node.kind != "scalar":
            return node.span
        decoding = self._decodings.get(id(node))
        if decoding is None:
            text, bounds = self._manifest.text, (node.start, node.end)
            decoding = self._decodings[id(node)] = decode(text, node.style, *bounds, node.written)
        return decoding.source(self._origin(node, span))

    @staticmethod
    def _origin(node: YamlNode, span: Span) -> Span:
        """The span in the text as it is written, before substitution.

        A point among the line breaks that end the text is moved before them:
        an expression that ends too early ends on its last line, not below it.
        """
        length = len(node.text.rstrip("\n"))
        if span.start >= length and (span.start >= span.end or span.start >= len(node.text)):
            span = Span(length, length)
        return node.substituted.origin(span) if node.substituted else span

    def _inner_locator(self, document: Document, path: Path) -> Locator | None:
        key = (document.index, path)
        if key not in self._inner_locators:
            manifest = document.inner.get(path)
            self._inner_locators[key] = Locator(manifest) if manifest else None
        return self._inner_locators[key]

    def _head(self, document: Document, path: Path, node: YamlNode) -> Span:
        key = document.key_at(path)
        if key is None and node.pairs:
            key = node.pairs[0][0]
        return key.span if key else node.span

    def _nearest(self, document: Document, path: Path) -> Span:
        """The key of the longest prefix of a path that exists."""
        for size in range(len(path) - 1, -1, -1):
            node = document.node_at(path[:size])
            if node:
                return self._head(document, path[:size], node)
        return Span(document.start, document.start)
