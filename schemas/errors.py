"""Mistakes in a directory of schemas, for its author."""

from __future__ import annotations

from pathlib import Path

from celvet.wrong_input import WrongInputError


class CatalogError(WrongInputError):
    """A schema directory that cannot be used; names the file and the reason."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason


class FormError(Exception):
    """The reason why a file has the wrong form; its reader adds the file name."""
