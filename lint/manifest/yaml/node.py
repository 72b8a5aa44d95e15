"""The tree of a document as it is written: styles, anchors and offsets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

from celvet.lint.model import Span

if TYPE_CHECKING:
    from celvet.lint.manifest.substitute.substitution import Substituted

NodeKind: TypeAlias = Literal["scalar", "mapping", "sequence", "alias"]
Style: TypeAlias = Literal["plain", "single", "double", "literal", "folded", "block", "flow"]


Entries: TypeAlias = "dict[str, tuple[Node, Node]]"
"""Key node and value node of each entry, by name."""


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """One node; `start` and `end` are offsets of its content in the file's text.

    The content excludes anchor and tag and includes quotes, block header and
    brackets. A block collection ends with its last child. `text` is a scalar's
    decoded text, after substitution, which `substituted` traces back. `missing`
    names the variables for which a text was left as it is. `pairs` are the
    entries of a mapping as written, `entries` those that count, merged ones
    included.
    """

    kind: NodeKind
    style: Style
    start: int
    end: int
    tag: str = ""
    anchor: str = ""
    text: str = ""
    items: tuple[Node, ...] = ()
    pairs: tuple[tuple[Node, Node], ...] = ()
    entries: Entries = field(default_factory=dict)
    target: Node | None = None
    substituted: Substituted | None = None
    missing: tuple[str, ...] = ()

    @property
    def span(self) -> Span:
        """The range of the content in the file's text."""
        return Span(self.start, self.end)

    @property
    def resolved(self) -> Node:
        """The node that an alias stands for, else the node itself."""
        return self.target or self

    @property
    def written(self) -> str:
        """The decoded text before substitution."""
        return self.substituted.original if self.substituted else self.text


def is_merge(key: Node) -> bool:
    """Whether a key is `<<` in its special meaning, as go-yaml has it: unquoted."""
    if key.kind != "scalar" or key.text != "<<":
        return False
    return key.tag == MERGE_TAG or (key.style == "plain" and not key.tag)


MERGE_TAG = "tag:yaml.org,2002:merge"


def walk(root: Node | None) -> Iterator[Node]:
    """All nodes as written, keys included, in the order of the text; aliases are not followed."""
    stack = [root] if root else []
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(node.items))
        for key, value in reversed(node.pairs):
            stack += (value, key)
