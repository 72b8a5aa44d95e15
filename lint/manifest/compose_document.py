"""Makes documents: with nodes or only a value, and in place of a text that is not read."""

from __future__ import annotations

from functools import cache

import yaml

from celvet.lint.manifest.document import Document
from celvet.lint.manifest.file_limits import MAX_DOCUMENTS, Budget
from celvet.lint.manifest.problem import Problem, Refused, source_range
from celvet.lint.manifest.source.document_text import DocumentText
from celvet.lint.manifest.yaml.compose import Composer, NodeRewriter
from celvet.lint.manifest.yaml.node import YamlNode, unresolved_scalars
from celvet.lint.manifest.yaml.plain import PlainValue
from celvet.lint.model import Span


def compose_document(
    source: DocumentText, budget: Budget, rewrite: NodeRewriter | None = None
) -> Document | None:
    """Compose a document; None if the text holds nothing but comments."""
    composer = Composer(source, budget, rewrite)
    problems = composer.problems
    try:
        composer.compose()
    except Refused as refused:
        problems.end(refused.kind, refused.message, refused.help, refused.place)
    except yaml.YAMLError as error:
        # Only a text with a mistake pays for loading the explanations.
        from celvet.lint.manifest.yaml.syntax_errors import explain

        mistake = explain(source.content, error)
        place = Span(mistake.start + source.start, mistake.end + source.start)
        problems.end("yaml-syntax", mistake.message, mistake.help, place)
    else:
        root = composer.root
        if root is None:
            return None
        # Scalars whose variables have no value yet have no type either, so rules must not judge
        # them.
        waiting = unresolved_scalars(root) if rewrite else {}
        return Document(
            source.index,
            source.start,
            source.end,
            lambda: root,
            composer.value,
            problems.all(),
            waiting,
            aliased=composer.aliased,
        )
    return Document(source.index, source.start, source.end, problems=problems.all())


def document_with_value(
    source: DocumentText, plain: PlainValue, later: NodeRewriter | None
) -> Document:
    """A document with a value, whose nodes are composed on demand."""
    nodes = cache(lambda: _root(source, later))
    extent = (source.index, source.start, source.end)
    names = plain.unresolved
    return Document(*extent, nodes, plain.value, unresolved=names, aliased=plain.aliased)


def _root(source: DocumentText, rewrite: NodeRewriter | None) -> YamlNode | None:
    """The nodes of a document whose value is known."""
    composer = Composer(source, Budget(), rewrite)
    composer.compose()
    return composer.root


def dropped_document(source: DocumentText) -> Document:
    """An empty document for the text behind the end of another one."""
    message = "kubectl and kustomize drop the text between `...` and the next `---`"
    start = source.start + len(source.content) - len(source.content.lstrip())
    place = source_range(source.index, start, start + len(source.content.strip().split("\n")[0]))
    problem = Problem("after-end", message, "Put `---` before it.", place)
    return Document(source.index, source.start, source.end, problems=(problem,))


def surplus_document(source: DocumentText) -> Document:
    """An empty document for the first one beyond the limit of a file."""
    message = f"the file holds more than {MAX_DOCUMENTS} documents; the others are not read"
    place = source_range(source.index, source.start, source.start)
    problem = Problem("too-large", message, "Split the file.", place)
    return Document(source.index, source.start, source.end, problems=(problem,))
