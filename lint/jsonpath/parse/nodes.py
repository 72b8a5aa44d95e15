"""The nodes of a JSONPath template, with their spans.

The nodes are those of client-go (`k8s.io/client-go/util/jsonpath/node.go`),
since its parser is the specification: `[*]` is a slice, `[]` is `[0]`, and a
key in quotes and brackets is a field, or several where it has dots. Spans are
in code points of the parsed text.
"""

from __future__ import annotations

from typing import TypeAlias

from celvet.lint.model import Span
from celvet.record import record


@record
class TextNode:
    """Literal text: outside braces, or inside them without its quotes."""

    text: str
    span: Span


@record
class FieldNode:
    """One key of an object, its backslashes removed; the span is the name alone."""

    name: str
    span: Span


@record
class ArrayNode:
    """Elements `start` to `end` (exclusive) of a list, every `step`-th.

    None is what the text leaves open. `single` tells `[2]`, whose `end` is
    derived from its `start`, from `[2:3]`.
    """

    start: int | None
    end: int | None
    step: int | None
    single: bool
    span: Span


@record
class FilterNode:
    """The elements of a list for which `left operator right` holds.

    Without an operator it is a test of existence, and `right` is None. The
    operator may be any run of `!<>=`: only evaluation refuses an unknown one.
    """

    left: ListNode
    operator: str
    right: ListNode | None
    span: Span


@record
class UnionNode:
    """The results of each branch, one after the other."""

    branches: tuple[ListNode, ...]
    span: Span


@record
class WildcardNode:
    """Every value of an object, every element of a list, every byte of a text."""

    span: Span


@record
class RecursiveNode:
    """`..`: the value and all non-empty objects and lists in it."""

    span: Span


@record
class IdentifierNode:
    """A bare word; only `range` and `end` have a meaning."""

    name: str
    span: Span


@record
class IntNode:
    """A whole number of 64 bits."""

    value: int
    span: Span


@record
class FloatNode:
    """A number with a fraction, or a whole one beyond 64 bits."""

    value: float
    span: Span


@record
class BoolNode:
    """`true` or `false`."""

    value: bool
    span: Span


@record
class ListNode:
    """The steps of one `{}` group, of a branch of a union or of a side of a filter."""

    nodes: tuple[PathNode, ...]
    span: Span


PathNode: TypeAlias = (
    TextNode
    | FieldNode
    | ArrayNode
    | FilterNode
    | UnionNode
    | WildcardNode
    | RecursiveNode
    | IdentifierNode
    | IntNode
    | FloatNode
    | BoolNode
    | ListNode
)
