"""Lints files: each by itself, then again those for which other files hold CRDs or inputs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from celvet.lint.cli.run.baseline import BaselineFile
from celvet.lint.cli.run.fixes import fixed
from celvet.lint.cli.run.parallel import in_parallel
from celvet.lint.crds import LayeredSchemas, SchemaSources
from celvet.lint.crds.files import may_define
from celvet.lint.engine import Settings, lint_text
from celvet.lint.manifest.source.files import STDIN, read_source
from celvet.lint.model import Severity
from celvet.lint.report.report import FileReport, Report, file_report, report
from celvet.lint.repository.index import Repository
from celvet.lint.repository.root import repository


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
    found = _with_others(files, list(in_parallel(run, files, jobs)), run, jobs)
    if baseline is None:
        return report(found, minimum, root)
    new = baseline.apply(found, root)
    return report(new.files, minimum, root, new.known)


def _with_others(
    files: Sequence[Path], reports: Sequence[FileReport], run: LintFile, jobs: int
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
        zip(again, in_parallel(replace(run, settings=settings), again, jobs), strict=True)
    )
    return [better.get(file, each) for file, each in pairs]
