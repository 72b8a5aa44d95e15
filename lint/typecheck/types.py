"""The type of a sub-expression, derived from the schema."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from celvet.lint.crds import Structural
from celvet.record import record, replace

Category: TypeAlias = (
    Literal["", "bool", "bytes", "duration", "list", "map", "null", "number", "optional"]
    | Literal["string", "timestamp", "type"]
)
"""The types that CEL distinguishes in a comparison; its numeric types compare with each other."""

_CATEGORIES: Mapping[str, Category] = {
    "array": "list",
    "boolean": "bool",
    "integer": "number",
    "number": "number",
    "object": "map",
    "string": "string",
}


@record
class Type:
    """A category, empty if nothing is known, and the type inside.

    If the value is part of the object, `path` names it as a user would write it, with `[]` for any
    element. `node` is its schema, `inner` the type of the elements of a list without a schema, or
    of the value in an optional. `values` are the only strings that it may be. `empty` marks the
    literals `[]` and `{}`, `is_choice` a value that is either the one at `path` or another one.
    """

    category: Category = ""
    path: str = ""
    node: Structural | None = None
    inner: Type | None = None
    values: tuple[str, ...] | None = None
    empty: bool = False
    is_choice: bool = False

    @classmethod
    def of(cls, node: Structural, path: str) -> Type:
        """The type of a value with a schema."""
        if node.type == "":
            return ANY
        return cls(_CATEGORIES[node.type], path, node, values=node.values)

    @property
    def element(self) -> Type:
        """The type of a list's elements, an optional's value, or an object's keys in a loop."""
        if self.category == "map":
            return Type("string")
        if self.category == "list" and self.node:
            return Type.of(self.node.items, f"{self.path}[]")
        return self.inner or ANY

    def is_not(self, *categories: Category) -> bool:
        """Whether this is part of the object, and certainly none of these."""
        return bool(self.path and self.category) and self.category not in ("null", *categories)


ANY = Type()
"""Nothing is known."""

BOOL = Type("bool")
NUMBER = Type("number")
STRING = Type("string")


def optional_of(kind: Type) -> Type:
    """An optional of a type; an optional of an optional is taken for one of them."""
    return kind if kind.category == "optional" else Type("optional", kind.path, inner=kind)


def common_type(first: Type, second: Type) -> Type:
    """The type of a value that has one of two types."""
    if first.category != second.category or not first.category:
        return ANY
    if second.empty or first.empty:
        return first if second.empty else second
    values = None
    if first.values is not None and second.values is not None:
        values = tuple(dict.fromkeys((*first.values, *second.values)))
    is_chosen = first.is_choice or second.is_choice or first.path != second.path
    union = replace(first if first.path else second, values=values, is_choice=is_chosen)
    return (
        union if first.node is second.node and union.node else replace(union, node=None, inner=ANY)
    )
