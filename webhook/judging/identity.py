"""What a finding is about, in a form that stays when the entries of lists move.

An entry of a list is known by the fields that name it to the controllers, whatever
its index: a health check by group and kind, a dependency by name and namespace. One
without such fields has no identity; it counts as any other of its list.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from hashlib import blake2b

from celvet.lint.model import Finding, Path, Value
from celvet.lint.values import group_kind_of, mapping_at, values_along

_NAMING = ("kind", "namespace", "name", "generateName", "type")
_INDEX = re.compile(r"\[\d+\]")
_SIZE = 12


def identity(finding: Finding, object_: Value) -> str:
    """What tells a finding in an object from others: rule, message and place, as a digest."""
    place = list(_named(object_, finding.where.path))
    told = [finding.rule, _INDEX.sub("[]", finding.message), place]
    return blake2b(json.dumps(told).encode(), digest_size=_SIZE).hexdigest()


def _named(value: Value, path: Path) -> Iterator[Value]:
    """The steps of a path, the entries of lists by name."""
    for step, below in zip(path, values_along(value, path), strict=True):
        yield step if isinstance(step, str) else list(_names(below))


def _names(entry: Value) -> Iterator[tuple[str, str]]:
    """What names an entry of a list; nothing if nothing does."""
    if not isinstance(entry, Mapping):
        return
    if isinstance(entry.get("apiVersion"), str):  # controllers ignore the version
        yield "group", group_kind_of(entry).group
    for fields in (entry, mapping_at(entry, ("metadata",))):
        for key in _NAMING:
            if isinstance(text := fields.get(key), str):
                yield key, text
