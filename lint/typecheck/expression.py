"""Holds a CEL expression against the schema of the object that it reads."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from typing import TypeAlias

from celvet.lint.cel.syntax.tree import Node
from celvet.lint.crds import Structural
from celvet.lint.typecheck.flow import Flow
from celvet.lint.typecheck.mismatch import TypeMismatch, wrong_use
from celvet.lint.typecheck.types import ANY, Type
from celvet.schemas import Dialect

_Key: TypeAlias = tuple[str, tuple[int, int]]

_MAX_DEPTH = 100
"""Levels of nesting that are followed; no expression written by hand has a third of it."""


def in_expression(
    root: Node, kind: str, versions: Sequence[Structural], dialect: Dialect, names: Container[str]
) -> list[TypeMismatch]:
    """The mismatches that every version of the kind agrees on, in source order.

    The variables in `names` each stand for an object of the kind; in a dialect
    without variables, the names are the object's own top-level fields.
    """
    if _deeper_than(_MAX_DEPTH, root):
        return []
    agreed: Mapping[_Key, TypeMismatch] = {}
    for index, version in enumerate(versions):
        found = _in_version(root, kind, version, dialect, names)
        agreed = {key: agreed[key] for key in found if key in agreed} if index else found
        if not agreed:
            break
    return [agreed[key] for key in sorted(agreed, key=lambda key: (key[1], key[0]))]


def _in_version(
    root: Node, kind: str, version: Structural, dialect: Dialect, names: Container[str]
) -> Mapping[_Key, TypeMismatch]:
    def look_up(name: str) -> Type:
        if dialect.variables:
            return Type.of(version, name) if name in names else ANY
        field = version.field(name)
        return Type.of(field, name) if field else ANY

    flow = Flow(kind, look_up, dialect.libraries)
    result = flow.infer(root, {})
    if dialect.result == "bool" and result.is_not("bool"):
        flow.report(
            wrong_use(result, "is neither true nor false", "Compare it with a value.", root.span)
        )
    return {(each.rule, each.span): each for each in flow.mismatches()}


def _deeper_than(limit: int, root: Node) -> bool:
    level = [root]
    for _ in range(limit):
        level = [child for node in level for child in node.children]
        if not level:
            return False
    return True
