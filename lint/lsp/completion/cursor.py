"""Where the cursor is in a text that is being written.

Seldom is that valid YAML. Where it cannot be told from the text as it stands,
a mark that fits takes the place of what has been begun, and is looked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from lint.locate import Locator
from lint.lsp.analysis import index_at
from lint.lsp.completion.context import Context, context
from lint.manifest import Document, Manifest, Node, read
from lint.model import Path, Span, Value, Where
from lint.sites import Site
from schemas import Catalog

Marked: TypeAlias = Literal["key", "value"]

_MARK = "celvetCursor"
_LINE = re.compile(
    r"(?P<lead>[ \t]*(?:-[ ]+)*)(?P<key>[\w./\"'-]+[ \t]*:(?:[ \t]+|$))?(?P<rest>.*)"
)
_COMMENT = re.compile(r"#|[^\"'].*\s#")
_WORD = re.compile(r"[\w./-]*")


@dataclass(frozen=True, slots=True)
class InExpression:
    """In an expression of which `site.text` stands in front of the cursor."""

    context: Context
    site: Site


@dataclass(frozen=True, slots=True)
class AtKey:
    """At a key that begins with `typed`; `siblings` are the keys that are there already."""

    context: Context
    typed: str
    siblings: frozenset[str]


@dataclass(frozen=True, slots=True)
class AtValue:
    """At a value that begins with `typed` and is no expression."""

    context: Context
    typed: str


Cursor: TypeAlias = InExpression | AtKey | AtValue


def cursor(text: str, offset: int, catalog: Catalog) -> Cursor | None:
    """Where an offset of a document's text is; None where nothing can be told."""
    return _within_text(text, offset, catalog) or _beside_mark(text, offset, catalog)


def _within_text(text: str, offset: int, catalog: Catalog) -> Cursor | None:
    """The expression around an offset, if the document can be read as it stands."""
    manifest = read(text)
    for document in manifest.documents:
        for path, node in _scalars(document):
            if node.text and node.start <= offset <= node.end:
                found = context(document, path, catalog)
                before = node.text[: _decoded(manifest, Where(document.index, path), node, offset)]
                site = found.site(before, catalog)
                if site:
                    return InExpression(found, site)
    return None


def _scalars(document: Document) -> Iterator[tuple[Path, Node]]:
    stack: list[tuple[Path, Node]] = [((), document.root)] if document.root else []
    while stack:
        path, node = stack.pop()
        if node.kind == "scalar":
            yield path, node
        stack += (((*path, key.text), value) for key, value in node.pairs)
        stack += (((*path, index), item) for index, item in enumerate(node.items))


def _decoded(manifest: Manifest, where: Where, node: Node, offset: int) -> int:
    """How much of a scalar's text is written in front of an offset."""
    locator = Locator(manifest)

    def written(at: int) -> int:
        return locator.offsets(Where(where.document, where.path, Span(at, at))).start

    return index_at(offset, len(node.text), written)


def _beside_mark(text: str, offset: int, catalog: Catalog) -> Cursor | None:
    """What the line of an offset begins, by a mark in its place."""
    start = max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1
    line = _LINE.match(text[start:offset])
    if line is None or _COMMENT.match(line["rest"]):
        return None
    rest = re.compile(r"[^\r\n]*").match(text, offset)
    end = rest.end() if rest else offset
    if line["key"]:
        key = line["key"] if line["key"][-1].isspace() else f"{line['key']} "
        marked = f"{text[:start]}{line['lead']}{key}{_MARK}"
        return _at_value(_found(marked, text[end:], "value"), line["rest"], catalog)
    if not _WORD.fullmatch(line["rest"]):
        return None
    marked = f"{text[:start]}{line['lead']}{_MARK}:"
    return _at_key(_found(marked, text[end:], "key"), line["rest"], catalog)


def _found(marked: str, rest: str, what: Marked) -> tuple[Document, Path] | None:
    """The document and the path of the mark, what follows left out where it is not valid."""
    for text in (marked + rest, marked):
        for document in read(text).documents:
            for path in _marks(document.value, what):
                return document, path
    return None


def _marks(value: Value, what: Marked) -> Iterator[Path]:
    stack: list[tuple[Path, Value]] = [((), value)]
    while stack:
        path, part = stack.pop()
        if what == "value" and part == _MARK:
            yield path
        elif isinstance(part, dict):
            if what == "key" and _MARK in part:
                yield path
            stack += (((*path, name), each) for name, each in part.items())
        elif isinstance(part, list):
            stack += (((*path, index), each) for index, each in enumerate(part))


def _at_value(found: tuple[Document, Path] | None, typed: str, catalog: Catalog) -> Cursor | None:
    if found is None:
        return None
    about = context(*found, catalog)
    site = about.site(typed.lstrip("\"'"), catalog)
    return InExpression(about, site) if site else AtValue(about, typed)


def _at_key(found: tuple[Document, Path] | None, typed: str, catalog: Catalog) -> Cursor | None:
    if found is None:
        return None
    about = context(*found, catalog)
    mapping = about.object
    for step in about.path:
        mapping = mapping[step]  # type: ignore[index]
    return AtKey(about, typed, frozenset(mapping) - {_MARK})
