"""Reads the YAML tables of cases in the folders of the tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests import libyaml


def read_table(path: Path) -> Any:
    """The content of a file of cases."""
    with path.open("rb") as file:
        return libyaml.load(file)


class Table:
    """A file of cases, with a list of them under each key."""

    def __init__(self, path: Path) -> None:
        self._sections = read_table(path)

    def section(self, key: str) -> Any:
        """The cases of the file under a key."""
        return self._sections[key]

    def cases(self, key: str) -> list[Any]:
        """The cases of a section as parameters, each named by its expression."""
        return [pytest.param(row, id=_label(row)[:60]) for row in self.section(key)]


def _label(row: Any) -> str:
    return str(row.get("text", row.get("path", row)) if isinstance(row, dict) else row)
