"""A repository written as one text: each document begins with a comment, the name of its file."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from celvet.lint.engine import FileResult, Settings, lint_text
from celvet.lint.repository.surroundings import Repository
from tests.files import write_files


def lint_files(text: str, root: Path, settings: Settings = Settings()) -> list[FileResult]:  # noqa: B008 - frozen
    """The results of the files in a text, in order; a text without names is one file."""
    found = files_in(text)
    if not found:
        return [lint_text(text, "case.yaml", settings)]
    write(found, root)
    return [_linted(root, str(root / name), content, settings) for name, content in found.items()]


def files_in(text: str) -> dict[str, str]:
    """The files in a text, by name; none for a text without names."""
    return dict(re.findall(r"^# (\S+\.yaml)\n(.*?)(?:^---\n|\Z)", text, re.DOTALL | re.MULTILINE))


def write(files: Mapping[str, str], root: Path) -> None:
    """Write files as a repository."""
    write_files(root, {".git/HEAD": "", **files})


def _linted(root: Path, name: str, content: str, settings: Settings) -> FileResult:
    settings = replace(settings, surroundings=Repository(root).surroundings_of(name))
    return lint_text(content, name, settings)
