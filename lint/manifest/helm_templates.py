"""Recognises documents that are Helm templates, which are not YAML until they are rendered."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from celvet.lint.manifest.document import Document
from celvet.lint.manifest.problem import Problem, source_range
from celvet.regex import regex

# An action where YAML cannot have one: it begins a line or a value. Elsewhere `{{ }}` is text, as
# in alerting rules, unless reading failed there.
_ACTION = regex(r"^[ \t]*+\{\{|[:-][ \t]++\{\{", re.MULTILINE)
_LINE = regex(r"[^\r\n]*")
_SYMPTOMS = frozenset(("yaml-syntax", "key-type"))


def skip_helm_templates(text: str, documents: Iterable[Document]) -> Iterator[Document]:
    """The documents; an unreadable one that is a template becomes empty, with a problem."""
    for document in documents:
        offset = _action(text, document)
        yield document if offset is None else _skipped_document(document, offset)


def _skipped_document(document: Document, offset: int) -> Document:
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
    action = _ACTION.search(text, document.start, document.end)
    if action:
        return text.index("{{", action.start())
    return next(
        (offset for symptom in symptoms if (offset := _action_on_line(text, symptom)) is not None),
        None,
    )


def _action_on_line(text: str, problem: Problem) -> int | None:
    """The offset of the first action on the line of a problem."""
    start = problem.where.source.start if problem.where.source else 0
    line = max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1
    match = _LINE.match(text, line)
    end = match.end() if match else line
    begin = text.find("{{", line, end)
    return begin if 0 <= begin < text.find("}}", line, end) else None
