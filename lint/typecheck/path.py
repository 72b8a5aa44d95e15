"""Checks the fields that a JSONPath reads against the schema of the object."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from celvet.lint.crds import ANYTHING, Structural
from celvet.lint.model import field_pattern
from celvet.lint.similar import similar
from celvet.lint.typecheck.mismatch import TypeMismatch, no_field

if TYPE_CHECKING:
    from celvet.lint.jsonpath import FieldStep, Steps


def in_path(
    fields: Iterable[FieldStep], kind: str, versions: Sequence[Structural]
) -> list[TypeMismatch]:
    """The fields of a path that no version has; of several below each other, the first."""
    mismatches: dict[tuple[int, int], TypeMismatch] = {}
    for step in fields:
        name = step.path[-1]
        parents = [_follow(version, step.path[:-1]) for version in versions]
        if isinstance(name, str) and parents and all(_lacks(node, name) for node in parents):
            near = similar(name, parents[0].names if parents[0] else ())
            path = field_pattern(step.path)
            mismatches.setdefault(step.span, no_field(kind, path, near, step.span, True))
    return list(mismatches.values())


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
