"""Reads a file of manifests: bytes in, documents with positions out, never an exception."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, TypeAlias
from weakref import WeakValueDictionary

import yaml

from celvet.lint.lru_cache import LruCache
from celvet.lint.manifest.document import Document, Manifest
from celvet.lint.manifest.limits import MAX_BYTES, MAX_DOCUMENTS, MAX_NESTED_TEXTS, Budget
from celvet.lint.manifest.objects.patches import patches
from celvet.lint.manifest.objects.raw_objects import raw_objects
from celvet.lint.manifest.problem import Mistake, Problem, Problems, Refused, source_range
from celvet.lint.manifest.source.document_text import DocumentText
from celvet.lint.manifest.source.encoding import decode
from celvet.lint.manifest.source.split import is_dropped, split
from celvet.lint.manifest.yaml.compose import Composer, NodeRewriter
from celvet.lint.manifest.yaml.node import YamlNode, unresolved
from celvet.lint.manifest.yaml.plain import PlainValue, TextRewriter, plain_value, rewritten_value
from celvet.lint.model import Path, Related, Span, Value
from celvet.lint.values import get
from celvet.record import field, record, replace
from celvet.regex import regex

if TYPE_CHECKING:
    from celvet.lint.manifest.yaml.recompose import Composed

_MOST_REMEMBERED = 2 * 2**20
"""Characters of the files that were read recently."""

_MARKS_OF_VARIABLES = (b"${", b"\\", b"\0")
"""One is in every file with a variable: in a patch, it may be behind an escape such as `\\x24`;
in UTF-16, `$` and `{` are apart."""

_Variables: TypeAlias = tuple[tuple[str, str], ...] | None

# An action where YAML cannot have one: it begins a line or a value. Elsewhere `{{ }}` is text, as
# in alerting rules, unless reading failed there.
_ACTION = regex(r"^[ \t]*+\{\{|[:-][ \t]++\{\{", re.MULTILINE)
_LINE = regex(r"[^\r\n]*")
_SYMPTOMS = frozenset(("yaml-syntax", "key-type"))


def read(
    data: bytes | str,
    name: str = "",
    substitutions: Mapping[str, str] | None = None,
    *,
    substitute: bool = True,
    earlier: Manifest | None = None,
) -> Manifest:
    """Read the YAML or JSON of a file, document by document.

    `substitutions` are the variables of Flux's post-build substitution; the defaults in the file
    count even without any. Without `substitute`, `${VAR}` is plain text. Every mistake becomes a
    `Problem` of the file or of one document; this function does not raise. The bytes of a recently
    read file are not read again, and of a text, only what has changed since `earlier`.
    """
    if not isinstance(data, bytes) and "\0" in data:
        data = data.encode(errors="surrogatepass")  # the saved file would be binary
    if not isinstance(data, bytes):
        variables_ = (substitutions or {}) if substitute else None
        return _ManifestReader(Budget(), variables_, earlier=_composed(earlier)).manifest(
            data, name
        )
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


_recent = LruCache(_read, _weight, _MOST_REMEMBERED)
_unsubstituted = LruCache(_read_unsubstituted, _weight, _MOST_REMEMBERED)
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

    `depth` counts the texts around this one, in which it is a scalar. `earlier` is the document of
    an earlier version of the text. In a `batch`, nodes are composed on demand. `alike` are
    documents that another reading of the text made, by their start: they are taken over where
    nothing is substituted, elsewhere only their values. Only a `nested` reader reads the texts in
    documents too.
    """

    budget: Budget
    variables: Mapping[str, str] | None
    depth: int = 0
    earlier: Composed | None = None
    batch: bool = False
    alike: Mapping[int, Document] = field(default_factory=dict)
    nested: bool = True

    def manifest(self, data: bytes | str, name: str = "") -> Manifest:
        """The manifest that a file or an inner text is."""
        text, bom, problem = decode(data)
        if problem:
            return Manifest(name, text, (), (problem,), bom)
        documents = _skip_helm_templates(text, self._documents(text))
        return Manifest(name, text, tuple(documents), bom=bom)

    def _documents(self, text: str) -> Iterator[Document]:
        """Read document by document; one that exhausts the limits of a file is the last."""
        index = 1
        for span in split(text):
            written = DocumentText.of(text, span, index)
            if index > MAX_DOCUMENTS:
                yield _one_too_many(written)
                return
            if is_dropped(text, span):
                yield _dropped(written)
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
            taken = self.alike.get(written.start) or self._taken_over(written)
            return taken or self._valued(written) or _document(written, self.budget)
        from celvet.lint.manifest.substitute.substitution import DISABLED_KEY
        from celvet.lint.manifest.yaml.substituted import exempt_ranges, rewriter, text_rewriter

        if DISABLED_KEY not in written.own:
            later = rewriter(self.variables, [], Budget())
            in_texts = text_rewriter(self.variables)
            taken = self._rewritten(written, in_texts, later)
            taken = taken or self._valued(written, in_texts, later)
            now = rewriter(self.variables, [], self.budget)
            return taken or _document(written, self.budget, now)
        plain = _document(written, copy.copy(self.budget))
        if plain is None or plain.root is None:
            return plain
        exempt = exempt_ranges(plain.root)
        return _document(written, self.budget, rewriter(self.variables, exempt, self.budget))

    def _taken_over(self, written: DocumentText) -> Document | None:
        """The document made from an earlier one; None if that is not possible."""
        if self.earlier is None or len(written.own) < len(written.text):
            return None
        from celvet.lint.manifest.yaml.recompose import recomposed  # only for an editor

        found = recomposed(written, self.earlier, self.budget)
        own = (written.index, written.start, written.end)
        return Document(*own, lambda: found.root, found.value) if found else None

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
        return _plain(written, found, later) if found else None

    def _rewritten(
        self, written: DocumentText, rewrite: TextRewriter, later: NodeRewriter
    ) -> Document | None:
        """The same from the document without substitution, which need not be read again."""
        alike = self.alike.get(written.start)
        if alike is None or not alike.plain:
            return None
        found = rewritten_value(alike.value, self.budget, rewrite)
        return _plain(written, found, later) if found else None

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


