"""Reads a file of manifests: bytes in, documents with positions out, never an exception."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from typing import TypeAlias
from weakref import WeakValueDictionary

from celvet.lint.lru_cache import CachedFunction
from celvet.lint.manifest.compose_document import (
    compose_document,
    dropped,
    one_too_many,
    plain_document,
)
from celvet.lint.manifest.document import Document, Manifest
from celvet.lint.manifest.file_limits import MAX_BYTES, MAX_DOCUMENTS, MAX_NESTED_TEXTS, Budget
from celvet.lint.manifest.objects.patches import patches
from celvet.lint.manifest.objects.raw_objects import raw_objects
from celvet.lint.manifest.problem import Problem, source_range
from celvet.lint.manifest.source.document_text import DocumentText
from celvet.lint.manifest.source.encoding import decode
from celvet.lint.manifest.source.split import is_dropped, split
from celvet.lint.manifest.yaml.compose import NodeRewriter
from celvet.lint.manifest.yaml.plain import TextRewriter, plain_value, rewritten_value
from celvet.lint.model import Path, Value
from celvet.lint.values import get
from celvet.record import field, record, replace

_MOST_REMEMBERED = 2 * 2**20
"""Characters of the files that were read recently."""

_MARKS_OF_VARIABLES = (b"${", b"\\", b"\0")
"""One is in every file with a variable: in a patch, it may be behind an escape such as `\\x24`;
in UTF-16, `$` and `{` are apart."""

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
    return replace(_recent((data, variables)), name=name)


def read_unsubstituted(data: bytes, name: str = "") -> Manifest:
    """Read a file in which `${VAR}` is plain text, and so are the texts that are manifests.

    As long as someone keeps the result, `read` takes over what it can.
    """
    made = _alive[data] = replace(_unsubstituted(data), name=name)
    return made


def _read_unsubstituted(data: bytes) -> Manifest:
    if known := _recent.known((data, None)):
        return known
    other = _recent.known((data, ()))
    alike = _documents_of(other, without_variables=True) if other else {}
    return _ManifestReader(Budget(), None, batch=True, alike=alike, nested=False).manifest(data)


def _read(key: tuple[bytes, _Variables]) -> Manifest:
    data, variables = key
    known = None if variables is None else dict(variables)
    other = _alive.get(data)
    alike = _documents_of(other) if other else {}
    return _ManifestReader(Budget(), known, batch=True, alike=alike).manifest(data)


def _documents_of(manifest: Manifest, *, without_variables: bool = False) -> dict[int, Document]:
    """The documents of a manifest by their start, perhaps only those `without_variables`.

    A file that has reached a limit may have others.
    """
    if not all(each.readable for each in manifest.documents):
        return {}
    text = manifest.text
    return {
        each.start: each
        for each in manifest.documents
        if not (without_variables and "${" in text[each.start : each.end])
    }


def _weight(manifest: Manifest) -> int:
    """The length of the text; beyond the limit if it cannot be read as a whole."""
    return _MOST_REMEMBERED + 1 if manifest.problems else len(manifest.text)


_recent = CachedFunction(_read, _weight, _MOST_REMEMBERED)
_unsubstituted = CachedFunction(_read_unsubstituted, _weight, _MOST_REMEMBERED)
_alive: WeakValueDictionary[bytes, Manifest] = WeakValueDictionary()
"""What was read without substitution and is still in use, as all files of a repository are."""


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
    composed on demand. `alike` are documents that another reading of the text made, by their start:
    they are taken over where nothing is substituted, elsewhere only their values. Only a `nested`
    reader reads the texts in documents too.
    """

    budget: Budget
    variables: Mapping[str, str] | None
    depth: int = 0
    batch: bool = False
    alike: Mapping[int, Document] = field(default_factory=dict)
    nested: bool = True

    def manifest(self, data: bytes | str, name: str = "") -> Manifest:
        """The manifest that a file or an inner text is."""
        text, bom, problem = decode(data)
        if problem:
            return Manifest(name, text, (), (problem,), bom)
        documents = tuple(self._documents(text))
        if any(each.problems for each in documents):
            from celvet.lint.manifest.helm_templates import skip_helm_templates

            documents = tuple(skip_helm_templates(text, documents))
        return Manifest(name, text, documents, bom=bom)

    def _documents(self, text: str) -> Iterator[Document]:
        """Read document by document; one that exhausts the limits of a file is the last."""
        index = 1
        for span in split(text):
            written = DocumentText.of(text, span, index)
            if index > MAX_DOCUMENTS:
                yield one_too_many(written)
                return
            if is_dropped(text, span):
                yield dropped(written)
                index += 1
                continue
            document = self._substituted(written)
            if document:
                inner = self.inner(document) if self.nested else {}
                yield replace(document, inner=inner) if inner or document.inner else document
                index += 1
                if self.budget.spent:
                    return

    def _substituted(self, written: DocumentText) -> Document | None:
        """The document with Flux's substitution, except where that is switched off."""
        if self.variables is None or "${" not in written.own:
            taken = self.alike.get(written.start)
            return taken or self._valued(written) or compose_document(written, self.budget)
        from celvet.lint.manifest.substitute.substitution import DISABLED_KEY
        from celvet.lint.manifest.yaml.substituted import exempt_ranges, rewriter, text_rewriter

        if DISABLED_KEY not in written.own:
            later = rewriter(self.variables, [], Budget())
            in_texts = text_rewriter(self.variables)
            taken = self._rewritten(written, in_texts, later)
            taken = taken or self._valued(written, in_texts, later)
            now = rewriter(self.variables, [], self.budget)
            return taken or compose_document(written, self.budget, now)
        plain = compose_document(written, copy.copy(self.budget))
        if plain is None or plain.root is None:
            return plain
        exempt = exempt_ranges(plain.root)
        return compose_document(written, self.budget, rewriter(self.variables, exempt, self.budget))

    def _valued(
        self,
        written: DocumentText,
        rewrite: TextRewriter | None = None,
        later: NodeRewriter | None = None,
    ) -> Document | None:
        """The document with only its value; None if its nodes have to be composed.

        `rewrite` changes its texts, and `later` does so when its nodes are composed.
        """
        found = plain_value(written, self.budget, rewrite) if self.batch else None
        return plain_document(written, found, later) if found else None

    def _rewritten(
        self, written: DocumentText, rewrite: TextRewriter, later: NodeRewriter
    ) -> Document | None:
        """The same from the document without substitution, which need not be read again."""
        alike = self.alike.get(written.start)
        if alike is None or not alike.plain:
            return None
        found = rewritten_value(alike.value, self.budget, rewrite, aliased=alike.aliased)
        return plain_document(written, found, later) if found else None

    def inner(self, document: Document) -> dict[Path, Manifest]:
        """The texts in a document that are manifests themselves, by path: its patches."""
        found: dict[Path, Manifest] = {}
        for part in raw_objects(document.value) if self.depth < MAX_NESTED_TEXTS else ():
            for patch in () if part.templated else patches(part.value):
                path = part.path + patch.path
                manifest = self._text(document, path)
                if manifest:
                    found[path] = manifest
                if self.budget.spent:
                    return found
        return found

    def _text(self, document: Document, path: Path) -> Manifest | None:
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
            message = f"the patches of the file have more than {MAX_BYTES} characters"
            problem = Problem("too-large", message, "Split the file.", source_range(1, 0, 0))
            return Manifest("", text, (), (problem,))
        node = document.node_at(path) if self.variables is not None else None
        variables = None if node and node.substituted else self.variables
        return _ManifestReader(self.budget, variables, self.depth + 1, batch=self.batch).manifest(
            text
        )
