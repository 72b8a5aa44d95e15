"""Finds the files to lint: named ones, and those in directories that are not ignored.

A file that is named on the command line always counts. In a directory, YAML and JSON files count
unless a `.gitignore` of the repository or a configured pattern ignores them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from celvet.lint.repository.root import repository
from celvet.record import record

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

SUFFIXES = (".yaml", ".yml", ".json")
_HERE = Path()
_FILE = ".gitignore"


@record
class _Ignore:
    """The patterns of one ignore file, relative to its directory."""

    base: str
    spec: GitIgnoreSpec
    searches: tuple[Callable[[str], object], ...]
    """Those of its expressions: one after the other, they dismiss most paths five times as fast."""

    @classmethod
    def of(cls, base: str, patterns: Iterable[str]) -> _Ignore:
        """The patterns of an ignore file, or of the configuration."""
        from pathspec import GitIgnoreSpec  # loaded only where something is ignored

        spec = GitIgnoreSpec.from_lines(patterns)
        expressions = (getattr(each, "regex", None) for each in spec.patterns)
        searches = tuple(each.search for each in expressions if each)
        return cls(os.path.join(base, ""), spec, searches)  # noqa: PTH118

    def verdict(self, path: str, *, directory: bool) -> bool | None:
        """True: ignored, False: included again by a `!` pattern, None: no pattern matches."""
        if not path.startswith(self.base):
            return None
        text = path[len(self.base) :].replace(os.sep, "/") + ("/" if directory else "")
        if not any(search(text) for search in self.searches):
            return None
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
        inside = os.path.isdir(path)  # noqa: PTH112
        for file in map(path.joinpath, below(path, exclude, base)) if inside else (path,):
            real = os.path.abspath(file)  # noqa: PTH100 - links are kept
            if real not in seen and not _ignored(real, forced, directory=False):
                seen.add(real)
                yield file


def below(root: Path, exclude: Sequence[str] = (), base: Path = _HERE) -> Iterator[str]:
    """The names of the files to lint in a directory, relative to it."""
    absolute = os.path.realpath(root)
    ignores = [*_configured(exclude, base), *_above(Path(absolute))]
    for file in _walk(absolute, ignores):
        yield file[len(absolute) :].lstrip(os.sep)


def _walk(directory: str, ignores: list[_Ignore]) -> Iterator[str]:
    """The files below a directory; texts, since making paths takes longer than all else."""
    try:
        entries = sorted(os.scandir(directory), key=lambda entry: entry.name)
    except OSError:
        yield directory  # opening it will say why, and the rest of the tree is still walked
        return
    if any(entry.name == _FILE for entry in entries):
        ignores = ignores + _read(directory)
    for entry in entries:
        is_directory = entry.is_dir(follow_symlinks=False)
        wanted = is_directory or entry.name.endswith(SUFFIXES)
        if (
            not wanted
            or entry.name == ".git"
            or _ignored(entry.path, ignores, directory=is_directory)
        ):
            continue
        if is_directory:
            yield from _walk(entry.path, ignores)
        elif _may_be_file(entry):
            yield entry.path


def _may_be_file(entry: os.DirEntry[str]) -> bool:
    """Whether to open it; opening a dangling link fails with a message."""
    try:
        return entry.is_file() or (entry.is_symlink() and not entry.is_dir())
    except OSError:
        return True


def _ignored(path: str, ignores: list[_Ignore], *, directory: bool) -> bool:
    """Whether the path is ignored; the nearest ignore file with a matching pattern decides."""
    for ignore in reversed(ignores):
        verdict = ignore.verdict(path, directory=directory)
        if verdict is not None:
            return verdict
    return False


def _configured(patterns: Sequence[str], base: Path) -> list[_Ignore]:
    return [_Ignore.of(os.path.realpath(base), patterns)] if patterns else []


def _above(directory: Path) -> list[_Ignore]:
    """The ignore files between the root of the git repository and the directory."""
    root = repository(directory)
    if root is None:
        return []
    above = [parent for parent in directory.parents if parent.is_relative_to(root)]
    return [ignore for parent in reversed(above) for ignore in _read(str(parent))]


def _read(directory: str) -> list[_Ignore]:
    try:
        text = Path(directory, _FILE).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return []
    return [_Ignore.of(directory, filter(_is_pattern, text.splitlines()))]


def _is_pattern(line: str) -> bool:
    """Whether a line is a valid pattern; git skips others."""
    from pathspec import GitIgnoreSpec

    try:
        GitIgnoreSpec.from_lines([line])
    except ValueError:
        return False
    return True
