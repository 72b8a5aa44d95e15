"""Files of health tests: a new one for an entry, and the place of one that is there."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from celvet.lint.healthtest.scaffold.scaffold import scaffold
from celvet.lint.locate import Locator
from celvet.lint.manifest import read
from celvet.lint.model import Where
from celvet.schemas import Catalog


@dataclass(frozen=True, slots=True)
class NewFile:
    """A file to be made."""

    path: Path
    text: str


def health_test(text: str, path: Path, title: str, catalog: Catalog) -> NewFile | None:
    """A test for the entry of a title in a file; None where none can be begun."""
    manifest = read(text, str(path))
    content = scaffold([manifest], title, path.parent, catalog)
    return NewFile(_free(path), content) if content else None


def _free(path: Path) -> Path:
    """A name beside a file that no file has yet."""
    number, found = 1, path.with_suffix(".test.yaml")
    while found.exists():
        number += 1
        found = path.with_suffix(f".{number}.test.yaml")
    return found


def line_of_test(path: Path, document: int) -> int:
    """The line, counted from 0, on which a document of a file begins; 0 if it cannot be read."""
    try:
        manifest = read(path.read_bytes())
    except (OSError, ValueError):  # a client may send any text for a path
        return 0
    where = Where(document, ("metadata", "name"), on_key=True)
    return Locator(manifest).place(where).line - 1
