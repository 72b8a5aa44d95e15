"""The health tests of a workspace, found by the text of its files."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from celvet.lint.engine import Settings
from celvet.lint.healthtest.health_test import HealthTest
from celvet.lint.healthtest.read.read import read_tests
from celvet.lint.manifest.file_limits import MAX_BYTES
from celvet.lint.manifest.source import byte_search

_SUFFIXES = (".yaml", ".yml")
_MOST_FILES = 20_000
_WORDS = byte_search.words(["celvet.dev"])
_SKIPPED = frozenset({"node_modules", "vendor"})


class WorkspaceTests:
    """The tests in the files below some directories, kept until `forget`.

    For a file outside of these, the tests in its own directory.
    """

    def __init__(self) -> None:
        self.roots: tuple[Path, ...] = ()
        self._files: dict[Path, dict[Path, bytes]] = {}
        self._found: dict[Path, tuple[Settings, tuple[HealthTest, ...]]] = {}

    def forget(self) -> None:
        """Read everything again at the next call, since a file has changed."""
        self._files.clear()
        self._found.clear()

    def tests_of(self, path: Path, settings: Settings) -> tuple[HealthTest, ...]:
        """The tests whose target is in a file, both as on disk; never raises."""
        cached_tests = self._found.get(path)
        if cached_tests is None or cached_tests[0] is not settings:
            cached_tests = self._found[path] = settings, tuple(self._find_tests(path, settings))
        return cached_tests[1]

    def _find_tests(self, path: Path, settings: Settings) -> Iterator[HealthTest]:
        name, full_path = os.fsencode(path.name), path.resolve()
        for file, data in self._test_files(path).items():
            if name in data or file == path:
                for test in read_tests(file, data, settings).tests:
                    if Path(test.target.file).resolve() == full_path:
                        yield test

    def _test_files(self, path: Path) -> dict[Path, bytes]:
        if not any(path.is_relative_to(root) for root in self.roots):
            return self._read_once(path.parent, _yaml_beside(path))
        return {
            file: data
            for root in self.roots
            for file, data in self._read_once(root, _yaml_below(root)).items()
        }

    def _read_once(self, folder: Path, files: Iterator[Path]) -> dict[Path, bytes]:
        if folder not in self._files:
            self._files[folder] = dict(_read_tests(files))
        return self._files[folder]


def _read_tests(paths: Iterator[Path]) -> Iterator[tuple[Path, bytes]]:
    for path in islice(paths, _MOST_FILES):
        try:
            data = path.read_bytes() if path.stat().st_size <= MAX_BYTES else b""
        except OSError:
            continue
        if b"HealthTest" in data and byte_search.may_hold(data, _WORDS):
            yield path, data


def _yaml_below(root: Path) -> Iterator[Path]:
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(
            name for name in folders if name not in _SKIPPED and not name.startswith(".")
        )
        yield from (Path(folder, name) for name in sorted(names) if name.endswith(_SUFFIXES))


def _yaml_beside(path: Path) -> Iterator[Path]:
    try:
        siblings = sorted(path.parent.iterdir())
        yield from (file for file in siblings if file.suffix in _SUFFIXES)
    except OSError:
        return
