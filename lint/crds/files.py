"""Documents with CRDs in the files, directories and archives that a user names.

A file is split into documents by its bytes, and only documents that name the kind
asked for are parsed: providers ship thousands of CRDs, and an expression reads one.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from pathlib import Path

from celvet.lint.crds.crd_limits import ARCHIVES, MAX_FILE, MAX_FILES, MAX_KEPT
from celvet.lint.crds.schema import CrdSchema, may_define, schemas_in
from celvet.lint.model import GroupKind
from celvet.record import field, record
from celvet.regex import regex

_MANIFESTS = (".yaml", ".yml", ".json")
_MARKER = regex(rb"^---(?=\s|\Z)", re.MULTILINE)


@record(frozen=False)
class CrdFiles:
    """The documents with CRDs in some paths; `problems` lists what could not be read."""

    problems: list[str] = field(default_factory=list)
    _documents: list[tuple[str, int, bytes]] = field(default_factory=list)
    _schemas: dict[int, tuple[CrdSchema, ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, paths: Sequence[Path]) -> CrdFiles:
        """Read the paths; never raises, whatever they contain."""
        files = cls()
        bytes_left = MAX_KEPT
        for name, data in files._contents(paths):
            line = 1
            for document in _MARKER.split(data) if may_define(data) else ():
                if may_define(document):
                    bytes_left -= len(document)
                    if bytes_left < 0:
                        limit = MAX_KEPT // 2**20
                        files.problems.append(f"{name}: over {limit} MiB of CRDs; no more are read")
                        return files
                    files._documents.append((name, line, document))
                line += document.count(b"\n")
        if not (files._documents or files.problems) and paths:
            files.problems.append(f"no CRD in {', '.join(map(str, paths))}")
        return files

    def find(self, group_kind: GroupKind) -> list[CrdSchema]:
        """The schemas of a kind, one for each CRD that defines it."""
        words = [text.encode("utf-8", "replace") for text in group_kind]
        return [
            schema
            for index, (*_, document) in enumerate(self._documents)
            if all(document.find(word) >= 0 for word in words)
            for schema in self._parse(index)
            if schema.group_kind == group_kind
        ]

    def _parse(self, index: int) -> tuple[CrdSchema, ...]:
        if index not in self._schemas:
            self._schemas[index] = tuple(self._definitions(*self._documents[index]))
        return self._schemas[index]

    def _definitions(self, name: str, line: int, text: bytes) -> Iterator[CrdSchema]:
        from celvet.lint.manifest import objects_in, read

        manifest = read(text, name)
        problems = [problem for problem in manifest.all_problems() if problem.kind in _FATAL]
        for problem in problems[:1]:
            start = problem.where.source.start if problem.where.source else 0
            at = line + manifest.text.count("\n", 0, start)
            self.problems.append(f"{name}, line {at}: a CRD cannot be read: {problem.message}")
        for document in manifest.documents:
            for obj in objects_in(document):
                if not obj.partial:
                    yield from schemas_in(obj.value)

    def _contents(self, paths: Iterable[Path]) -> Iterator[tuple[str, bytes]]:
        """Name and content of each file; an archive gives its members."""
        for path in self._walk(paths):
            try:
                if path.name.endswith(ARCHIVES):
                    yield from self._members(path)
                else:
                    yield str(path), self._content(path)
            except OSError as error:
                self.problems.append(f"{path}: {error.strerror or error}")

    def _members(self, path: Path) -> Iterator[tuple[str, bytes]]:
        """Name and content of each manifest in an archive; raises `OSError`."""
        from celvet.lint.crds.archives import UnreadableArchiveError, members

        try:
            for name, data in members(path, _MANIFESTS):
                yield f"{path}: {name}", data
        except UnreadableArchiveError as error:
            self.problems.append(f"{path}: {error}")

    def _walk(self, paths: Iterable[Path]) -> Iterator[Path]:
        """The files themselves, and those of directories that may hold CRDs.

        A directory with too many is not read at all: it may be a whole file system, named by
        mistake.
        """
        for path in paths:
            files = files_below(path)
            if len(files) > MAX_FILES:
                self.problems.append(f"{path}: over {MAX_FILES:,} files; none is read")
            else:
                yield from files

    def _content(self, path: Path) -> bytes:
        with path.open("rb") as file:
            data = file.read(MAX_FILE + 1)
        if len(data) > MAX_FILE:
            self.problems.append(f"{path}: over {MAX_FILE // 2**20} MiB; it is not read")
            return b""
        return data


_FATAL = frozenset({"yaml-syntax", "too-large", "encoding", "binary"})
"""Problems that make a document unreadable; Helm templates are skipped silently."""


@lru_cache(maxsize=8)
def files_below(path: Path) -> tuple[Path, ...]:
    """The files to read for a path, or one more than the limit; listed once per process."""
    paths = _files_inside(path) if path.is_dir() else iter((path,))
    return tuple(islice(paths, MAX_FILES + 1))


def _files_inside(directory: Path) -> Iterator[Path]:
    """Manifests and archives in a directory; links to directories are not followed."""
    for folder, folders, names in os.walk(directory):
        folders.sort()
        for name in sorted(names):
            path = Path(folder, name)
            if name.endswith((*_MANIFESTS, *ARCHIVES)) and path.is_file():
                yield path
