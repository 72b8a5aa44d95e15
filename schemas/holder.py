"""The kinds whose objects hold other objects, as `repository/holders.json` has them."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from celvet.record import record
from celvet.schemas.walk import steps

_DATA = Path(__file__).parent / "repository/holders.json"
_TEXTS = ("group", "kind", "plural", "scope", "rendered", "computed")
_LISTS = ("objects", "kustomizations")

FieldPattern = tuple[str, ...]
"""The steps of a path; `ITEM` stands for each element of a list."""


@record
class Embedding:
    """Where an object holds the text of another one, or the `field` of the object `rest`.

    It is one only if `mention` occurs in the text, or in some text of the holder.
    """

    at: FieldPattern
    mention: str
    field: str
    rest: Mapping[str, Any]


@record
class Holder:
    """A kind whose objects hold others as a whole, or parts of them as patches.

    `objects` lead to whole objects, `kustomizations` to mappings with the patches of kustomize,
    `embedded` to texts and parts of objects that no cluster stores. An object that contains the
    text `rendered` is a template. A text that contains `computed` gets its value from the
    controller later. A kind without a `plural` is not read in a cluster.
    """

    group: str
    kind: str
    plural: str = ""
    scope: str = ""
    objects: tuple[FieldPattern, ...] = ()
    kustomizations: tuple[FieldPattern, ...] = ()
    embedded: tuple[Embedding, ...] = ()
    rendered: str = ""
    computed: str = ""


@functools.cache
def holders() -> tuple[Holder, ...]:
    """The kinds that hold other objects in a field."""
    return tuple(map(_holder, json.loads(_DATA.read_text(encoding="utf-8"))))


def _holder(entry: Mapping[str, Any]) -> Holder:
    fields: dict[str, Any] = {name: entry.get(name, "") for name in _TEXTS}
    fields |= {name: tuple(map(steps, entry.get(name, ()))) for name in _LISTS}
    fields["embedded"] = tuple(map(_embedding, entry.get("embedded", ())))
    return Holder(**fields)


def _embedding(entry: Mapping[str, Any]) -> Embedding:
    field, selector = entry.get("field", ""), entry.get("object", {})
    return Embedding(steps(entry["at"]), entry["mention"], field, selector)


def holder(group: str, kind: str) -> Holder | None:
    """The holder of this group and kind; the kind `*` stands for all kinds of its group."""
    holder_index = _by_name()
    return holder_index.get((group, kind)) or holder_index.get((group, "*"))


@functools.cache
def _by_name() -> dict[tuple[str, str], Holder]:
    return {(item.group, item.kind): item for item in holders()}
