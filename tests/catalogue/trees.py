"""The sources of controllers at a release or commit: git repositories, zip files of modules."""

from __future__ import annotations

import functools
import subprocess
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

_TAGS = ("{}", "refs/tags/{}", "refs/tags/v{}")


class Tree(Protocol):
    """The files of a repository at one commit."""

    def files(self, path: str) -> Sequence[str]:
        """The path of a file, or those of the files in a directory; nothing if there is neither."""

    def text(self, file: str) -> str:
        """What a file has."""


class GitTree:
    """A commit of a git repository."""

    def __init__(self, repository: Path, commit: str) -> None:
        self._repository = repository
        self.commit = commit

    def files(self, path: str) -> Sequence[str]:
        listed = _git(self._repository, "ls-tree", "--name-only", self.commit, path)
        if path in listed.splitlines() and self._is_directory(path):
            listed = _git(self._repository, "ls-tree", "--name-only", self.commit, f"{path}/")
        return listed.splitlines()

    def _is_directory(self, path: str) -> bool:
        return _git(self._repository, "cat-file", "-t", f"{self.commit}:{path}") == "tree\n"

    def text(self, file: str) -> str:
        return _git(self._repository, "cat-file", "blob", f"{self.commit}:{file}")

    def ahead(self, of: str) -> int:
        """How many commits it has that another one lacks."""
        return int(_git(self._repository, "rev-list", "--count", f"{of}..{self.commit}"))


class ZipTree:
    """A release of a Go module, as the module proxy packs it: below `MODULE@VERSION/`."""

    commit = ""

    def __init__(self, file: Path) -> None:
        self._zip = zipfile.ZipFile(file)
        names = self._zip.namelist()
        self._prefix = (
            f"{names[0].partition('@')[0]}@{names[0].partition('@')[2].partition('/')[0]}/"
        )
        self._names = [name.removeprefix(self._prefix) for name in names]

    def files(self, path: str) -> Sequence[str]:
        if path in self._names:
            return [path]
        within = f"{path}/"
        return [n for n in self._names if n.startswith(within) and "/" not in n[len(within) :]]

    def text(self, file: str) -> str:
        return self._zip.read(f"{self._prefix}{file}").decode(errors="replace")


class Sources:
    """A directory with the sources of many repositories."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    @functools.cache  # noqa: B019 - there is one for a run
    def tree(self, repository: str, revision: str) -> GitTree | ZipTree | None:
        """The sources at a release or commit; None if they are not at hand."""
        name = repository.replace("/", "+")
        for directory in (self._directory / name / "repo", self._directory / name):
            if commit := _commit(directory, revision):
                return GitTree(directory, commit)
        packed = self._directory / f"{name}@{revision}.zip"
        return ZipTree(packed) if packed.is_file() else None

    def newest_release(self, repository: str, release: str) -> str:
        """The newest tag of the form of `release`; empty if none is newer."""
        name = repository.replace("/", "+")
        form = release.rstrip("0123456789.")
        for directory in (self._directory / name / "repo", self._directory / name):
            if directory.is_dir():
                tags = _git(directory, "tag", "--list", f"{form}*").split()
                numbers = {tag: _numbers(tag.removeprefix(form)) for tag in tags}
                newest = max(tags, key=lambda tag: numbers[tag], default="")
                newer = newest and numbers[newest] > _numbers(release.removeprefix(form))
                return newest if newer else ""
        return ""


def _numbers(version: str) -> tuple[int, ...]:
    """The numbers of a release; none of what is no release."""
    parts = version.split(".")
    return tuple(map(int, parts)) if all(part.isdecimal() for part in parts) else ()


def _commit(repository: Path, revision: str) -> str:
    if not repository.is_dir():
        return ""
    for form in _TAGS:
        name = f"{form.format(revision)}^{{commit}}"
        if commit := _git(repository, "rev-parse", "--quiet", "--verify", name).strip():
            return commit
    return ""


def _git(repository: Path, *arguments: str) -> str:
    command = ["git", "-C", str(repository), *arguments]
    ran = subprocess.run(command, capture_output=True, check=False)
    return ran.stdout.decode(errors="replace")
