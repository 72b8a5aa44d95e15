"""A parsed file of manifests: documents, their values and their nodes."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterator, Mapping

from celvet.lint.go.kustomize_scalars import kustomize_text
from celvet.lint.manifest.problem import Problem
from celvet.lint.manifest.yaml.node import YamlNode, node_at
from celvet.lint.model import Finding, Path, Value
from celvet.record import field, record


@record
class Document:
    """One YAML document.

    `index` counts from 1. `start` and `end` bound its text in the file. `value` is what Kubernetes
    sees: keys are strings, aliases share the same object, merge keys are applied. `nodes` gives its
    node, which may have to be composed first. An unreadable document has neither. `unresolved` are
    the scalars with variables that have no value, by path, with the names of these. `inner` are the
    texts in the document that are manifests themselves, by path: kustomize patches, and objects
    as texts. In an `aliased` document, nodes stand for others.
    """

    index: int
    start: int
    end: int
    nodes: Callable[[], YamlNode | None] | None = None
    value: Value = None
    problems: tuple[Problem, ...] = ()
    unresolved: Mapping[Path, tuple[str, ...]] = field(default_factory=dict)
    inner: Mapping[Path, Manifest] = field(default_factory=dict)
    aliased: bool = False

    @property
    def root(self) -> YamlNode | None:
        """The node of the value; None for an unreadable document."""
        return self.nodes() if self.nodes else None

    @property
    def readable(self) -> bool:
        """Whether the document has a value, which may be null."""
        return self.nodes is not None

    def node_at(self, path: Path) -> YamlNode | None:
        """The node at a path of the value, through aliases and merge keys."""
        root = self.root
        return node_at(root, path) if root else None

    def value_for_kustomize(self) -> Value:
        """The value as kustomize reads the document, and therefore Flux."""
        return self._reread(self.value, ())

    def _reread(self, value: Value, path: Path) -> Value:
        """A part of the value as kustomize reads it; the same one if there is no difference."""
        if isinstance(value, dict | list):
            pairs = value.items() if isinstance(value, dict) else enumerate(value)
            parts = {key: self._reread(part, (*path, key)) for key, part in pairs}
            if all(part is value[key] for key, part in parts.items()):
                return value
            return parts if isinstance(value, dict) else [*parts.values()]
        is_date = isinstance(value, str) and value[:1].isdigit()
        node = self.node_at(path) if isinstance(value, bool) or is_date else None
        if node is None or node.style != "plain" or node.tag:
            return value
        text = kustomize_text(node.text)
        return value if text is None else text

    def key_at(self, path: Path) -> YamlNode | None:
        """The key of the mapping entry at a path; None for list items and the root."""
        parent = self.node_at(path[:-1]) if path else None
        entry = parent.entries.get(str(path[-1])) if parent else None
        return entry[0] if entry else None


@record
class Manifest:
    """A file of manifests.

    `text` is the decoded text without byte order mark; all offsets count its
    code points. `problems` holds what concerns the file as a whole.
    """

    name: str
    text: str
    documents: tuple[Document, ...] = ()
    problems: tuple[Problem, ...] = ()
    bom: bool = False

    def all_problems(self) -> Iterator[Problem]:
        """The problems of the file, of each document, and of the texts in each."""
        yield from self.problems
        for document in self.documents:
            yield from document.problems
            for path, manifest in document.inner.items():
                for problem in manifest.all_problems():
                    yield problem.within(document.index, path)

    def findings(self, kinds: Collection[str]) -> Iterator[Finding]:
        """The problems of these kinds, as a rule reports them."""
        for problem in self.all_problems():
            if problem.kind in kinds:
                yield Finding(
                    message=problem.message,
                    where=problem.where,
                    help=problem.help,
                    related=problem.related,
                )

    def document(self, index: int) -> Document | None:
        """The document with an `index`, from 1; some may have been left out."""
        position = bisect_left(self.documents, index, key=lambda document: document.index)
        document = self.documents[position] if position < len(self.documents) else None
        return document if document and document.index == index else None
