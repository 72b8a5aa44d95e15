"""Files of health tests: a new one for a check, and the line of an existing one."""

from __future__ import annotations

from pathlib import Path

from celvet.lint.healthtest.scaffold.scaffold import scaffold
from celvet.lint.locate import Locator
from celvet.lint.manifest import read
from celvet.lint.model import Where
from celvet.record import record
from celvet.schemas import Catalog


@record
class NewFile:
    """A file to create."""

    path: Path
    text: str


def health_test(text: str, path: Path, title: str, catalog: Catalog) -> NewFile | None:
    """A test for the check with this title; None without such a check or a valid file name."""
    content = scaffold([read(text, str(path))], title, path.parent, catalog)
    try:
        return NewFile(_free_path(path), content) if content else None
    except (OSError, ValueError):  # a name that is too long, or no name at all
        return None


def _free_path(path: Path) -> Path:
    """The path of a file that does not exist, in the same directory."""
    number, new_path = 1, path.with_suffix(".test.yaml")
    while new_path.exists():
        number += 1
        new_path = path.with_suffix(f".{number}.test.yaml")
    return new_path


def line_of_test(path: Path, document: int) -> int:
    """The line, counted from 0, on which a document of a file begins; 0 if it cannot be read."""
    try:
        manifest = read(path.read_bytes())
    except (OSError, ValueError):  # a client may send any text for a path
        return 0
    where = Where(document, ("metadata", "name"), on_key=True)
    return Locator(manifest).place(where).line - 1
