"""Reads a file of manifests: bytes in, documents with positions out, never an exception."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import yaml

from celvet.lint.manifest.budget import Budget
from celvet.lint.manifest.document import Document, Manifest, unresolved
from celvet.lint.manifest.limits import MAX_BYTES, MAX_DOCUMENTS, MAX_NESTED_TEXTS
from celvet.lint.manifest.objects.expand import unfold
from celvet.lint.manifest.objects.patches import patches
from celvet.lint.manifest.problem import Problem, Problems, Refused, at
from celvet.lint.manifest.source.document_text import Chunk
from celvet.lint.manifest.source.encoding import decode
from celvet.lint.manifest.source.split import split
from celvet.lint.manifest.substitute.substitution import DISABLED_KEY
from celvet.lint.manifest.syntax.helm import set_templates_apart
from celvet.lint.manifest.syntax.syntax_error import Slip
from celvet.lint.manifest.syntax.yaml_errors import explain
from celvet.lint.manifest.yaml.compose import Composer, Rewrite
from celvet.lint.manifest.yaml.events import events
from celvet.lint.manifest.yaml.substituted import exempt_ranges, rewriter
from celvet.lint.model import Path, Related, Span


def read(
    data: bytes | str, name: str = "", substitutions: Mapping[str, str] | None = None
) -> Manifest:
    """Read the YAML or JSON of a file, document by document.

    `substitutions` are the variables of Flux's post-build substitution; the
    defaults written in the file count without any. Whatever is wrong becomes a
    `Problem` of the file or of one document; this function does not raise.
    """
    return _Reader(Budget(), substitutions or {}).manifest(data, name)


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads a text with the variables of a substitution, or with None without one.

    `depth` counts the texts around this one, in which it is a scalar.
    """

    budget: Budget
    variables: Mapping[str, str] | None
    depth: int = 0

    def manifest(self, data: bytes | str, name: str = "") -> Manifest:
        """The manifest that a file or an inner text is."""
        text, bom, problem = decode(data)
        if problem:
            return Manifest(name, text, (), (problem,), bom)
        documents, problems = set_templates_apart(text, list(self._documents(text)))
        return Manifest(name, text, tuple(documents), problems, bom)

    def _documents(self, text: str) -> Iterator[Document]:
        """Read document by document; one that exhausts what a file may hold is the last."""
        index = 1
        for span in split(text):
            chunk = Chunk.of(text, span, index)
            if index > MAX_DOCUMENTS:
                yield _one_too_many(chunk)
                return
            document = self._substituted(chunk)
            if document:
                yield replace(document, inner=self._inner(document))
                index += 1
                if self.budget.spent:
                    return

    def _substituted(self, chunk: Chunk) -> Document | None:
        """The document with Flux's substitution applied where it is not switched off."""
        if self.variables is None or "${" not in chunk.own:
            return _document(chunk, self.budget)
        exempt: list[Span] = []
        if DISABLED_KEY in chunk.own:
            written = _document(chunk, copy.copy(self.budget))
            if written is None or written.root is None:
                return written
            exempt = exempt_ranges(written.root)
        return _document(chunk, self.budget, rewriter(self.variables, exempt, self.budget))

    def _inner(self, document: Document) -> dict[Path, Manifest]:
        """The texts in a document that are manifests themselves, by path: its patches."""
        found: dict[Path, Manifest] = {}
        for part in unfold(document.value) if self.depth < MAX_NESTED_TEXTS else ():
            for patch in () if part.templated else patches(part.value):
                path = part.path + patch.path
                manifest = self._text(document, path)
                if manifest:
                    found[path] = manifest
                if self.budget.spent:
                    return found
        return found

    def _text(self, document: Document, path: Path) -> Manifest | None:
        """The text at a path, read as manifests; None where no text is.

        A text that waited for a variable is substituted scalar by scalar; in one
        that was substituted as a whole, what looks like a variable is none. The
        budget is that of the file: an alias repeats a text for free.
        """
        node = document.node_at(path)
        if node is None or node.kind != "scalar":
            return None
        self.budget.characters -= len(node.text)
        if self.budget.spent:
            message = f"the patches of the file have more than {MAX_BYTES} characters"
            problem = Problem("too-large", message, "Split the file.", at(1, 0, 0))
            return Manifest("", node.text, (), (problem,))
        variables = None if node.substituted else self.variables
        return _Reader(self.budget, variables, self.depth + 1).manifest(node.text)


def _one_too_many(chunk: Chunk) -> Document:
    message = f"the file holds more than {MAX_DOCUMENTS} documents; the others are not read"
    place = at(chunk.index, chunk.start, chunk.start)
    problem = Problem("too-large", message, "Split the file.", place)
    return Document(chunk.index, chunk.start, chunk.end, problems=(problem,))


def _document(chunk: Chunk, budget: Budget, rewrite: Rewrite | None = None) -> Document | None:
    """Compose a document; None where the text holds nothing but comments."""
    composer = Composer(chunk, budget, rewrite)
    problems = composer.problems
    try:
        composer.feed(events(chunk.parsed))
    except Refused as refused:
        problems.end(refused.kind, refused.message, refused.help, refused.place)
    except yaml.YAMLError as error:
        _slipped(explain(chunk.own, error), chunk, problems)
    else:
        if composer.root is None:
            return None
        waiting = unresolved(composer.root) if rewrite else {}
        own = (composer.root, composer.value, problems.all(), waiting)
        return Document(chunk.index, chunk.start, chunk.end, *own)
    return Document(chunk.index, chunk.start, chunk.end, problems=problems.all())


def _slipped(slip: Slip, chunk: Chunk, problems: Problems) -> None:
    place = Span(slip.start + chunk.start, slip.end + chunk.start)
    related = []
    if slip.opened is not None:
        opened = problems.at(Span(slip.opened + chunk.start, slip.opened + chunk.start + 1))
        related = [Related(f"`{chunk.own[slip.opened]}` opens here", opened)]
    problems.end("yaml-syntax", slip.message, slip.help, place, *related)
