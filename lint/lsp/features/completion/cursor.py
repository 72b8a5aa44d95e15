"""Finds where the cursor is, in an unfinished text.

A mark is inserted at the cursor and found again in the parsed text. If the text is not valid YAML,
a valid mark replaces what has been typed on the line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Literal, TypeAlias

from celvet.lint.checks.object_kind import kind_of_objects
from celvet.lint.manifest import Document, YamlNode, objects_in, read
from celvet.lint.manifest.yaml.scalars import Decoding, decode
from celvet.lint.model import Path, Span, Value
from celvet.lint.validation import Site
from celvet.lint.values import mapping_at, object_ref_of, parts_in
from celvet.record import record, replace
from celvet.regex import regex
from celvet.schemas import Catalog, Kind
from celvet.schemas.kind import Schema
from celvet.schemas.walk import ANY_KEY, CONDITIONS, ITEM, children


@record
class Context:
    """What the cursor is in: an object, and the path in it.

    `kind` is None while the object is not of a known kind. `schemas` describe the value at the
    path.
    """

    object: Mapping[str, Value]
    kind: Kind | None
    path: Path
    schemas: tuple[Schema, ...]

    @property
    def objects(self) -> tuple[str, str]:
        """`apiVersion` and `kind` of the objects that an expression here reads."""
        path, mark = self._check
        return kind_of_objects(mark.get("objects", ""), path, self.object)

    @property
    def _check(self) -> tuple[Path, Schema]:
        """The path of the check that an expression here belongs to, and its mark."""
        root = self.kind.schema if self.kind else {}
        for size in range(len(self.path) - 1, -1, -1):
            for schema in _schemas(root, self.path[:size]):
                if mark := schema.get("x-check"):
                    return self.path[:size], mark
        return self.path[:-1], {}

    @property
    def mapping_around(self) -> Mapping[str, Value]:
        """The mapping that contains the value at the path."""
        return mapping_at(self.object, self.path[:-1])

    @property
    def names_objects(self) -> bool:
        """Whether the mapping around the path names objects that are checked or waited for."""
        if self.kind is None or not self.path:
            return False
        schemas = _schemas(self.kind.schema, self.path[:-1])
        return self.path[:-2] == self.kind.waited_list or any(
            "x-check" in schema for schema in schemas
        )

    def site(self, text: str, catalog: Catalog) -> Site | None:
        """The site of an expression here; None if no expression belongs here."""
        for schema in self.schemas:
            if expression := schema.get("x-expression"):
                check = mapping_at(self.object, self._check[0])
                dialect = catalog.dialects[expression["dialect"]].for_object(self.object, check)
                return Site(self.path, text, dialect, expression["role"])
        return None


def context_at(document: Document, path: Path, catalog: Catalog) -> Context:
    """The innermost object around a path of a document; without any, the document's root."""
    obj: Mapping[str, Value] = document.value if isinstance(document.value, Mapping) else {}
    below = path
    for candidate in objects_in(document):
        start = candidate.where.path
        if candidate.where.inner is None and not candidate.partial and path[: len(start)] == start:
            obj, below = candidate.value, path[len(start) :]
    reference = object_ref_of(obj)
    kind = catalog.find(reference.api_version, reference.kind)
    return Context(obj, kind, below, _schemas(kind.schema, below) if kind else ())


def _schemas(root: Schema, path: Path) -> tuple[Schema, ...]:
    """The schemas of the value at a path, including conditional ones."""
    schemas = [*_schemas_of_value(root)]
    for step in path:
        child_schemas = [_child(schema, step) for schema in schemas]
        schemas = [
            schema_part
            for child in child_schemas
            if child is not None
            for schema_part in _schemas_of_value(child)
        ]
    return tuple(schemas)


def _schemas_of_value(schema: Schema) -> Iterator[Schema]:
    """A schema and those inside that describe the same value."""
    yield schema
    for keyword, segment, below in children(schema):
        if segment is None and keyword not in CONDITIONS:
            yield from _schemas_of_value(below)


def _child(schema: Schema, step: str | int) -> Schema | None:
    segments = {segment: below for _, segment, below in children(schema) if segment is not None}
    if isinstance(step, int):
        return segments.get(ITEM)
    return segments.get(step, segments.get(ANY_KEY))


MarkedPart: TypeAlias = Literal["key", "value"]

_MARK = "celvetCursor"
_LINE = regex(r"(?P<lead>[ \t]*(?:-[ ]+)*)(?P<key>[\w./\"'-]+[ \t]*:[ \t]+)?(?P<rest>.*)")
_COMMENT = regex(r"#|[^\"'].*\s#")
_FLOW = regex(r"[{,][ ]*(?P<key>[\w-]+:[ ]+)?(?P<word>[\w./-]*)\Z")
_WORD = regex(r"[\w./-]*")


@record
class InExpression:
    """In an expression; `site.text` is its part before the cursor.

    `decoding` tells how the file, in which the cursor is at `offset`, writes the
    text; without one, it is as the file has it.
    """

    context: Context
    site: Site
    offset: int
    decoding: Decoding | None = None

    def size(self, count: int) -> int:
        """The number of code points of the file for the last ones of the text."""
        if self.decoding is None or not count:
            return count
        start = len(self.site.text) - count
        return self.offset - self.decoding.source(Span(start, start + 1)).start


@record
class AtKey:
    """At a key of a mapping that begins with `word`.

    `dash` says whether the line begins an item of a list.
    """

    context: Context
    word: str
    mapping: Mapping[str, Value]
    dash: bool = False

    @property
    def siblings(self) -> frozenset[str]:
        """The keys that the mapping around the cursor has already."""
        return frozenset(self.mapping) - {_MARK}


