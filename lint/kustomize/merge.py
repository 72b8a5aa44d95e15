"""Merges a strategic merge patch into an object of a kind without a built-in schema.

Mirrors `kyaml/yaml/merge2` of kustomize 5.8 for custom resources: mappings are merged, lists and
scalars replaced, null and `$patch: delete` remove.
"""

from __future__ import annotations

from typing import Any

from celvet.lint.kustomize.errors import KustomizeError
from celvet.lint.model import Path, Value
from celvet.lint.values import ABSENT

_DIRECTIVE = "$patch"


def merged(old: Value, patch: Value) -> Any:
    """The value with the patch merged into it; `ABSENT` if the patch removes it."""
    if patch is None:
        return ABSENT
    if not isinstance(patch, dict):
        _require_like(old, patch)
        return patch
    directive = patch.get(_DIRECTIVE, "merge")
    if directive == "delete":
        return ABSENT
    if directive not in ("merge", "replace"):
        raise KustomizeError(f"unknown patch directive `{directive}`")
    _require_like(old, patch)
    known = old if isinstance(old, dict) and directive == "merge" else {}
    fields = dict(known)
    for key, value in patch.items():
        if key == _DIRECTIVE:
            continue
        new = merged(known.get(key, ABSENT), value)
        if new is ABSENT:
            fields.pop(key, None)
        else:
            fields[key] = new
    return fields


def written(patch: Value, path: Path = ()) -> list[Path]:
    """The paths of the values that a patch sets or removes."""
    if not isinstance(patch, dict) or not patch or _DIRECTIVE in patch:
        return [path]
    return [each for key, value in patch.items() for each in written(value, (*path, key))]


def _require_like(old: Value, new: Value) -> None:
    """Raise `KustomizeError` if one is a mapping, a list or a scalar and the other is not."""
    if old is ABSENT or old is None:
        return
    mapping = isinstance(old, dict) != isinstance(new, dict)
    if mapping or isinstance(old, list) != isinstance(new, list):
        raise KustomizeError("a patch replaces a value by one of another form")
