"""Finds possible objects in a document: list items, objects that another one holds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple, TypeAlias

from celvet.lint.manifest.objects.held import holder_of, holds_text, places
from celvet.lint.model import Path, Value
from celvet.lint.values import get
from celvet.schemas.holder import Holder

Nesting: TypeAlias = Literal["document", "list", "patch", "held"]
"""How an object gets into a document."""


class RawObject(NamedTuple):
    """A mapping that may be an object, with its path in the document.

    `templated` and `computed` come from its holder; see `celvet.schemas.holder`.
    """

    path: Path
    value: dict[str, Value]
    nesting: Nesting
    templated: bool = False
    computed: str = ""


def raw_objects(value: Value) -> Iterator[RawObject]:
    """Yield the mappings in a document's value that may be objects, outer before inner.

    A list of any kind gives its items, a holder itself and the objects in it. Without
    recursion, since both nest.
    """
    stack: list[tuple[Path, Value, Nesting, Holder | None]] = [((), value, "document", None)]
    while stack:
        path, part, nesting, holder = stack.pop()
        if not isinstance(part, dict):
            continue
        if _is_list(part):
            item_nesting: Nesting = "list" if nesting == "document" else nesting
            items = enumerate(part["items"])
            stack += reversed(
                [((*path, "items", index), item, item_nesting, holder) for index, item in items]
            )
            continue
        # What a template renders is not YAML yet, so nothing is looked for in it.
        is_template = holder is not None and holds_text(part, holder.rendered)
        yield RawObject(path, part, nesting, is_template, holder.computed if holder else "")
        inner_holder = None if is_template else holder_of(part)
        if inner_holder:
            paths = [
                inner_path
                for pattern in inner_holder.objects
                for inner_path in places(part, pattern)
            ]
            stack += (
                ((*path, *inner_path), get(part, inner_path), "held", inner_holder)
                for inner_path in reversed(paths)
            )


def is_named(value: Value) -> bool:
    """Whether a value names its kind, as an object must and a patch may."""
    return isinstance(value, dict) and any(
        isinstance(value.get(key), str) for key in ("kind", "apiVersion")
    )


def _is_list(value: dict[str, Value]) -> bool:
    kind = value.get("kind")
    return isinstance(kind, str) and kind.endswith("List") and isinstance(value.get("items"), list)