def _composed(earlier: Manifest | None) -> Composed | None:
    """The document of a file that has only one, without problems, aliases and variables."""
    if earlier is None or len(earlier.documents) != 1 or "${" in earlier.text:
        return None
    (document,) = earlier.documents
    if document.root is None or document.aliased or document.problems:
        return None
    if earlier.problems or earlier.bom:
        return None
    from celvet.lint.manifest.yaml.recompose import Composed

    return Composed(earlier.text, document.root, document.value)


def _dropped(written: DocumentText) -> Document:
    message = "kubectl and kustomize drop the text between `...` and the next `---`"
    start = written.start + len(written.own) - len(written.own.lstrip())
    place = source_range(written.index, start, start + len(written.own.strip().split("\n")[0]))
    problem = Problem("after-end", message, "Put `---` before it.", place)
    return Document(written.index, written.start, written.end, problems=(problem,))


def _one_too_many(written: DocumentText) -> Document:
    message = f"the file holds more than {MAX_DOCUMENTS} documents; the others are not read"
    place = source_range(written.index, written.start, written.start)
    problem = Problem("too-large", message, "Split the file.", place)
    return Document(written.index, written.start, written.end, problems=(problem,))


def _document(
    written: DocumentText, budget: Budget, rewrite: NodeRewriter | None = None
) -> Document | None:
    """Compose a document; None if the text holds nothing but comments."""
    composer = Composer(written, budget, rewrite)
    problems = composer.problems
    try:
        composer.compose()
    except Refused as refused:
        problems.end(refused.kind, refused.message, refused.help, refused.place)
    except yaml.YAMLError as error:
        from celvet.lint.manifest.syntax.yaml_errors import explain

        _note_syntax_error(explain(written.own, error), written, problems)
    else:
        root = composer.root
        if root is None:
            return None
        waiting = unresolved(root) if rewrite else {}
        return Document(
            written.index,
            written.start,
            written.end,
            lambda: root,
            composer.value,
            problems.all(),
            waiting,
            aliased=composer.aliased,
        )
    return Document(written.index, written.start, written.end, problems=problems.all())


def _plain(written: DocumentText, found: PlainValue, later: NodeRewriter | None) -> Document:
    """A document with a value, whose nodes are composed on demand."""
    nodes = cache(lambda: _root(written, later))
    own = (written.index, written.start, written.end)
    aliased = found.aliased
    return Document(
        *own, nodes, found.value, unresolved=found.unresolved, aliased=aliased, plain=not aliased
    )


def _root(written: DocumentText, rewrite: NodeRewriter | None) -> YamlNode | None:
    """The nodes of a document whose value is known."""
    composer = Composer(written, Budget(), rewrite)
    composer.compose()
    return composer.root


def _note_syntax_error(mistake: Mistake, written: DocumentText, problems: Problems) -> None:
    place = Span(mistake.start + written.start, mistake.end + written.start)
    related = []
    if mistake.opened is not None:
        opened = problems.at(
            Span(mistake.opened + written.start, mistake.opened + written.start + 1)
        )
        related = [Related(f"`{written.own[mistake.opened]}` opens here", opened)]
    problems.end("yaml-syntax", mistake.message, mistake.help, place, *related)


def _skip_helm_templates(text: str, documents: Iterable[Document]) -> Iterator[Document]:
    """The documents; an unreadable one that is a template becomes empty, with a problem."""
    for document in documents:
        offset = _action(text, document)
        yield document if offset is None else _skipped(document, offset)


def _skipped(document: Document, offset: int) -> Document:
    message = "a template is not YAML until it is rendered, so it is skipped"
    help_ = "Lint what it renders, such as the output of `helm template`."
    place = source_range(document.index, offset, offset + 2)
    problem = Problem("helm-template", message, help_, place)
    return Document(document.index, document.start, document.end, problems=(problem,))


def _action(text: str, document: Document) -> int | None:
    """The offset of the first action of a document that failed to be read."""
    symptoms = [problem for problem in document.problems if problem.kind in _SYMPTOMS]
    if not symptoms:
        return None
    found = _ACTION.search(text, document.start, document.end)
    if found:
        return text.index("{{", found.start())
    return next((offset for each in symptoms if (offset := _beside(text, each)) is not None), None)


def _beside(text: str, problem: Problem) -> int | None:
    """The offset of the first action on the line of a problem."""
    start = problem.where.source.start if problem.where.source else 0
    line = max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1
    found = _LINE.match(text, line)
    end = found.end() if found else line
    begin = text.find("{{", line, end)
    return begin if 0 <= begin < text.find("}}", line, end) else None
