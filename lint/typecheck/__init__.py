"""Checks the fields and types that an expression reads against the schema of the object.

Types start at the variables, whose schema a CRD gives, and flow through
selections, indexes, macros, branches and optional values. What is not known
agrees with everything: a mismatch is reported only where the schema excludes
that the expression means what it says, in every version that is served.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from celvet.lint.cel.syntax.tree import Node
from celvet.lint.crds import ANYTHING, Structural
from celvet.lint.model import field_pattern
from celvet.lint.similar import similar
from celvet.lint.typecheck.flow import Flow
from celvet.lint.typecheck.mismatch import TypeMismatch, no_field, wrong_use
from celvet.lint.typecheck.types import ANY, Type
from celvet.schemas import Dialect

if TYPE_CHECKING:
    from celvet.lint.jsonpath import FieldStep, Steps

__all__ = ["TypeMismatch", "in_expression", "in_path"]

_Key: TypeAlias = tuple[str, tuple[int, int]]

_MAX_DEPTH = 100
"""Levels of nesting that are followed; no expression written by hand has a third of it."""


def in_path(
    fields: Iterable[FieldStep], kind: str, versions: Sequence[Structural]
) -> list[TypeMismatch]:
    """The fields of a path that no version has; of several below each other, the first."""
    found: dict[tuple[int, int], TypeMismatch] = {}
    for step in fields:
        name = step.path[-1]
        parents = [_follow(version, step.path[:-1]) for version in versions]
        if isinstance(name, str) and parents and all(_lacks(node, name) for node in parents):
            near = similar(name, parents[0].names if parents[0] else ())
            path = field_pattern(step.path)
            found.setdefault(step.span, no_field(kind, path, near, step.span, True))
    return list(found.values())


def _lacks(node: Structural | None, name: str) -> bool:
    return node is not None and node.type == "object" and node.field(name) is None


def _follow(node: Structural | None, path: Steps) -> Structural | None:
    """The node at a path; None below a missing field, which is reported already."""
    for step in path:
        if node is None:
            return None
        if isinstance(step, str):
            node = node.field(step) if node.type == "object" else ANYTHING
        else:
            node = node.items if node.type == "array" else ANYTHING
    return node


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
        flow.report(wrong_use(result, "is no answer", "Compare it with a value.", root.span))
    return {(each.rule, each.span): each for each in flow.mismatches()}


def _deeper_than(limit: int, root: Node) -> bool:
    level = [root]
    for _ in range(limit):
        level = [child for node in level for child in node.children]
        if not level:
            return False
    return True
