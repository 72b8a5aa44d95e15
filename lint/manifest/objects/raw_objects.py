"""Finds what may be an object in a document: list items, resources of a ResourceSet."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple, TypeAlias

from celvet.lint.manifest.objects.resourceset import is_templated, resources
from celvet.lint.model import Path, Value

Origin: TypeAlias = Literal["document", "list", "patch", "resourceset"]
"""How an object comes to stand in a document."""


class RawObject(NamedTuple):
    """A mapping that may be an object, with its path in the document.

    A `templated` one holds `<< >>` in a ResourceSet.
    """

    path: Path
    value: dict[str, Value]
    origin: Origin
    templated: bool = False


def raw_objects(value: Value) -> Iterator[RawObject]:
    """Yield the mappings in a document's value that may be objects, outer before inner.

    A list of any kind gives its items, a ResourceSet itself and the entries of its
    `resources` and `steps`. Without recursion, since both nest.
    """
    stack: list[tuple[Path, Value, Origin]] = [((), value, "document")]
    while stack:
        path, part, origin = stack.pop()
        if not isinstance(part, dict):
            continue
        if _is_list(part):
            inside: Origin = "list" if origin == "document" else origin
            items = enumerate(part["items"])
            stack += reversed([((*path, "items", at), item, inside) for at, item in items])
            continue
        templated = origin == "resourceset" and is_templated(part)
        yield RawObject(path, part, origin, templated)
        if not templated:
            entries = [(path + below, entry) for below, entry in resources(part)]
            stack += ((below, entry, "resourceset") for below, entry in reversed(entries))


def _is_list(value: dict[str, Value]) -> bool:
    kind = value.get("kind")
    return isinstance(kind, str) and kind.endswith("List") and isinstance(value.get("items"), list)
