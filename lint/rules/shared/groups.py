"""The rules by the question that they answer, and those with fixes, for lists of rules."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

_DATA = Path(__file__).parents[1] / "groups.json"


def groups() -> Mapping[str, Sequence[str]]:
    """Question -> the ids of the rules that answer it, in alphabetical order."""
    groups: dict[str, list[str]] = _data()["groups"]
    return groups


def fixable() -> frozenset[str]:
    """The rules of which `--fix` or `--fix=unsafe` repairs some findings."""
    return frozenset(_data()["fixable"])


@cache
def _data() -> dict[str, Any]:
    data: dict[str, Any] = json.loads(_DATA.read_text(encoding="utf-8"))
    return data
