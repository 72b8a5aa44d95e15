"""`--render`: also lints what kustomize or flux builds from the repository."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NoReturn

import click

from celvet.lint.arbiter.findings import choose_findings
from celvet.lint.engine import FileResult, Settings
from celvet.lint.render.findings import lint_rendered
from celvet.lint.render.program import RenderProgram, find_program
from celvet.lint.report.located import located_findings
from celvet.lint.report.report import FileReport
from celvet.lint.repository.surroundings import Repository
from celvet.record import record, replace
from celvet.wrong_input import WrongInputError


@record
class Renderer:
    """Adds the findings in rendered objects to the reports of their files."""

    program: RenderProgram

    def __call__(
        self, reports: Sequence[FileReport], settings: Settings, repository: Repository | None
    ) -> list[FileReport]:
        """The reports with further findings; names on standard error what was not rendered."""
        if repository is None:
            _note("the file is in no repository, so nothing is rendered")
            return list(reports)
        names = [repository.name(report.name) for report in reports]
        findings = {
            name: [entry.finding for entry in report.findings]
            for name, report in zip(names, reports, strict=True)
            if name
        }
        with _unwinding():
            rendering = lint_rendered(repository.index, self.program, settings, findings)
        for note in rendering.notes:
            _note(note)
        return [
            _with(report, rendering.files[name]) if name in rendering.files else report
            for name, report in zip(names, reports, strict=True)
        ]


def renderer(choice: str, *, fix: bool) -> Renderer | None:
    """The renderer that `--render` asks for; None, with a message, if `auto` finds none.

    Raises `WrongInputError` if the one that is named is not installed.
    """
    if fix:
        raise WrongInputError("--render cannot be combined with --fix or --diff")
    program = find_program(choice)
    if program:
        return Renderer(program)
    if choice != "auto":
        raise WrongInputError(f"--render {choice}: {choice} is not installed, or not in the PATH")
    _note("neither kustomize nor flux is installed, so nothing is rendered")
    return None


@contextmanager
def _unwinding() -> Iterator[None]:
    """Meanwhile SIGTERM raises, so that the renderer ends too and its directory is removed."""

    def end(number: int, _: object) -> NoReturn:
        raise SystemExit(128 + number)

    former_handler = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, former_handler)


def _note(note: str) -> None:
    click.echo(f"celvet: --render: {note}", err=True)


def _with(report: FileReport, result: FileResult) -> FileReport:
    """The report of a file with further findings: in its order, without contradictions."""
    entries = [*report.findings, *located_findings(replace(result, name=report.name))]
    findings = choose_findings(entry.finding for entry in entries)
    keys = {(finding.rule, finding.where) for finding in findings}
    entries = [entry for entry in entries if (entry.finding.rule, entry.finding.where) in keys]
    entries.sort(key=lambda entry: (entry.place.line, entry.place.column))
    return replace(report, findings=tuple(entries), crashes=(*report.crashes, *result.crashes))
