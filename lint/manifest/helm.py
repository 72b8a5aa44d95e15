"""Recognises Helm templates: files that are no YAML until they are rendered."""

from __future__ import annotations

import re
from dataclasses import replace

from lint.manifest.document import Document
from lint.manifest.problem import Problem, at

# An action where YAML cannot have one: it begins a line or a value, or holds
# quotes inside quotes. Elsewhere `{{ }}` is text, as in alerting rules.
_ACTION = re.compile(
    r"""^[ \t]*+\{\{|[:-][ \t]++\{\{|"[^"{\r\n]*+\{\{[^}"\r\n]*+\"""", re.MULTILINE
)
_SYMPTOMS = frozenset(("yaml-syntax", "key-type"))


def set_templates_apart(
    text: str, documents: list[Document]
) -> tuple[list[Document], tuple[Problem, ...]]:
    """Blank the documents that only a template explains, and say so once for the file."""
    if "{{" not in text:
        return documents, ()
    found = {document.index: _action(text, document) for document in documents}
    offsets = [offset for offset in found.values() if offset is not None]
    if not offsets:
        return documents, ()
    kept = [
        document
        if found[document.index] is None
        else replace(document, root=None, value=None, problems=())
        for document in documents
    ]
    message = "a Helm template is no YAML until it is rendered, so it is skipped"
    help_ = "Lint the output of `helm template` instead."
    place = at(1, min(offsets), min(offsets) + 2)
    return kept, (Problem("helm-template", message, help_, place),)


def _action(text: str, document: Document) -> int | None:
    """The offset of the first action of a document that failed to be read."""
    if not any(problem.kind in _SYMPTOMS for problem in document.problems):
        return None
    found = _ACTION.search(text, document.start, document.end)
    return text.index("{{", found.start()) if found else None
