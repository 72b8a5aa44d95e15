"""Composes a document again after a change inside a list item, and reuses the rest.

An editor needs this after each keystroke, when most of the text is unchanged. The content of an
item of a block sequence does not affect how the rest is read, as long as the parser finds a `-`
where the next item begins. So the item is parsed together with such a `-`. The nodes before it stay
the same objects, and so do all other values; nodes after it are copied to their new positions on
demand.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Any

import yaml

from celvet.lint.manifest.file_limits import Budget
from celvet.lint.manifest.problem import Refused
from celvet.lint.manifest.source.document_text import DocumentText
from celvet.lint.manifest.yaml.compose import Composer
from celvet.lint.manifest.yaml.node import YamlNode
from celvet.lint.model import Path, Span, Value
from celvet.record import record
from celvet.regex import regex

_BLANK = regex(r"(?:\s+|#[^\r\n\x85\u2028\u2029]*)*+")


class _ReadAgainError(Exception):
    """The part to reuse depends on other parts of the document."""


@record
class Composed:
    """A document without problems and aliases, the only one of its file."""

    text: str
    root: YamlNode
    value: Value


def recomposed(written: DocumentText, earlier: Composed, budget: Budget) -> Composed | None:
    """The only document of a file without variables, with reused parts of an earlier one.

    None if all of it has to be read.
    """
    if written.patched or len(written.text) > budget.nodes:  # no node is shorter than a character
        return None
    change, by = _change(earlier.text, written.text)
    items = [*_items(earlier, change)]
    try:
        return _replaced(items[-1], written, by, budget) if items else None
    except (_ReadAgainError, Refused, yaml.YAMLError):
        return None


def changed_item(
    earlier: Composed, change: Span, written: DocumentText
) -> tuple[Path, YamlNode] | None:
    """The innermost list item around a change, read again: its path and its node.

    None if it cannot be read alone; then all of the document has to be read.
    """
    items = [*_items(earlier, change)]
    by = len(written.text) - len(earlier.text)
    try:
        nodes, _ = _parsed(items[-1], written, by, Budget()) if items else ((), ())
    except (_ReadAgainError, Refused, yaml.YAMLError):
        return None
    return (items[-1].path, nodes[0]) if len(nodes) == 1 else None


def _change(old: str, new: str) -> tuple[Span, int]:
    """The range of the old text that differs in the new one, and the growth in length."""
    start = _common(old, new)
    rest = _common(old[start:][::-1], new[start:][::-1])
    return Span(start, len(old) - rest), len(new) - len(old)


def _common(one: str, other: str) -> int:
    """The length of the common beginning of both texts."""
    least, most = 0, min(len(one), len(other))
    while least < most:
        middle = (least + most + 1) // 2
        if one[least:middle] == other[least:middle]:
            least = middle
        else:
            most = middle - 1
    return least


@record
class _Level:
    """A block collection, its value, and the index of the child with the change."""

    node: YamlNode
    value: Value
    index: int

    @property
    def key(self) -> str | int:
        """The step of a path that leads to the child."""
        return self.index if self.node.kind == "sequence" else [*self.node.entries][self.index]


@record
class _Item:
    """A list item, with the collections around it.

    `start` is the offset of its `-`, which is in a `column`; `end` that of the first line
    that is neither the item's nor blank.
    """

    steps: tuple[_Level, ...]
    start: int
    column: int
    end: int

    @property
    def path(self) -> Path:
        """Where it is in the document."""
        return tuple(step.key for step in self.steps)


def _items(earlier: Composed, change: Span) -> Iterator[_Item]:
    """The items in which a change lies, from the outermost."""
    node, value = earlier.root, earlier.value
    steps: tuple[_Level, ...] = ()
    while (index := _child(node, change.start)) is not None:
        steps = (*steps, _Level(node, value, index))
        if node.kind == "sequence":
            item = _item(earlier.text, steps)
            if item and item.start < change.start and change.end < item.end:
                yield item
            node, value = node.items[index], value[index]
        else:
            node, value = node.pairs[index][1], value[steps[-1].key]


def _child(node: YamlNode, offset: int) -> int | None:
    """The index of the last child of a block collection that begins at an offset or before it."""
    if node.style != "block" or any(key.text == "<<" for key, _ in node.pairs):
        return None
    children = node.items or [value for _, value in node.pairs]
    before = bisect_right(children, offset, key=lambda child: child.start)
    return before - 1 if before else None


def _item(text: str, steps: tuple[_Level, ...]) -> _Item | None:
    items, index = steps[-1].node.items, steps[-1].index
    node = items[index]
    start = text.rfind("-", 0, node.start)
    line = text.rfind("\n", 0, start) + 1
    column = start - line
    blank = _BLANK.match(text, node.end)
    after = blank.end() if blank else node.end
    end = text.rfind("\n", 0, after) + 1
    own_line = not text[start + 1 : node.start].strip() and not text[line:start].strip(" -")
    apart = end > node.start and not text[end:after].strip(" ")
    last = index + 1 == len(items)
    if own_line and apart and (last or (text.startswith("-", after) and after - end == column)):
        return _Item(steps, start, column, end)
    return None


def _replaced(item: _Item, written: DocumentText, by: int, budget: Budget) -> Composed:
    nodes, values = _parsed(item, written, by, budget)
    for step in reversed(item.steps):
        node, value = _with(step, nodes, values, by)
        nodes, values = [node], [value]
    return Composed(written.text, nodes[0], values[0])


def _parsed(
    item: _Item, written: DocumentText, by: int, budget: Budget
) -> tuple[Sequence[YamlNode], Sequence[Value]]:
    """The nodes and values that replace an item."""
    margin, end = " " * item.column, item.end + by
    own = f"{margin}{written.text[item.start : end]}{margin}-"
    start = item.start - item.column
    part = DocumentText(written.text, start, start + len(own), written.index, own, own)
    composer = Composer(part, budget, depth=len(item.steps) - 1)
    composer.compose()
    root = composer.root
    if root is None or root.kind != "sequence" or composer.anchored or composer.problems.all():
        raise _ReadAgainError
    *nodes, following = root.items
    if root.start != item.start or following.start != start + len(own):
        raise _ReadAgainError
    return nodes, composer.value[:-1]


def _with(
    step: _Level, nodes: Sequence[YamlNode], values: Sequence[Value], by: int
) -> tuple[YamlNode, Value]:
    """A collection and its value, with one child replaced by others."""
    old, at = step.node, step.index
    shape = (old.kind, old.style, old.start)
    named = (old.tag, old.anchor, "")
    if old.kind == "sequence":
        items = (*old.items[:at], *nodes, *[_Moved(each, by) for each in old.items[at + 1 :]])
        value = [*step.value[:at], *values, *step.value[at + 1 :]]
        return YamlNode(*shape, items[-1].end, *named, items=items), value
    rest = [(_Moved(key, by), _Moved(each, by)) for key, each in old.pairs[at + 1 :]]
    pairs = (*old.pairs[:at], (old.pairs[at][0], nodes[0]), *rest)
    entries = dict(zip(old.entries, pairs, strict=True))
    made = YamlNode(*shape, pairs[-1][1].end, *named, pairs=pairs, entries=entries)
    return made, {**step.value, step.key: values[0]}


class _Moved(YamlNode):
    """A node (not an alias) at another place; the nodes below it are made on first use."""

    __slots__ = ("_by", "_origin")

    def __init__(self, node: YamlNode, by: int) -> None:
        if isinstance(node, _Moved):
            self._origin: YamlNode = node._origin
            self._by: int = node._by + by
        else:
            self._origin, self._by = node, by
        self.kind, self.style = node.kind, node.style
        self.start, self.end = node.start + by, node.end + by
        self.tag, self.anchor, self.text = node.tag, node.anchor, node.text
        self.target = self.substituted = None
        self.missing = ()

    def __getattr__(self, name: str) -> Any:
        """An attribute on first use, which makes all attributes that refer to the nodes below."""
        if name not in ("items", "pairs", "entries"):
            raise AttributeError(name)
        node, by = self._origin, self._by
        self.items = tuple([_Moved(each, by) for each in node.items])
        moved = {
            id(pair): (_Moved(pair[0], by), _Moved(pair[1], by))
            for pair in (*node.pairs, *node.entries.values())  # merged ones are only in the latter
        }
        self.pairs = tuple([moved[id(pair)] for pair in node.pairs])
        self.entries = {name: moved[id(pair)] for name, pair in node.entries.items()}
        return getattr(self, name)
