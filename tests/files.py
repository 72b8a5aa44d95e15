"""Writes the files that a test works on."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path


def write_files(directory: Path, files: Mapping[str, str]) -> Path:
    """Write texts by their names below a directory, which is returned."""
    for name, text in files.items():
        file = directory / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return directory
