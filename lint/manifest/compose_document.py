"""Makes documents: with nodes or only a value, and in place of a text that is not read."""

from __future__ import annotations

from functools import cache

import yaml

from celvet.lint.manifest.document import Document
from celvet.lint.manifest.file_limits import MAX_DOCUMENTS, Budget
from celvet.lint.manifest.problem import Problem, Refused, source_range
from celvet.lint.manifest.source.document_text import DocumentText
from celvet.lint.manifest.yaml.compose import Composer, NodeRewriter
from celvet.lint.manifest.yaml.node import YamlNode, unresolved
from celvet.lint.manifest.yaml.plain import PlainValue
from celvet.lint.model import Span


def compose_document(
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
        from celvet.lint.manifest.yaml.syntax_errors import explain

        mistake = explain(written.own, error)
        place = Span(mistake.start + written.start, mistake.end + written.start)
        problems.end("yaml-syntax", mistake.message, mistake.help, place)
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


def plain_document(
    written: DocumentText, found: PlainValue, later: NodeRewriter | None
) -> Document:
    """A document with a value, whose nodes are composed on demand."""
    nodes = cache(lambda: _root(written, later))
    own = (written.index, written.start, written.end)
    unresolved_, aliased = found.unresolved, found.aliased
    return Document(*own, nodes, found.value, unresolved=unresolved_, aliased=aliased)


def _root(written: DocumentText, rewrite: NodeRewriter | None) -> YamlNode | None:
    """The nodes of a document whose value is known."""
    composer = Composer(written, Budget(), rewrite)
    composer.compose()
    return composer.root


def dropped(written: DocumentText) -> Document:
    """An empty document for the text behind the end of another one."""
    message = "kubectl and kustomize drop the text between `...` and the next `---`"
    start = written.start + len(written.own) - len(written.own.lstrip())
    place = source_range(written.index, start, start + len(written.own.strip().split("\n")[0]))
    problem = Problem("after-end", message, "Put `---` before it.", place)
    return Document(written.index, written.start, written.end, problems=(problem,))


def one_too_many(written: DocumentText) -> Document:
    """An empty document for the first one beyond the limit of a file."""
    message = f"the file holds more than {MAX_DOCUMENTS} documents; the others are not read"
    place = source_range(written.index, written.start, written.start)
    problem = Problem("too-large", message, "Split the file.", place)
    return Document(written.index, written.start, written.end, problems=(problem,))
