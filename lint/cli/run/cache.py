"""Reports of files from earlier runs, in a directory.

The key of a report covers everything that it depends on: the file's name and content, the
settings, the CRDs and schemas that they name, and the installed packages. If the rules asked about
the repository, the report is valid for that state of it, and for any other one that gives the same
answers. A missing or damaged report is computed again, so the directory can be shared, damaged or
removed at any time.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache, cached_property, partial
from hashlib import blake2b
from itertools import chain
from pathlib import Path
from time import time
from typing import TYPE_CHECKING

from celvet.lint.crds.sources import sources_of
from celvet.record import replace
from celvet.version import __version__

if TYPE_CHECKING:
    from celvet.lint.engine import Settings
    from celvet.lint.report.report import FileReport
    from celvet.lint.repository.surroundings import Repository

_MOST_BYTES = 100 * 2**20
_DAY = 24 * 60 * 60
_MARK = "CACHEDIR.TAG"
_MARKED = "Signature: 8a477f597d28d172789f06886806bc55\n# celvet may remove what is here.\n"
"""Tells backups to leave the directory out (bford.info/cachedir); its age is that of pruning."""


class ReportCache:
    """The cached reports for some settings, in a repository if there is one."""

    def __init__(self, directory: Path, settings: Settings, repository: Repository | None) -> None:
        self._directory = directory
        self._settings = settings
        self._repository = repository

    @property
    def _state(self) -> str:
        """The state of the repository, on which some reports depend."""
        return self._repository.state if self._repository else ""

    @cached_property
    def _basis(self) -> bytes:
        return _basis(self._settings, self._repository)

    def key(self, name: str, data: bytes) -> str:
        """The cache key of a file's report."""
        return blake2b(b"\0".join((self._basis, name.encode(), data)), digest_size=20).hexdigest()

    def get(self, name: str, key: str) -> FileReport | None:
        """The report of a file; None if there is none that can be used."""
        try:
            with open(self._file(key), "rb", buffering=0) as file:  # noqa: PTH123 - faster
                state, _, text = file.read().partition(b"\n")
        except OSError:
            return None
        from celvet.lint.report.stored import NotStoredError, from_text

        try:
            report = from_text(text)
        except NotStoredError:
            return None
        if not state or state == self._state.encode():
            return report
        if not self._answers_alike(name, report):
            return None
        self.put(key, report)
        return report

    def _answers_alike(self, name: str, report: FileReport) -> bool:
        """Whether the repository has changed in nothing on which a report depends."""
        if self._repository is None:
            return False
        from celvet.lint.repository.question_log import has_same_answers

        return has_same_answers(report.surrounded, partial(self._repository.surroundings_of, name))

    def put(self, key: str, report: FileReport) -> None:
        """Store a report, unless it is valid only for this run."""
        if report.unread or report.crashes or report.rewritten:
            return
        from celvet.lint.report.stored import NotStoredError, to_text

        file = Path(self._file(key))
        part = file.with_name(f"{key}.{os.getpid()}")
        with suppress(OSError, NotStoredError, UnicodeEncodeError):
            text = f"{self._state if report.surrounded else ''}\n{to_text(report)}"
            file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            part.write_text(text, encoding="utf-8")
            part.replace(file)

    def prune(self) -> None:
        """Remove old reports, see `prune`."""
        prune(self._directory)

    def _file(self, key: str) -> str:
        return f"{self._directory}/reports/{key[:2]}/{key}"  # faster than a path


def prune(directory: Path) -> None:
    """Once a day, remove the oldest reports beyond 100 MB."""
    mark = directory / _MARK
    with suppress(OSError):
        if mark.exists() and time() - mark.stat().st_mtime < _DAY:
            return
        mark.write_text(_MARKED)
        bytes_left = _MOST_BYTES
        for state, file in sorted(_files(directory), key=lambda each: -each[0].st_mtime):
            bytes_left -= max(state.st_size, 4_096)
            if bytes_left < 0:
                file.unlink(missing_ok=True)


def _files(directory: Path) -> Iterator[tuple[os.stat_result, Path]]:
    for file in (directory / "reports").glob("*/*"):
        with suppress(OSError):
            yield file.stat(), file


def _basis(settings: Settings, repository: Repository | None) -> bytes:
    """A digest of all that the reports of a run depend on, besides the files."""
    parts = (
        __version__,
        sys.version,
        repr(replace(settings, only=frozenset())),
        repr(repository),
        *sorted(settings.only),
        *_state((*settings.schemas, *_crds(settings))),
        *_installed_packages(),
    )
    return blake2b("\0".join(parts).encode("utf-8", "surrogateescape"), digest_size=20).digest()


def _crds(settings: Settings) -> Iterator[Path]:
    """The files with CRDs that are read."""
    paths = [path for source in sources_of(settings.crds) for path in source.paths]
    if paths:
        from celvet.lint.crds.files import files_below  # loads archive formats

        yield from chain.from_iterable(map(files_below, paths))


def _state(paths: Iterable[Path], without: str = "") -> Iterator[str]:
    """The size and the time of each file at and below the paths, `without` directories so named."""
    for path in paths:
        with suppress(OSError):
            yield _signs(str(path), path.stat())
        yield from _state_below(str(path), without)


def _state_below(directory: str, without: str) -> Iterator[str]:
    with suppress(OSError), os.scandir(directory) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                if entry.name != without:
                    yield from _state_below(entry.path, without)
            elif not entry.is_dir():
                with suppress(OSError):
                    yield _signs(entry.path, entry.stat())


def _signs(file: str, state: os.stat_result) -> str:
    return f"{file} {state.st_size} {state.st_mtime_ns}"


@cache
def _installed_packages() -> tuple[str, ...]:
    """The identity of the installed packages and of celvet's own files.

    The record of an installed wheel has a digest of each file. Without one, this is a tree that
    people work on, and each file's size and time count.
    """
    package = Path(__file__).parents[3]
    directories = (path for path in sys.path if path.endswith("-packages") and os.path.isdir(path))  # noqa: PTH112
    entry_names = (entry.name for path in directories for entry in os.scandir(path))
    names = sorted(name for name in entry_names if name.endswith(".dist-info"))
    record = package.parent / f"celvet-{__version__}.dist-info" / "RECORD"
    if record.exists():
        return (*names, record.read_text(encoding="utf-8"))
    links = (entry for entry in package.iterdir() if entry.is_symlink())
    return (*names, *_state((package, *links), without="__pycache__"))
