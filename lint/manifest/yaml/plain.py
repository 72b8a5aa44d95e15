"""Reads the value of a document alone, where nothing in it is out of the ordinary.

Few documents of a run are asked where a value stands, and to compose their nodes takes three
quarters of the time.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Any, NamedTuple

import yaml

from celvet.lint.go.yaml_scalars import SURELY_TEXT
from celvet.lint.manifest.limits import MAX_DEPTH, Budget
from celvet.lint.manifest.source.document_text import DocumentText
from celvet.lint.manifest.yaml.compose import PARSER
from celvet.lint.manifest.yaml.resolve import BadValueError, scalar_value
from celvet.lint.model import Value


class PlainValue(NamedTuple):
    """The value of a document; in an `aliased` one, there are aliases, all of them of scalars."""

    value: Value
    aliased: bool


def plain_value(written: DocumentText, budget: Budget) -> PlainValue | None:
    """The value that composing gives, charged to the budget; None if composing has to tell it.

    So it has for all problems, and for tags, merge keys and aliases of collections.
    """
    if written.patched or "\\/" in written.own:
        return None
    reader = _Reader()
    parser = PARSER(written.parsed)
    most = 2 * budget.nodes  # a node has one event or two
    try:
        for event in islice(iter(parser.get_event, None), most):
            if read := _HANDLERS.get(type(event)):
                read(reader, event)
    except (_NotPlainError, BadValueError, yaml.YAMLError):
        return None
    finally:
        parser.dispose()
    return reader.result(budget)


class _NotPlainError(Exception):
    """There is what only composing can tell."""


class _Reader:
    """Takes the events of a document; `items` are those of the innermost collection so far.

    Keys and values of a mapping take turns in them.
    """

    __slots__ = ("_aliases", "_anchors", "_ended", "_items", "_nodes", "_outer")

    def __init__(self) -> None:
        self._items: list[Value] = []
        self._outer: list[list[Value]] = []
        self._anchors: dict[str, Value] = {}
        self._nodes, self._aliases, self._ended = 1, 0, False

    def result(self, budget: Budget) -> PlainValue | None:
        """The value of the document, if it has one and the budget suffices."""
        spent = self._nodes > budget.nodes or self._aliases > budget.aliased
        if spent or not self._ended or len(self._items) != 1:
            return None
        budget.nodes -= self._nodes
        budget.aliased -= self._aliases
        return PlainValue(self._items[0], self._aliases > 0)

    def scalar(self, event: Any) -> None:
        if event.tag:
            raise _NotPlainError
        text = event.value
        surely = event.style or text[:1] in SURELY_TEXT
        value = text if surely else scalar_value(text, "plain", "")
        if event.anchor:
            self._anchors[event.anchor] = value
        self._items.append(value)

    def alias(self, event: Any) -> None:
        if event.anchor not in self._anchors:
            raise _NotPlainError
        self._aliases += 1
        self._items.append(self._anchors[event.anchor])

    def open(self, event: Any) -> None:
        if event.tag or event.anchor or len(self._outer) >= MAX_DEPTH:
            raise _NotPlainError
        self._outer.append(self._items)
        self._items = []

    def close_sequence(self, _: Any) -> None:
        self._close(self._items)

    def close_mapping(self, _: Any) -> None:
        names, values = self._items[::2], self._items[1::2]
        if not _TEXTS.issuperset(map(type, names)):
            raise _NotPlainError
        made = dict(zip(names, values, strict=True))
        if len(made) < len(names) or "<<" in made:
            raise _NotPlainError
        self._close(made)

    def _close(self, value: Value) -> None:
        """Add a collection to that around it."""
        self._nodes += len(self._items)
        self._items = self._outer.pop()
        self._items.append(value)

    def document(self, event: Any) -> None:
        if event.version or event.tags:
            raise _NotPlainError

    def end(self, _: Any) -> None:
        self._ended = True


_TEXTS = {str}
_HANDLERS: dict[type, Callable[[_Reader, Any], None]] = {
    yaml.DocumentStartEvent: _Reader.document,
    yaml.ScalarEvent: _Reader.scalar,
    yaml.AliasEvent: _Reader.alias,
    yaml.SequenceStartEvent: _Reader.open,
    yaml.MappingStartEvent: _Reader.open,
    yaml.SequenceEndEvent: _Reader.close_sequence,
    yaml.MappingEndEvent: _Reader.close_mapping,
    yaml.StreamEndEvent: _Reader.end,
}
