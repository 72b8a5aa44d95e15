"""Reads the tables of cases beside the tests, and the dialects they name."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from celvet import schemas
from celvet.schemas.dialect import Dialect

_HERE = Path(__file__).parent
_DIALECTS = Path(schemas.__file__).parent / "dialects"


def dialect(name: str) -> Dialect:
    """A dialect as it is shipped; `health` and `ready` are Flux's."""
    content = json.loads((_DIALECTS / f"flux-{name}.json").read_text(encoding="utf-8"))
    return Dialect.from_json(f"flux-{name}", content)


HEALTH = dialect("health")
READY = dialect("ready")
DIALECTS = {"health": HEALTH, "ready": READY}


@dataclass(frozen=True, slots=True)
class Table:
    """One file of cases: lists of cases by section."""

    name: str

    def section(self, key: str) -> Any:
        """What the file has under a key."""
        text = (_HERE / f"{self.name}.yaml").read_text(encoding="utf-8")
        return yaml.safe_load(text)[key]

    def cases(self, key: str) -> list[Any]:
        """The cases of a section as parameters, each named by its text."""
        rows = self.section(key)
        return [pytest.param(row, id=_label(row)[:60]) for row in rows]


def _label(row: Any) -> str:
    return str(row.get("text", row) if isinstance(row, dict) else row)
