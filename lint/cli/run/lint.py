"""Lints files: each by itself, then again those for which other files hold CRDs or inputs."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from celvet.lint.cli.run.parallel import cores, in_parallel
from celvet.lint.crds.schema import LayeredSchemas, may_define
from celvet.lint.crds.sources import SchemaSources
from celvet.lint.engine import Settings, lint_text, load_engine, may_concern
from celvet.lint.manifest.source.files import STDIN, read_source
from celvet.lint.model import Severity
from celvet.lint.report.report import FileReport, Report, file_report, report
from celvet.lint.repository.index import Repository
from celvet.lint.repository.root import repository

if TYPE_CHECKING:
    from celvet.lint.cli.run.baseline import BaselineFile

_LINES_A_PROCESS = 2_000
"""Starting a process takes as long as linting so many lines that differ."""


@dataclass(frozen=True, slots=True)
class LintFile:
    """Lints the file at a path; can be sent to another process.

    With `fix`, findings are fixed from `minimum` on; with `unsafe` also where the fix changes a
    verdict.
    """

    settings: Settings
    stdin_filename: str
    fix: bool = False
    unsafe: bool = False
    minimum: Severity = Severity.INFO

    def __call__(self, path: Path) -> FileReport:
        """The report of a file; that of one that cannot be read says why."""
        name = self.stdin_filename if path == STDIN else path.as_posix()
        try:
            data = read_source(path)
        except OSError as error:
            return FileReport(name, unread=error.strerror or str(error))
        if self.fix:
            from celvet.lint.cli.run.fixes import fixed

            return fixed(data, name, self.settings, unsafe=self.unsafe, minimum=self.minimum)
        return file_report(lint_text(data, name, self.settings), may_define(data))


def linted(
    files: Sequence[Path],
    run: LintFile,
    jobs: int,
    minimum: Severity,
    baseline: BaselineFile | None = None,
) -> Report:
    """The report of the files; raises `click.UsageError` for an unusable baseline."""
    here = Path.cwd()
    root = str(repository(here) or here)
    run = replace(run, settings=replace(run.settings, surroundings=Repository(Path(root))))
    read = _dismissed(files, run)
    processes = jobs or min(cores(), read.lines // _LINES_A_PROCESS)
    if processes > 1:
        load_engine()
    found = _with_others(files, _reports(files, read.reports, run, processes), run, processes)
    if baseline is None:
        return report(found, minimum, root)
    new = baseline.apply(found, root)
    return report(new.files, minimum, root, new.known)


class _Dismissed(NamedTuple):
    """The reports of files whose bytes are enough, and how many lines the others have that differ.

    The number of processes goes by these: equal expressions are analysed once, but once in each
    process.
    """

    reports: dict[Path, FileReport]
    lines: int


def _dismissed(files: Sequence[Path], run: LintFile) -> _Dismissed:
    reports: dict[Path, FileReport] = {}
    lines: set[bytes] = set()
    most = cores() * _LINES_A_PROCESS
    for file in files:
        data = _content(file)
        if data is None or may_concern(data, run.settings.schemas):
            # What is too large to lint is mapped, and has no lines to count.
            lines.update(data.splitlines() if type(data) is bytes and len(lines) < most else ())
        else:
            reports[file] = FileReport(file.as_posix(), defines=not run.fix and may_define(data))
    return _Dismissed(reports, len(lines))


def _reports(
    files: Sequence[Path], dismissed: Mapping[Path, FileReport], run: LintFile, processes: int
) -> list[FileReport]:
    """The report of each file."""
    left = [file for file in files if file not in dismissed]
    found = in_parallel(run, left, processes)
    return [dismissed.get(file) or next(found) for file in files]


def _content(file: Path) -> bytes | None:
    """What is in a file; None if it can be read only once, or not at all."""
    try:
        return read_source(file) if os.path.isfile(file) else None  # noqa: PTH113 - 4 times faster
    except OSError:
        return None


def _with_others(
    files: Sequence[Path], reports: Sequence[FileReport], run: LintFile, processes: int
) -> list[FileReport]:
    """The reports, made again for files that others tell something about.

    Others may define the kinds that its expressions concern, and provide the inputs that its
    ResourceSets take. Each report says what its file has of these and what it lacks, so that a tree
    with neither is read once.
    """
    pairs = list(zip(files, reports, strict=True))
    # Standard input cannot be read a second time.
    found = SchemaSources(tuple(file for file, each in pairs if each.defines and file != STDIN))
    wanted = {kind for each in reports for kind in each.unknown_kinds} if found.paths else set()
    known = {kind for kind in wanted if found.find(*kind)}
    providers = tuple(provider for each in reports for provider in each.providers)
    again = [
        file
        for file, each in pairs
        if file != STDIN
        and (each.unknown_kinds & known or (each.takes_inputs and providers != each.providers))
    ]
    if not again:
        return list(reports)
    crds = LayeredSchemas((found, run.settings.crds))
    settings = replace(run.settings, crds=crds, providers=providers)
    better = dict(
        zip(again, in_parallel(replace(run, settings=settings), again, processes), strict=True)
    )
    return [better.get(file, each) for file, each in pairs]
