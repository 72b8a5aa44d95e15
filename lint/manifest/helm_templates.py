"""Reads documents that are templates, such as Helm's, and recognises those that cannot be read.

An action such as `{{ .Values.name }}` that stands for a value, or for a part of one, is read as a
variable without a value. A line that is nothing but an action may print anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from zlib import crc32

from celvet.lint.manifest.document import Document
from celvet.lint.manifest.problem import Problem, source_range
from celvet.regex import regex

# An action where YAML cannot have one: it begins a line or a value. Elsewhere `{{ }}` is text, as
# in alerting rules, unless reading failed there.
_ACTION = regex(r"^[ \t]*+\{\{|[:-][ \t]++\{\{", re.MULTILINE)
_LINE = regex(r"[^\r\n]*")
_WHOLE_ACTION = regex(r"\{\{(?:\"[^\"\r\n]*\"|`[^`\r\n]*`|[^\r\n\"`])*?\}\}")
_NO_VALUE = regex(
    r"^[ \t]*+\{\{|\}\}[\"']?[ \t]*+:(?:\s|$)"
    r"|\{\{-?[ \t]*+(?:if|else|end|range|with|define|block|template|break|continue)\b"
    r"|\b(?:to|from)(?:Raw)?(?:Yaml|Json)\b|\bn?indent\b"
)
"""An action that begins a line, is a key, or prints more or less than one value."""
_NO_LETTERS = regex(r"[^A-Za-z0-9]")
_SHORTEST_QUOTED = len('"${_}"')
_SYMPTOMS = frozenset(("yaml-syntax", "key-type"))


def fill_actions(text: str, document: Document) -> str | None:
    """The text of a file in which variables stand for the actions of a document.

    It is as long as before. None if the document is no template, or one that is not YAML whatever
    its actions print.
    """
    if _action(text, document) is None:
        return None
    lines = text[document.start : document.end].split("\n")
    filled_lines = [line if line.lstrip().startswith("#") else _filled(line) for line in lines]
    if None in filled_lines:
        return None
    content = "\n".join(line for line in filled_lines if line is not None)
    return f"{text[: document.start]}{content}{text[document.end :]}"


def _filled(line: str) -> str | None:
    """A line with variables for its actions; None if that does not make it YAML."""
    if "{{" not in line:
        return line
    if _NO_VALUE.search(line):
        return None
    filled_line = _WHOLE_ACTION.sub(_variable, line)
    return None if "{{" in filled_line else filled_line


def _variable(action: re.Match[str]) -> str:
    """A variable as long as an action, in quotes if the action is a whole value.

    Without quotes, YAML has no `{` between brackets. Quotes in an action that is only a part of a
    text may be those of the text.
    """
    letter_before = action.string[: action.start()].rstrip(" \t")[-1:]
    letter_after = action.string[action.end() :].lstrip(" \t")[:1]
    if letter_before in ("", ":", "-", ",", "[", "{") and letter_after in ("", "#", ",", "]", "}"):
        quote = '"' if len(action[0]) >= _SHORTEST_QUOTED else ""
        return f"{quote}{_name(action[0], len(action[0]) - 2 * len(quote))}{quote}"
    in_quotes = letter_before == letter_after and letter_before in ("'", '"')
    is_read = in_quotes or not {"'", '"'} & {*action[0]}
    return _name(action[0], len(action[0])) if is_read else action[0]


def _name(action: str, length: int) -> str:
    """A variable of a length, another one for another action: equal names are one object's."""
    name = f"_{_NO_LETTERS.sub('_', action.strip('{-. }'))}"
    if len(name) > length - 3:
        name = f"_{crc32(action.encode(errors='surrogatepass')):x}"[: length - 3]
    return f"${{{name:_<{length - 3}}}}"


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
