"""Inputs and functions in the templates of a ResourceSet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from lsprotocol import types as lsp

from celvet.lint.engine.resourceset.places import providers
from celvet.lint.gotemplate import ITEM, OPERATOR, complete
from celvet.lint.lsp.features.completion.cursor import marked_scalar
from celvet.lint.lsp.features.completion.proposal import Proposal, Proposals
from celvet.lint.manifest import Document, all_objects, read
from celvet.lint.manifest.objects.resourceset import is_resource_set
from celvet.lint.model import Path, Span, Value
from celvet.lint.resourceset import InputError, all_providers, combine, wrong_type
from celvet.lint.resourceset.shape import TEMPLATES

_DELIMS = ("<<", ">>")
_KEYWORDS = ("if", "else", "end", "range", "with", "define", "template", "block")


def in_template(text: str, span: Span, offset: int, others: Sequence[Value]) -> Proposals | None:
    """The proposals in an action of a template, None anywhere else.

    The document of the ResourceSet has the `span` of the text, the cursor is at `offset`; `others`
    are providers of other files.
    """
    start, end = span
    if _DELIMS[0] not in text[start:offset]:
        return None
    found = marked_scalar(text[start:end], offset - start)
    if found is None or not _is_template(found.document, found.path):
        return None
    at = complete(found.before + found.after, len(found.before), _DELIMS, OPERATOR)
    if at is None:
        return None
    if at.path is None:
        words = [*OPERATOR, *_KEYWORDS]
        return _proposals(words, lsp.CompletionItemKind.Function, at.prefix)
    parts: Iterable[Value] = _inputs(found.document.value, text, others)
    for step in at.path:
        parts = [inner for part in parts for inner in _inside(part, step)]
    names = dict.fromkeys(name for part in parts if isinstance(part, dict) for name in part)
    return _proposals(names, lsp.CompletionItemKind.Field, at.prefix)


def _proposals(names: Iterable[str], kind: lsp.CompletionItemKind, prefix: str) -> Proposals:
    return Proposals([Proposal(name, kind) for name in names], len(prefix))


def _is_template(document: Document, path: Path) -> bool:
    value = document.value
    part = path[1:2] if path[1:2] != ("steps",) else path[3:4]
    return isinstance(value, dict) and is_resource_set(value) and bool(TEMPLATES & {*part})


def _inputs(value: Mapping[str, Value], text: str, others: Sequence[Value]) -> list[Value]:
    """The input sets that the file and the providers of other files show."""
    if wrong_type(dict(value)):
        return []
    own = providers(all_objects(read(text)))
    known = {key: each for key, each in value["spec"].items() if key != "inputsFrom"}
    for spec in (value["spec"], known):
        try:
            return combine({**value, "spec": spec}, all_providers(own, others).known)
        except InputError:
            continue
    return []


def _inside(part: Value, step: str) -> Iterator[Value]:
    if isinstance(part, dict):
        yield from part.values() if step == ITEM else [part.get(step)]
    elif isinstance(part, list) and step == ITEM:
        yield from part