@record
class AtValue:
    """At a value that begins with `word` and is not an expression."""

    context: Context
    word: str


Cursor: TypeAlias = InExpression | AtKey | AtValue


def cursor(text: str, offset: int, catalog: Catalog) -> Cursor | None:
    """What is at an offset of a document, or None."""
    scalar = marked_scalar(text, offset)
    result = scalar and (_in_expression(scalar, offset, catalog) or _in_manifest(scalar, catalog))
    return result or _beside_mark(text, offset, catalog)


@record
class MarkedScalar:
    """The scalar around the cursor: the texts before and after it, and how the file writes it."""

    document: Document
    path: Path
    before: str
    after: str
    style: str
    decoding: Decoding | None


def marked_scalar(text: str, offset: int) -> MarkedScalar | None:
    """The scalar around an offset, if the document can be read with a mark there."""
    marked_text = f"{text[:offset]}{_MARK}{text[offset:]}"
    for document in read(marked_text).documents:
        path, node = _scalar_at(document, offset)
        before, mark, after = node.text.partition(_MARK) if node else ("", "", "")
        if node and mark:
            decoding = decode(marked_text, node.style, node.start, node.end, node.written)
            return MarkedScalar(document, path, before, after, node.style, decoding)
    return None


def _scalar_at(document: Document, offset: int) -> tuple[Path, YamlNode | None]:
    """The scalar around an offset, and its path."""
    path: Path = ()
    node = document.root
    while node and node.kind != "scalar":
        below: Iterator[tuple[str | int, YamlNode]] = chain(
            enumerate(node.items), ((key.text, value) for key, value in node.pairs)
        )
        candidates = ((step, child) for step, child in below if child.start <= offset < child.end)
        step, node = next(candidates, ("", None))
        path = (*path, step)
    return path, node


def _in_expression(scalar: MarkedScalar, offset: int, catalog: Catalog) -> Cursor | None:
    """The expression that is the scalar."""
    context = context_at(scalar.document, scalar.path, catalog)
    site = context.site(scalar.before, catalog)
    return InExpression(context, site, offset, scalar.decoding) if site else None


def _in_manifest(scalar: MarkedScalar, catalog: Catalog) -> Cursor | None:
    """What is at the cursor in a manifest that is the scalar, such as a patch or a template.

    Only a literal block has its text as it is.
    """
    if scalar.style != "literal":
        return None
    result = cursor(scalar.before + scalar.after, len(scalar.before), catalog)
    return result if result and result.context.kind else None


def _beside_mark(text: str, offset: int, catalog: Catalog) -> Cursor | None:
    """What the line of an offset begins, found with a mark in its place."""
    start = max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1
    line = _LINE.match(text[start:offset])
    if line is None or _COMMENT.match(line["rest"]):
        return None
    # Braces end nowhere while the user types, so a line that looks like a mapping may be a text.
    in_flow = _in_flow(line[0], text, offset, catalog)
    if in_flow and in_flow.context.schemas:
        return in_flow

    # The mark replaces the line from its key or value on; what it held may be no YAML yet.
    rest_of_line = re.compile(r"[^\r\n]*").match(text, offset)
    end = rest_of_line.end() if rest_of_line else offset
    if line["key"]:
        marked_text = f"{text[:start]}{line['lead']}{line['key']}{_MARK}"
        marked_place = _find_mark(marked_text, text[end:], "value")
        return _at_value(marked_place, line["rest"], offset, catalog)
    if not _WORD.fullmatch(line["rest"]):
        return None
    marked_text = f"{text[:start]}{line['lead']}{_MARK}:"
    marked_place = _find_mark(marked_text, text[end:], "key")
    at_key = _at_key(marked_place, line["rest"], catalog)
    return replace(at_key, dash="-" in line["lead"]) if at_key else None


def _in_flow(line: str, text: str, offset: int, catalog: Catalog) -> Cursor | None:
    """What the line up to an offset begins in a mapping in braces."""
    flow_start = _FLOW.search(line)
    if flow_start is None:
        return None
    word = flow_start["word"]
    text_before = text[: offset - len(word)]
    if flow_start["key"]:
        marked_place = _find_mark(f"{text_before}{_MARK}", text[offset:], "value")
        return _at_value(marked_place, word, offset, catalog)
    marked_place = _find_mark(f"{text_before}{_MARK}: ", text[offset:], "key")
    return _at_key(marked_place, word, catalog)


def _find_mark(marked_text: str, text_after: str, kind: MarkedPart) -> tuple[Document, Path] | None:
    """The document and the path of the mark; if the text is not valid, without what follows."""
    for text in (marked_text + text_after, marked_text, f"{marked_text}}}", f"{marked_text}}}]"):
        for document in read(text).documents:
            for path in _marks(document.value, kind):
                return document, path
    return None


def _marks(value: Value, kind: MarkedPart) -> Iterator[Path]:
    for path, part in parts_in(value):
        if part == _MARK if kind == "value" else isinstance(part, dict) and _MARK in part:
            yield path


def _at_value(
    marked_place: tuple[Document, Path] | None, word: str, offset: int, catalog: Catalog
) -> Cursor | None:
    if marked_place is None:
        return None
    context = context_at(*marked_place, catalog)
    site = context.site(word.lstrip("\"'"), catalog)
    return InExpression(context, site, offset) if site else AtValue(context, word)


def _at_key(
    marked_place: tuple[Document, Path] | None, word: str, catalog: Catalog
) -> AtKey | None:
    if marked_place is None:
        return None
    context = context_at(*marked_place, catalog)
    mapping = context.object
    for step in context.path:
        mapping = mapping[step]  # type: ignore[index]
    return AtKey(context, word, mapping)
