"""Which files a command line means: paths, directories walked, ignore files obeyed.

A file named on the command line is always taken. In a directory, YAML and
JSON files are, except what a `.gitignore` on the way (the repository's above
the directory included) or a configured pattern leaves out.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pathspec import GitIgnoreSpec

SUFFIXES = (".yaml", ".yml", ".json")


@dataclass(frozen=True, slots=True)
class _Ignore:
    """The patterns of one ignore file, which count from the directory it lies in."""

    base: Path
    spec: GitIgnoreSpec

    def verdict(self, path: Path, *, directory: bool) -> bool | None:
        """True: left out, False: taken in again by a `!` pattern, None: not spoken of."""
        text = path.relative_to(self.base).as_posix() + ("/" if directory else "")
        return self.spec.check_file(text).include


def discover(paths: Sequence[Path], exclude: Sequence[str] = ()) -> Iterator[Path]:
    """The files to lint, each once, in a stable order.

    `exclude` holds patterns in the language of `.gitignore`, from the current
    directory. Paths that do not exist are yielded as they are: opening them
    tells the user. Directory links are not followed, so that no walk is endless.
    """
    seen: set[Path] = set()
    for path in paths:
        for file in _walk_root(path, exclude) if path.is_dir() else (path,):
            if file not in seen:
                seen.add(file)
                yield file


def _walk_root(root: Path, exclude: Sequence[str]) -> Iterator[Path]:
    absolute = root.resolve()
    ignores = [*_configured(exclude), *_above(absolute)]
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
        elif entry.name.endswith(SUFFIXES) and entry.is_file():
            yield path


def _ignored(path: Path, ignores: list[_Ignore], *, directory: bool) -> bool:
    """The nearest ignore file that speaks of the path decides, as in git."""
    for ignore in reversed(ignores):
        verdict = ignore.verdict(path, directory=directory)
        if verdict is not None:
            return verdict
    return False


def _configured(patterns: Sequence[str]) -> list[_Ignore]:
    return [_Ignore(Path("/"), GitIgnoreSpec.from_lines(_anchored(patterns)))] if patterns else []


def _anchored(patterns: Sequence[str]) -> Iterator[str]:
    """Patterns that count from the current directory, told from the root of the file system."""
    here = Path.cwd().as_posix().rstrip("/")
    for pattern in patterns:
        body = pattern.removeprefix("!")
        sign = "!" * (len(pattern) - len(body))
        nested = "/" in body.rstrip("/")
        yield sign + (f"{here}/{body.removeprefix('/')}" if nested else f"{here}/**/{body}")


def _above(directory: Path) -> list[_Ignore]:
    """The ignore files between the root of the git repository and the directory."""
    parents = [directory, *directory.parents]
    root = next((parent for parent in parents if (parent / ".git").exists()), None)
    if root is None:
        return []
    return [
        ignore
        for parent in reversed(parents[1 : parents.index(root) + 1])
        for ignore in _read(parent)
    ]


def _read(directory: Path) -> list[_Ignore]:
    try:
        text = (directory / ".gitignore").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return []
    return [_Ignore(directory, GitIgnoreSpec.from_lines(text.splitlines()))]
