"""Reads a file of manifests: bytes in, documents with positions out, never an exception."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from typing import TypeAlias

from celvet.lint.lru_cache import CachedFunction
from celvet.lint.manifest.compose_document import (
    compose_document,
    document_with_value,
    dropped_document,
    surplus_document,
)
from celvet.lint.manifest.document import Document, Manifest
from celvet.lint.manifest.file_limits import MAX_BYTES, MAX_DOCUMENTS, MAX_NESTED_TEXTS, Budget
from celvet.lint.manifest.objects.held import Embedded, embedded
from celvet.lint.manifest.objects.patches import Patch, patches
from celvet.lint.manifest.objects.raw_objects import raw_objects
from celvet.lint.manifest.problem import Problem, source_range
from celvet.lint.manifest.source.document_text import DocumentText
from celvet.lint.manifest.source.encoding import decode
from celvet.lint.manifest.source.split import is_dropped, split
from celvet.lint.manifest.yaml.compose import NodeRewriter
from celvet.lint.manifest.yaml.plain import TextRewriter, plain_value
from celvet.lint.model import Path, Span, Value
from celvet.lint.values import get
from celvet.record import record, replace

_MOST_REMEMBERED = 2 * 2**20
"""Characters of the files that were read recently."""

_MARKS_OF_VARIABLES = (b"${", b"{{", b"\\", b"\0")
"""One is in every file with a variable: in a patch, it may be behind an escape such as `\\x24`;
in UTF-16, `$` and `{` are apart. In a template, variables stand for actions."""

_Variables: TypeAlias = tuple[tuple[str, str], ...] | None


def read(
    data: bytes | str,
    name: str = "",
    substitutions: Mapping[str, str] | None = None,
    *,
    substitute: bool = True,
) -> Manifest:
    """Read the YAML or JSON of a file, document by document.

    `substitutions` are the variables of Flux's post-build substitution; the defaults in the file
    count even without any. Without `substitute`, `${VAR}` is plain text. Every mistake becomes a
    `Problem` of the file or of one document; this function does not raise. The bytes of a recently
    read file are not read again.
    """
    if not isinstance(data, bytes) and "\0" in data:
        data = data.encode(errors="surrogatepass")  # the saved file would be binary
    if not isinstance(data, bytes):
        variables_ = (substitutions or {}) if substitute else None
        return _ManifestReader(Budget(), variables_).manifest(data, name)
    variables: _Variables = None
    if substitute and any(mark in data for mark in _MARKS_OF_VARIABLES):
        variables = tuple((substitutions or {}).items())
    return replace(_recent_manifests((data, variables)), name=name)


def read_unsubstituted(data: bytes, name: str = "") -> Manifest:
    """Read a file in which `${VAR}` is plain text, and so are the texts that are manifests."""
    return replace(_unsubstituted_manifests(data), name=name)


def _read_unsubstituted(data: bytes) -> Manifest:
    if manifest := _recent_manifests.cached((data, None)):
        return manifest
    return _ManifestReader(Budget(), None, batch=True, nested=False).manifest(data)


def _read(key: tuple[bytes, _Variables]) -> Manifest:
    data, variables = key
    if variables is not None:
        return _ManifestReader(Budget(), dict(variables), batch=True).manifest(data)
    reader = _ManifestReader(Budget(), None, batch=True)
    manifest = _unsubstituted_manifests.cached(data)
    return reader.with_inner_texts(manifest) if manifest else reader.manifest(data)


def _weight(manifest: Manifest) -> int:
    """The length of the text; beyond the limit if it cannot be read as a whole."""
    return _MOST_REMEMBERED + 1 if manifest.problems else len(manifest.text)


_recent_manifests = CachedFunction(_read, _weight, _MOST_REMEMBERED)
_unsubstituted_manifests = CachedFunction(_read_unsubstituted, _weight, _MOST_REMEMBERED)


def read_value(value: Value) -> Manifest:
    """An object that is not in a file, as a manifest.

    The patches in it are texts in which Flux may still replace variables: those without a default
    are unresolved.
    """
    document = Document(1, 0, 0, value=value)
    inner = _ManifestReader(Budget(), {}).inner(document)
    return Manifest("", "", (replace(document, inner=inner),))


@record
class _ManifestReader:
    """Reads a text with the variables of a substitution; None for no substitution.

    `depth` counts the texts around this one, in which it is a scalar. In a `batch`, nodes are
    composed on demand. Only a `nested` reader reads the texts in documents too.
    """

    budget: Budget
    variables: Mapping[str, str] | None
    depth: int = 0
    batch: bool = False
    nested: bool = True

    def manifest(self, data: bytes | str, name: str = "") -> Manifest:
        """The manifest that a file or an inner text is."""
        text, bom, problem = decode(data)
        if problem:
            return Manifest(name, text, (), (problem,), bom)
        documents = tuple(self._documents(text))
        if any(document.problems for document in documents):
            from celvet.lint.manifest.helm_templates import skip_helm_templates

            documents = tuple(self._filled(text, document) for document in documents)
            documents = tuple(skip_helm_templates(text, documents))
        return Manifest(name, text, documents, bom=bom)

    def _filled(self, text: str, document: Document) -> Document:
        """A document; a template that can be read is, with its actions as unknown values."""
        from celvet.lint.manifest.helm_templates import fill_actions

        filled_text = None if self.variables is None else fill_actions(text, document)
        if filled_text is None:
            return document
        source = DocumentText.of(filled_text, Span(document.start, document.end), document.index)
        reading = self._read_document(source)
        return reading if reading and reading.readable else document

    def _documents(self, text: str) -> Iterator[Document]:
        """Read document by document; one that exhausts the limits of a file is the last."""
        index = 1
        for span in split(text):
            source = DocumentText.of(text, span, index)
            if index > MAX_DOCUMENTS:
                yield surplus_document(source)
                return
            # kubectl and Flux skip such a text without a word, but the documents after it keep
            # their numbers.
            if is_dropped(text, span):
                yield dropped_document(source)
                index += 1
                continue
            document = self._read_document(source)
            if document:
                yield self._with_inner(document) if self.nested else document
                index += 1
                if self.budget.spent:
                    return

    def _read_document(self, source: DocumentText) -> Document | None:
        """The document with Flux's substitution, except where that is switched off."""
        if self.variables is None or "${" not in source.content:
            return self._read_value_only(source) or compose_document(source, self.budget)
        from celvet.lint.manifest.substitute.substitution import DISABLED_KEY
        from celvet.lint.manifest.yaml.substituted import exempt_ranges, rewriter, text_rewriter

        if DISABLED_KEY not in source.content:
            # Most files need values only, which libyaml gives much faster than nodes; nodes are
            # then composed with a budget of their own when a finding asks for a place.
            later = rewriter(self.variables, [], Budget())
            in_texts = text_rewriter(self.variables)
            if document := self._read_value_only(source, in_texts, later):
                return document
            now = rewriter(self.variables, [], self.budget)
            return compose_document(source, self.budget, now)
        # The objects that opted out are known only after a first reading, which costs no budget.
        plain = compose_document(source, copy.copy(self.budget))
        if plain is None or plain.root is None:
            return plain
        exempt = exempt_ranges(plain.root)
        return compose_document(source, self.budget, rewriter(self.variables, exempt, self.budget))

    def _read_value_only(
        self,
        source: DocumentText,
        rewrite: TextRewriter | None = None,
        later: NodeRewriter | None = None,
    ) -> Document | None:
        """The document with only its value; None if its nodes have to be composed.

        `rewrite` changes its texts, and `later` does so when its nodes are composed.
        """
        plain = plain_value(source, self.budget, rewrite) if self.batch else None
        return document_with_value(source, plain, later) if plain else None

    def with_inner_texts(self, manifest: Manifest) -> Manifest:
        """A manifest that was read without the texts in it, together with them."""
        return replace(manifest, documents=tuple(map(self._with_inner, manifest.documents)))

    def _with_inner(self, document: Document) -> Document:
        inner = self.inner(document)
        return replace(document, inner=inner) if inner else document

    def inner(self, document: Document) -> dict[Path, Manifest]:
        """The texts in a document that are manifests: patches and whole objects, by path."""
        manifests: dict[Path, Manifest] = {}
        for part in raw_objects(document.value) if self.depth < MAX_NESTED_TEXTS else ():
            if part.templated:
                continue
            texts: list[Patch | Embedded] = [*patches(part.value), *embedded(part.value)]
            for path in (part.path + text.path for text in texts):
                manifest = self._read_text(document, path)
                if manifest:
                    manifests[path] = manifest
                if self.budget.spent:
                    return manifests
        return manifests

    def _read_text(self, document: Document, path: Path) -> Manifest | None:
        """The text at a path, read as manifests; None if there is no text.

        A text with unresolved variables is substituted scalar by scalar; in one that was
        substituted as a whole, what looks like a variable is plain text. The budget is that of the
        file: an alias repeats a text for free.
        """
        text = get(document.value, path)
        if not isinstance(text, str):
            return None
        self.budget.characters -= len(text)
        if self.budget.spent:
            message = f"the texts in the file have more than {MAX_BYTES} characters"
            problem = Problem("too-large", message, "Split the file.", source_range(1, 0, 0))
            return Manifest("", text, (), (problem,))
        node = document.node_at(path) if self.variables is not None else None
        variables = None if node and node.substituted else self.variables
        return _ManifestReader(self.budget, variables, self.depth + 1, batch=self.batch).manifest(
            text
        )
