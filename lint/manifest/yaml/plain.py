"""Reads only the value of a document, if there is nothing unusual in it.

In a run, the positions of few documents matter, and composing their nodes takes three quarters of
the time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple, TypeAlias

import yaml

from celvet.lint.go.plain_scalars import SURELY_TEXT
from celvet.lint.manifest.file_limits import MAX_DEPTH, Budget
from celvet.lint.manifest.source.document_text import DocumentText
from celvet.lint.manifest.yaml.compose import PARSER
from celvet.lint.manifest.yaml.resolve import TAG_PREFIX, BadValueError, scalar_value
from celvet.lint.model import Path, Value

TextRewriter: TypeAlias = Callable[[str, Value], tuple[Value, Sequence[str]]]
"""From a scalar that contains `${`, its text and value, to its value after Flux's substitution, and
the names of the variables that the text waits for."""


class PlainValue(NamedTuple):
    """The value of a document; in an `aliased` one, there are aliases.

    `unresolved` are the scalars with unresolved variables, by path.
    """

    value: Value
    aliased: bool
    unresolved: Mapping[Path, tuple[str, ...]]


def plain_value(
    source: DocumentText, budget: Budget, rewrite: TextRewriter | None = None
) -> PlainValue | None:
    """The value that composing would give, charged to the budget; None if it has to be composed.

    That is so for all problems, and for most tags, merge keys and anchors with the same name.
    """
    # What has to be reported, or read differently from libyaml, needs nodes with places.
    if source.patched or "\\/" in source.content or source.misused_separator:
        return None
    reader = _EventReader(rewrite)
    parser = PARSER(source.parser_text)
    max_events = 2 * budget.nodes  # a node has one event or two
    try:
        for event in islice(iter(parser.get_event, None), max_events):
            if handler := _HANDLERS.get(type(event)):
                handler(reader, event)
    except (_NotPlainError, BadValueError, yaml.YAMLError):
        return None
    finally:
        parser.dispose()
    return reader.result(budget)


class _NotPlainError(Exception):
    """The document has something that only composing can handle."""


class _EventReader:
    """Handles the events of a document; `items` are those of the innermost collection so far.

    Keys and values of a mapping take turns in them. `anchors` have the value of each and the number
    of its nodes with aliases expanded, `anchored` the open collections with an anchor: their depth,
    their name, and the number of nodes before them.
    """

    __slots__ = (
        "_aliases",
        "_anchored",
        "_anchors",
        "_ended",
        "_flow",
        "_items",
        "_nodes",
        "_outer",
        "_repeated",
        "_rewrite",
        "_variables",
        "_waiting",
    )

    def __init__(self, rewrite: TextRewriter | None) -> None:
        self._rewrite = rewrite
        self._items: list[Value] = []
        self._outer: list[list[Value]] = []
        self._anchors: dict[str, tuple[Value, int]] = {}
        self._anchored: list[tuple[int, str, int]] = []
        self._nodes, self._aliases, self._variables = 1, 0, 0
        self._repeated = 0  # the nodes below aliases
        self._ended = self._waiting = False
        self._flow = 0  # the depth from which on collections are in brackets

    def result(self, budget: Budget) -> PlainValue | None:
        """The value of the document, if it has one and the budget suffices."""
        alias_nodes = self._aliases + self._repeated
        spent = self._nodes > budget.nodes or alias_nodes > budget.aliased
        spent = spent or self._variables > budget.variables
        if spent or not self._ended or len(self._items) != 1:
            return None
        budget.nodes -= self._nodes
        budget.aliased -= alias_nodes
        budget.variables -= self._variables
        names_by_path = dict(_resolve_waiting(self._items)) if self._waiting else {}
        return PlainValue(self._items[0], self._aliases > 0, names_by_path)

    def scalar(self, event: Any) -> None:
        if event.tag and event.tag != _TEXT_TAG:
            raise _NotPlainError
        text = event.value
        if event.style:
            value = text
        elif self._flow and "?" in text:  # a problem between brackets
            raise _NotPlainError
        elif event.tag or text[:1] in SURELY_TEXT:
            value = text
        else:
            value = scalar_value(text, "plain", "")
        if self._rewrite and "${" in text:
            self._variables += text.count("${")
            value, missing = self._rewrite(text, value)
            if missing:
                # The type of a text without the values of its variables is not known: a mark takes
                # its place.
                value, self._waiting = _Waiting(text, tuple(missing)), True
        if event.anchor:
            self._anchors[event.anchor] = value, 1
        self._items.append(value)

    def alias(self, event: Any) -> None:
        if event.anchor not in self._anchors:
            raise _NotPlainError
        value, size = self._anchors[event.anchor]
        self._aliases += 1
        self._repeated += size - 1
        self._items.append(value)

    def open(self, event: Any) -> None:
        if event.tag or len(self._outer) >= MAX_DEPTH:
            raise _NotPlainError
        if event.anchor:
            self._anchored.append((len(self._outer), event.anchor, self._nodes + self._repeated))
        self._outer.append(self._items)
        self._items = []
        if event.flow_style and not self._flow:
            self._flow = len(self._outer)

    def close_sequence(self, _: Any) -> None:
        self._close(self._items)

    def close_mapping(self, _: Any) -> None:
        names, values = self._items[::2], self._items[1::2]
        if not _TEXTS.issuperset(map(type, names)):
            raise _NotPlainError
        mapping = dict(zip(names, values, strict=True))
        if len(mapping) < len(names) or "<<" in mapping:
            raise _NotPlainError
        self._close(mapping)

    def _close(self, value: Value) -> None:
        """Add a collection to that around it."""
        # The nodes of a collection are counted once, when it ends.
        self._nodes += len(self._items)
        self._items = self._outer.pop()
        self._items.append(value)
        if len(self._outer) < self._flow:
            self._flow = 0
        # An anchor counts from here on, with the size that each alias will add.
        if self._anchored and self._anchored[-1][0] == len(self._outer):
            _, name, nodes_before = self._anchored.pop()
            if name in self._anchors:
                raise _NotPlainError  # of two, the one that begins last counts
            self._anchors[name] = value, 1 + self._nodes + self._repeated - nodes_before

    def document(self, event: Any) -> None:
        if event.version or event.tags:
            raise _NotPlainError

    def end(self, _: Any) -> None:
        self._ended = True


class _Waiting(NamedTuple):
    """A text with unresolved variables, until its path is known; a key has no path."""

    text: str
    missing: tuple[str, ...]


def _resolve_waiting(items: list[Value]) -> Iterator[tuple[Path, tuple[str, ...]]]:
    """Put the texts with unresolved variables back, and yield each path with the variables."""
    scalars: list[tuple[Any, Any, str]] = []  # aliases may lead to one again
    stack: list[tuple[Path, Any]] = [((), items)]
    while stack:
        path, part = stack.pop()
        if isinstance(part, _Waiting):
            yield path[1:], part.missing
            continue
        # Only what may hold such a text is walked; it is put back after the walk, so that each
        # path to it through an alias is found.
        for key, value in part.items() if isinstance(part, dict) else enumerate(part):
            if isinstance(value, dict | list | _Waiting):
                stack.append(((*path, key), value))
                if isinstance(value, _Waiting):
                    scalars.append((part, key, value.text))
    for part, key, text in scalars:
        part[key] = text


_TEXTS = {str}
_TEXT_TAG = f"{TAG_PREFIX}str"
_HANDLERS: dict[type, Callable[[_EventReader, Any], None]] = {
    yaml.DocumentStartEvent: _EventReader.document,
    yaml.ScalarEvent: _EventReader.scalar,
    yaml.AliasEvent: _EventReader.alias,
    yaml.SequenceStartEvent: _EventReader.open,
    yaml.MappingStartEvent: _EventReader.open,
    yaml.SequenceEndEvent: _EventReader.close_sequence,
    yaml.MappingEndEvent: _EventReader.close_mapping,
    yaml.StreamEndEvent: _EventReader.end,
}
