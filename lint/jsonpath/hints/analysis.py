"""Static analysis of a template: the fields it reads, and how many results it gives."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Literal, TypeAlias

from celvet.lint.jsonpath.parse.nodes import (
    ArrayNode,
    BoolNode,
    FieldNode,
    FilterNode,
    FloatNode,
    IdentifierNode,
    IntNode,
    ListNode,
    PathNode,
    RecursiveNode,
    TextNode,
    UnionNode,
    WildcardNode,
)
from celvet.lint.model import Span
from celvet.record import record

Several: TypeAlias = Literal["never", "can", "always"]
"""Whether more than one result comes out; `always` is on any object that has the keys named."""

Steps: TypeAlias = tuple[str | int | None, ...]
"""Keys and indices from the root; None is any element of a list, or any key."""

_MAX_STEPS = 100
_MAX_PATHS = 64
_MAX_FIELDS = 10_000
_MAX_LABEL_STEPS = 12
_LITERALS = (TextNode, IntNode, FloatNode, BoolNode)


@record
class FieldStep:
    """One key that a path reads: where it lies in the object, and in the text."""

    path: Steps
    span: Span


def descend(nodes: Sequence[PathNode]) -> Iterator[PathNode]:
    """Every node and all that is inside it, in the order of the text."""
    for node in nodes:
        yield node
        if isinstance(node, ListNode):
            yield from descend(node.nodes)
        elif isinstance(node, UnionNode):
            yield from descend(node.branches)
        elif isinstance(node, FilterNode):
            yield from descend((node.left, node.right) if node.right else (node.left,))


def is_constant(groups: Sequence[TextNode | ListNode]) -> bool:
    """Whether it reads nothing of the object: it has only literals, or is empty."""
    return all(isinstance(group, TextNode) or _is_literal(group) for group in groups)


def _is_literal(group: ListNode) -> bool:
    return bool(group.nodes) and all(isinstance(node, _LITERALS) for node in group.nodes)


def several(groups: Sequence[TextNode | ListNode]) -> Several:
    """Whether the template as a whole gives more than one result."""
    if any(isinstance(node, IdentifierNode) for node in descend(groups)):
        return "can"
    if len(groups) > 1:
        return "always"
    return _several(groups[0]) if groups and isinstance(groups[0], ListNode) else "never"


def _several(group: ListNode) -> Several:
    verdict: Several = "never"
    for node in group.nodes:
        if isinstance(node, TextNode):
            verdict = "never"
        elif isinstance(node, (WildcardNode, RecursiveNode)):
            # an API object has `apiVersion`, `kind` and `metadata` at least
            verdict = "always" if len(group.nodes) == 1 else "can"
        elif isinstance(node, FilterNode):
            verdict = "can"
        elif isinstance(node, ArrayNode) and not node.single:
            verdict = _several_in_slice(node, verdict)
        elif isinstance(node, UnionNode):
            # each branch gives its results, so a union of keys that exist always gives several
            branches = {_several(branch) for branch in node.branches}
            verdict = "can" if "can" in branches | {verdict} else "always"
    return verdict


def _several_in_slice(node: ArrayNode, otherwise: Several) -> Several:
    """A slice that counts from one end fails on a shorter list, so it never gives fewer results."""
    low = node.start or 0
    high = 0 if node.end is None else node.end
    if (low < 0) != (high < 0 or node.end is None):
        return "can"
    return "always" if len(range(low, high, max(node.step or 1, 1))) > 1 else otherwise


def field_steps(groups: Sequence[TextNode | ListNode]) -> tuple[FieldStep, ...]:
    """The keys read, each with its whole path; loops and filters included.

    What follows `..` has no known place and is left out. Bounded: 100 steps
    deep, 64 ways through unions, some 10,000 keys.
    """
    fields: list[FieldStep] = []
    outer: list[list[Steps]] = []
    paths: list[Steps] = [()]
    for group in groups:
        if isinstance(group, TextNode) or len(fields) > _MAX_FIELDS:
            continue
        inner = _follow(group, paths, fields)
        words = {node.name for node in group.nodes if isinstance(node, IdentifierNode)}
        if "range" in words:
            outer.append(paths)
            paths = inner
        elif "end" in words and outer:
            paths = outer.pop()
    return tuple(fields)


def _follow(group: ListNode, paths: list[Steps], fields: list[FieldStep]) -> list[Steps]:
    """The paths that a group leads to from each of `paths`; `fields` takes those on the way."""
    for node in group.nodes:
        short = [path for path in paths if len(path) < _MAX_STEPS][:_MAX_PATHS]
        paths = _paths_after(node, short, fields)
    return paths


def _paths_after(node: PathNode, paths: list[Steps], fields: list[FieldStep]) -> list[Steps]:
    """The paths that one node leads to; from anything else than a step, none."""
    match node:
        case IdentifierNode():
            return paths
        case UnionNode():
            # Unions in unions multiply, so only so many branches are followed.
            branches = node.branches[:_MAX_PATHS]
            return [path for branch in branches for path in _follow(branch, paths, fields)]
        case FieldNode():
            next_paths: list[Steps] = [(*path, node.name) for path in paths]
            fields += (FieldStep(path, node.span) for path in next_paths)
        case ArrayNode():
            next_paths = [(*path, _index(node)) for path in paths]
        case FilterNode():
            next_paths = [(*path, None) for path in paths]
            for side in filter(None, (node.left, node.right)):
                _follow(side, next_paths, fields)
        case WildcardNode():
            next_paths = [(*path, None) for path in paths]
        case _:
            next_paths = []
    return next_paths


def _index(node: ArrayNode) -> int | None:
    """The index of a single element from the start of a list; None for any other selection."""
    index = node.start or 0
    return index if node.single and index >= 0 else None


def label_steps(groups: Sequence[TextNode | ListNode]) -> Iterator[tuple[FieldNode, ...]]:
    """The keys after `.metadata.labels` or `.metadata.annotations`, where they are several.

    Labels are strings, so there is nothing below the first key: its dots were not escaped.
    """
    for group in descend(groups):
        nodes = group.nodes if isinstance(group, ListNode) else ()
        for position in range(len(nodes) - 3):
            names = [getattr(node, "name", "") for node in nodes[position : position + 2]]
            if names[0] != "metadata" or names[1] not in ("labels", "annotations"):
                continue
            label_nodes = nodes[position + 2 : position + 2 + _MAX_LABEL_STEPS]
            keys = tuple(takewhile(lambda node: isinstance(node, FieldNode), label_nodes))
            if len(keys) > 1:
                yield tuple(key for key in keys if isinstance(key, FieldNode))
