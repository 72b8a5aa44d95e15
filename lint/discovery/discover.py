"""Finds the files to lint: named ones, and those in directories that are not ignored.

A file that is named on the command line always counts. In a directory, YAML and JSON files and
scripts count unless a `.gitignore` of the repository or a configured pattern ignores them.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from functools import lru_cache
from itertools import chain, tee
from operator import attrgetter
from pathlib import Path

from celvet.lint.discovery.gitignore import IgnoreList
from celvet.lint.discovery.root import repository
from celvet.record import record

SUFFIXES = (".yaml", ".yml", ".json")
SCRIPT = "health.lua"
"""A health script of Argo CD."""
SHELL_SCRIPTS = (".sh", ".bash", ".mk", "Makefile")
"""How files end that a shell or make runs."""
_ENDS = (*SUFFIXES, *SHELL_SCRIPTS)
_HERE = Path()
_FILE = ".gitignore"


@record
class _Ignore:
    """What an ignore file, or the configuration, ignores below a directory."""

    base: str
    patterns: IgnoreList

    @classmethod
    def of(cls, base: str, lines: Iterable[str]) -> _Ignore:
        """What lines ignore below a directory."""
        return cls(os.path.join(base, ""), IgnoreList.by(lines))  # noqa: PTH118

    def verdict(self, path: str, *, directory: bool) -> bool | None:
        """Whether a path is ignored, as in `IgnoreList`; None also for one that lies elsewhere."""
        if not path.startswith(self.base):
            return None
        name = path[len(self.base) :].replace(os.sep, "/")
        return self.patterns.verdict(name, directory=directory)


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
    forced_ignores = _configured_ignores(exclude, base) if force_exclude else []
    files = chain.from_iterable(_at(path, exclude, base) for path in paths)
    if len(paths) == 1 and not forced_ignores:
        yield from files
        return
    seen_files: set[str] = set()
    for file in files:
        real = os.path.abspath(file)  # noqa: PTH100 - links are kept
        if real not in seen_files and not (forced_ignores and _is_excluded(real, forced_ignores)):
            seen_files.add(real)
            yield file


def _at(path: Path, exclude: Sequence[str], base: Path) -> Iterable[Path]:
    is_directory = os.path.isdir(path)  # noqa: PTH112
    return map(path.joinpath, files_below(path, exclude, base)) if is_directory else (path,)


def files_below(root: Path, exclude: Sequence[str] = (), base: Path = _HERE) -> Iterator[str]:
    """The names of the files to lint in a directory, relative to it."""
    absolute = os.path.realpath(root)
    ignores = _configured_ignores(exclude, base)
    for file in (
        _walk_with_parents(absolute, ignores) if ignores else copy(cached_files_below(absolute))
    ):
        yield file[len(absolute) :].lstrip(os.sep)


@lru_cache(maxsize=4)
def cached_files_below(directory: str) -> Iterator[str]:
    """The files below a directory, found once per process and on demand; to be copied.

    A run over a repository lints the same files that it searches for changes to them.
    """
    (files,) = tee(_walk_with_parents(directory, []), 1)
    return files


def _walk_with_parents(directory: str, ignores: list[_Ignore]) -> Iterator[str]:
    return _walk(directory, [*ignores, *_parent_ignores(Path(directory))])


def _walk(directory: str, ignores: list[_Ignore]) -> Iterator[str]:
    """The files below a directory, as strings: paths would take longer than all the rest."""
    try:
        entries = sorted(os.scandir(directory), key=attrgetter("name"))
    except OSError:
        yield directory  # opening it will show the error; the rest of the tree is still walked
        return
    if any(entry.name == _FILE for entry in entries):
        ignores = ignores + _read_ignores(directory)
    for entry in entries:
        is_directory = entry.is_dir(follow_symlinks=False)
        is_candidate = is_directory or entry.name.endswith(_ENDS) or entry.name == SCRIPT
        if (
            not is_candidate
            or entry.name == ".git"
            or _is_ignored(entry.path, ignores, directory=is_directory)
        ):
            continue
        if is_directory:
            yield from _walk(entry.path, ignores)
        elif _may_be_file(entry):
            yield entry.path


def _may_be_file(entry: os.DirEntry[str]) -> bool:
    """Whether to open it: a file, or a broken link, which fails with a message.

    Nothing else is opened, nor a link to it: a pipe or a device may have no end.
    """
    try:
        return entry.is_file() or not os.path.exists(entry.path)  # noqa: PTH110 - 3 times faster
    except OSError:
        return True


def _is_ignored(path: str, ignores: list[_Ignore], *, directory: bool) -> bool:
    """Whether the path is ignored; the nearest ignore file with a matching pattern decides."""
    for ignore in reversed(ignores):
        verdict = ignore.verdict(path, directory=directory)
        if verdict is not None:
            return verdict
    return False


def _is_excluded(path: str, ignores: list[_Ignore]) -> bool:
    """Whether a path or a directory that it lies in is ignored."""
    parents = Path(path).parents
    return _is_ignored(path, ignores, directory=False) or any(
        _is_ignored(str(parent), ignores, directory=True) for parent in parents
    )


def _configured_ignores(patterns: Sequence[str], base: Path) -> list[_Ignore]:
    return [_Ignore.of(os.path.realpath(base), patterns)] if patterns else []


def _parent_ignores(directory: Path) -> list[_Ignore]:
    """The ignore files between the root of the git repository and the directory."""
    root = repository(directory)
    if root is None:
        return []
    above = [parent for parent in directory.parents if parent.is_relative_to(root)]
    return [ignore for parent in reversed(above) for ignore in _read_ignores(str(parent))]


def _read_ignores(directory: str) -> list[_Ignore]:
    file = Path(directory, _FILE)
    try:
        text = file.read_text(encoding="utf-8-sig", errors="replace") if file.is_file() else ""
    except OSError:
        return []
    return [_Ignore.of(directory, text.split("\n"))]
