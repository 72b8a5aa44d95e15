"""Reads the tables of cases beside the tests."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from celvet.schemas.dialect import Dialect

_HERE = Path(__file__).parent

DIALECTS = {
    "none": Dialect("plain", "jsonpath", "as it stands, keys demanded"),
    "cartographer": Dialect(
        "cartographer", "jsonpath", "", wrap="cartographer", missing=True, single=True
    ),
    "kubectl": Dialect("rukpak", "jsonpath", "", wrap="kubectl", missing=True, single=True),
}
"""One dialect for each style of completion."""


@dataclass(frozen=True, slots=True)
class Table:
    """One file of cases: objects by name, and lists of cases by section."""

    name: str

    def section(self, key: str) -> Any:
        """What the file has under a key."""
        text = (_HERE / f"{self.name}.yaml").read_text(encoding="utf-8")
        return yaml.safe_load(text)[key]

    def cases(self, key: str) -> list[Any]:
        """The cases of a section as parameters, each named by its text."""
        rows = self.section(key)
        return [pytest.param(row, id=str(row.get("path", row))[:60]) for row in rows]
