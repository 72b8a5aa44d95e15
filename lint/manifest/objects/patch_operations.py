"""Turns a JSON patch (RFC 6902) into the part of the object that it writes."""

from __future__ import annotations

import copy
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from celvet.lint.model import Path, Value
from celvet.lint.values import pointer_tokens
from celvet.regex import regex

_INDEX = regex(r"-|0|[1-9][0-9]*")
_MAX_STEPS = 100


class OperationTarget(NamedTuple):
    """A path of the assembled object and the index of the operation that wrote it."""

    path: Path
    operation: int


def assemble(operations: list[Value]) -> tuple[Value, list[OperationTarget]]:
    """Build the object that has only what `add` and `replace` operations write.

    The elements of a list are in the order in which the patch names them, whatever their indices,
    since the patched object is not known. A value that does not fit the earlier ones is left out.
    The values of the operations are not changed.
    """
    root: Value = None
    writes: list[OperationTarget] = []
    elements: _Elements = {}
    for number, operation in enumerate(operations):
        tokens = _tokens(operation)
        if tokens is None:
            continue
        path = _path(tokens, elements, root)
        new_root = _place(root, path, operation["value"])
        if new_root is not _MISFIT:
            root = new_root
            writes.append(OperationTarget(path, number))
    return root, writes


def _tokens(operation: Value) -> tuple[str, ...] | None:
    """The steps of the pointer of an operation that writes a value."""
    if not isinstance(operation, dict) or operation.get("op") not in ("add", "replace"):
        return None
    pointer = operation.get("path")
    if "value" not in operation or not isinstance(pointer, str):
        return None
    tokens = tuple(pointer_tokens(pointer))
    is_absolute = not pointer or pointer.startswith("/")
    return tokens if is_absolute and len(tokens) < _MAX_STEPS else None


_Elements: TypeAlias = dict[tuple[str, ...], dict[str, int]]
"""For the pointer of each list, which of its elements a token names."""


def _path(tokens: tuple[str, ...], elements: _Elements, root: Value) -> Path:
    """The object path of a pointer.

    A number names the same element each time, `-` a new one. In a list that an
    operation wrote as a whole, numbers are indices.
    """
    path: list[str | int] = []
    parent = root
    for size, token in enumerate(tokens):
        step: str | int = token
        if _INDEX.fullmatch(token):
            # The first operation that looks into a list written as a whole finds its elements
            # by their indices; any other list begins with what the operations name.
            is_whole_list = isinstance(parent, list) and tokens[:size] not in elements
            positions = elements.setdefault(tokens[:size], {})
            if is_whole_list:
                positions.update((str(index), index) for index in range(len(parent)))
            next_index = len(parent) if isinstance(parent, list) else 0
            step = positions.setdefault(f"-{len(positions)}" if token == "-" else token, next_index)  # noqa: S105
        path.append(step)
        parent = _child(parent, step) if _fits(parent, step) else None
    return tuple(path)


_MISFIT = object()


def _place(root: Value, path: Path, value: Value) -> Value:
    """The root with the value put at the path, or `_MISFIT`; containers on the way are copied."""
    if not path:
        return value
    # The values belong to the document, so only what lies on the path is copied, not the whole
    # object.
    root = copy.copy(root) if root is not None else _container(path[0])
    parent = root
    for step, following in pairwise((*path, None)):
        if not _fits(parent, step):
            return _MISFIT
        old_child = _child(parent, step)
        if following is None:
            child = value
        else:
            child = copy.copy(old_child) if old_child is not None else _container(following)
        # RFC 6902, 4.1: an index equal to the length appends.
        if isinstance(step, int) and step == len(parent):
            parent.append(child)
        else:
            parent[step] = child
        parent = child
    return root


def _container(step: str | int) -> Value:
    return [] if isinstance(step, int) else {}


def _fits(parent: Value, step: str | int | None) -> bool:
    if isinstance(step, int):
        return isinstance(parent, list) and step <= len(parent)
    return isinstance(parent, dict)


def _child(parent: Value, step: str | int | None) -> Value:
    if isinstance(step, int):
        return parent[step] if step < len(parent) else None
    return parent.get(step)
