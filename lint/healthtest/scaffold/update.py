"""Writes the actual results into a test file, in place of the expected ones."""

from __future__ import annotations

import json
from collections.abc import Iterable

from celvet.lint.locate import Locator
from celvet.lint.locate.edits import Edit, edited
from celvet.lint.manifest import Manifest, YamlNode
from celvet.lint.model import Span, Value, Where


def updated(manifest: Manifest, answers: Iterable[tuple[Where, Value]]) -> bytes:
    """The content of the file with each value in its place.

    Comments, quotes and layout elsewhere stay as they are; the file stays in
    UTF-8, with its byte order mark if it has one. A value that is an alias is
    written out at the alias.
    """
    locator = Locator(manifest)
    edits = [_edit(manifest, locator, where, value) for where, value in answers]
    return (("\ufeff" if manifest.bom else "") + edited(manifest.text, edits)).encode()


def _edit(manifest: Manifest, locator: Locator, where: Where, value: Value) -> Edit:
    node = _as_written(manifest, where)
    span = node.span if node else locator.offsets(where)
    # The line breaks that end a block scalar end its line as well.
    end = span.start + len(manifest.text[span.start : span.end].rstrip())
    return Edit(Span(span.start, end), _written(value, node.style if node else "plain"))


def _as_written(manifest: Manifest, where: Where) -> YamlNode | None:
    """The node at a place, or the alias there."""
    document = manifest.document(where.document)
    parent = document.node_at(where.path[:-1]) if document and where.path else None
    step = where.path[-1] if where.path else None
    if parent is None:
        return None
    if isinstance(step, int):
        return parent.items[step] if step < len(parent.items) else None
    return parent.entries[str(step)][1] if str(step) in parent.entries else None


def _written(value: Value, style: str = "plain") -> str:
    """A value in YAML's flow style; a text has the style of the one that it replaces."""
    if isinstance(value, list):
        return f"[{', '.join(map(_written, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key}: {_written(item)}' for key, item in value.items())}}}"
    plain = isinstance(value, str) and value.isalpha() and value not in ("True", "False")
    if plain and style == "single":
        return f"'{value}'"
    return str(value) if plain and style != "double" else json.dumps(value, ensure_ascii=False)
