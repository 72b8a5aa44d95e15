"""Finds the files to lint: named ones, and those in directories that are not ignored.

A file that is named on the command line always counts. In a directory, YAML and JSON files count
unless a `.gitignore` of the repository or a configured pattern ignores them.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pathspec import GitIgnoreSpec

from celvet.lint.repository.root import repository

SUFFIXES = (".yaml", ".yml", ".json")
_HERE = Path()


@dataclass(frozen=True, slots=True)
class _Ignore:
    """The patterns of one ignore file, relative to its directory."""

    base: Path
    spec: GitIgnoreSpec

    def verdict(self, path: Path, *, directory: bool) -> bool | None:
        """True: ignored, False: included again by a `!` pattern, None: no pattern matches."""
        if not path.is_relative_to(self.base):
            return None
        text = path.relative_to(self.base).as_posix() + ("/" if directory else "")
        return self.spec.check_file(text).include


def discover(
    paths: Sequence[Path],
    exclude: Sequence[str] = (),
    base: Path = _HERE,
    *,
    force_exclude: bool = False,
) -> Iterator[Path]:
    """The files to lint, each once, in a stable order.

    `exclude` has patterns as in a `.gitignore` in `base`; with `force_exclude` they apply to named
    files too. Paths that do not exist are yielded, so that opening them fails with a message.
    Links to directories are not followed, so that every walk ends.
    """
    forced = _configured(exclude, base) if force_exclude else []
    seen: set[str] = set()
    for path in paths:
        for file in _walk_root(path, exclude, base) if os.path.isdir(path) else (path,):  # noqa: PTH112
            real = os.path.abspath(file)  # noqa: PTH100 - links are kept
            if real not in seen and not _ignored(Path(real), forced, directory=False):
                seen.add(real)
                yield file


def _walk_root(root: Path, exclude: Sequence[str], base: Path) -> Iterator[Path]:
    absolute = root.resolve()
    ignores = [*_configured(exclude, base), *_above(absolute)]
    for file in _walk(absolute, ignores):
        yield root / file.relative_to(absolute)


def _walk(directory: Path, ignores: list[_Ignore]) -> Iterator[Path]:
    ignores = ignores + _read(directory)
    try:
        entries = sorted(os.scandir(directory), key=lambda entry: entry.name)
    except OSError:
        yield directory  # opening it will say why, and the rest of the tree is still walked
        return
    for entry in entries:
        path = Path(entry.path)
        is_directory = entry.is_dir(follow_symlinks=False)
        if entry.name == ".git" or _ignored(path, ignores, directory=is_directory):
            continue
        if is_directory:
            yield from _walk(path, ignores)
        elif entry.name.endswith(SUFFIXES) and _may_be_file(entry):
            yield path


def _may_be_file(entry: os.DirEntry[str]) -> bool:
    """Whether to open it; opening a dangling link fails with a message."""
    try:
        return entry.is_file() or (entry.is_symlink() and not entry.is_dir())
    except OSError:
        return True


def _ignored(path: Path, ignores: list[_Ignore], *, directory: bool) -> bool:
    """Whether the path is ignored; the nearest ignore file with a matching pattern decides."""
    for ignore in reversed(ignores):
        verdict = ignore.verdict(path, directory=directory)
        if verdict is not None:
            return verdict
    return False


def _configured(patterns: Sequence[str], base: Path) -> list[_Ignore]:
    return [_Ignore(base.resolve(), GitIgnoreSpec.from_lines(patterns))] if patterns else []


def _above(directory: Path) -> list[_Ignore]:
    """The ignore files between the root of the git repository and the directory."""
    root = repository(directory)
    if root is None:
        return []
    above = [parent for parent in directory.parents if parent.is_relative_to(root)]
    return [ignore for parent in reversed(above) for ignore in _read(parent)]


def _read(directory: Path) -> list[_Ignore]:
    try:
        text = (directory / ".gitignore").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return []
    return [_Ignore(directory, GitIgnoreSpec.from_lines(filter(_is_pattern, text.splitlines())))]


def _is_pattern(line: str) -> bool:
    """Whether a line is a valid pattern; git skips others."""
    try:
        GitIgnoreSpec.from_lines([line])
    except ValueError:
        return False
    return True
