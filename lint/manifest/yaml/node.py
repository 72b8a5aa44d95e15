"""The syntax tree of a document: styles, anchors and offsets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal, TypeAlias

from celvet.lint.model import Path, Span
from celvet.record import field, record

if TYPE_CHECKING:
    from celvet.lint.manifest.substitute.substitution import Substituted

NodeKind: TypeAlias = Literal["scalar", "mapping", "sequence", "alias"]
NodeStyle: TypeAlias = Literal["plain", "single", "double", "literal", "folded", "block", "flow"]


KeyAndValue: TypeAlias = "tuple[YamlNode, YamlNode]"
"""Key node and value node of an entry."""

Entries: TypeAlias = "dict[str, KeyAndValue]"
"""The nodes of each entry, by name."""


@record(eq=False, frozen=False)
class YamlNode:
    """One node; `start` and `end` are offsets of its content in the file's text.

    Not frozen, though no code changes one, because that takes four times as long to make. The
    content excludes anchor and tag and includes quotes, block header and brackets. A block
    collection ends with its last child. `text` is a scalar's decoded text, after substitution,
    which `substituted` maps back. `missing` names the variables without a value, because of which a
    text was not changed. `pairs` are the entries of a mapping as written, `entries` those that
    count, merged ones included.
    """

    kind: NodeKind
    style: NodeStyle
    start: int
    end: int
    tag: str = ""
    anchor: str = ""
    text: str = ""
    items: tuple[YamlNode, ...] = ()
    pairs: tuple[KeyAndValue, ...] = ()
    entries: Entries = field(default_factory=dict)
    target: YamlNode | None = None
    substituted: Substituted | None = None
    missing: tuple[str, ...] = ()

    @property
    def span(self) -> Span:
        """The range of the content in the file's text."""
        return Span(self.start, self.end)

    @property
    def resolved(self) -> YamlNode:
        """The node that an alias stands for, else the node itself."""
        return self.target or self

    @property
    def written(self) -> str:
        """The decoded text before substitution."""
        return self.substituted.original if self.substituted else self.text


def is_merge(key: YamlNode) -> bool:
    """Whether a key is `<<` with its special meaning, as in go-yaml: unquoted."""
    if key.kind != "scalar" or key.text != "<<":
        return False
    return key.tag == _MERGE_TAG or (key.style == "plain" and not key.tag)


_MERGE_TAG = "tag:yaml.org,2002:merge"


def walk(root: YamlNode | None) -> Iterator[YamlNode]:
    """All nodes as written, keys included, in the order of the text; aliases are not followed."""
    stack = [root] if root else []
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(node.items))
        for key, value in reversed(node.pairs):
            stack += (value, key)


def node_at(node: YamlNode, path: Path) -> YamlNode | None:
    """The node at a path below a node, through aliases and merge keys."""
    target: YamlNode | None = node
    for step in path:
        target = _child(target.resolved, step) if target else None
    return target.resolved if target else None


def _child(node: YamlNode, step: str | int) -> YamlNode | None:
    if isinstance(step, int):
        return node.items[step] if 0 <= step < len(node.items) else None
    entry = node.entries.get(step)
    return entry[1] if entry else None


def unresolved_scalars(root: YamlNode) -> dict[Path, tuple[str, ...]]:
    """The scalars with unresolved variables, by path, with the names of the variables."""
    if not any(node.missing for node in walk(root)):
        return {}
    return {path: node.missing for path, node in _scalars(root) if node.missing}


def _scalars(root: YamlNode) -> Iterator[tuple[Path, YamlNode]]:
    """All scalar values with their paths, aliases followed."""
    stack: list[tuple[Path, YamlNode]] = [((), root)]
    while stack:
        path, node = stack.pop()
        node = node.resolved
        if node.kind == "scalar":
            yield path, node
        stack += (((*path, name), value) for name, (_, value) in node.entries.items())
        stack += (((*path, index), item) for index, item in enumerate(node.items))
