"""Kinds whose objects define further kinds, as a CRD does; `repository/definers.json` has them."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from celvet.record import record

_DATA = Path(__file__).parent / "definers.json"


@record(eq=False)
class Definer:
    """A kind whose objects are made into CRDs.

    `names` are the fields of the spec with the names of a defined kind each; the objects of those
    in `namespaced` always have a namespace. `spec` and `status` are the fields that the controller
    adds to the schema of an object, and `conditions` is the schema of the conditions. An entry that
    reads all types of conditions in `signs` is about a defined kind, if nothing else is known.
    """

    group: str
    kind: str
    signs: Sequence[str]
    names: Sequence[str]
    namespaced: Sequence[str]
    spec: Sequence[str]
    status: Sequence[str]
    conditions: Mapping[str, Any]


@functools.cache
def definers() -> Mapping[tuple[str, str], Definer]:
    """All definers, by group and kind."""
    entries = json.loads(_DATA.read_text(encoding="utf-8"))
    fields = ("group", "kind", "signs", "names", "namespaced", "spec", "status", "conditions")
    return {
        (entry["group"], entry["kind"]): Definer(**{name: entry[name] for name in fields})
        for entry in entries
    }
