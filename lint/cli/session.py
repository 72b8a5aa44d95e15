"""What every subcommand that reads manifests does with its paths and its configuration."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lint.cli import Exit
from lint.cli.source import STDIN, read_source
from lint.model import Severity

if TYPE_CHECKING:
    from lint.config import Config
    from lint.engine import FileResult, Settings
    from lint.report import Report

_LONG_WORK = 50
"""Files from which on a terminal gets a progress bar."""


def configuration(named: Path | None) -> Config:
    """The configuration named, else the nearest; raises `click.UsageError`."""
    from lint.config import ConfigError, find, load

    try:
        return load(named or find(Path.cwd()))
    except ConfigError as error:
        raise click.UsageError(str(error)) from None


def settings(config: Config, substitute: Sequence[str]) -> Settings:
    """The engine's settings; raises `click.UsageError` for a text that is no `NAME=VALUE`."""
    from lint.engine import Settings

    given = dict(config.substitute)
    for text in substitute:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise click.UsageError(f"--substitute {text}: write NAME=VALUE")
        given[name] = value
    return Settings(config.schemas, config.rules, given)


def selected(paths: Sequence[Path], exclude: Sequence[str]) -> list[Path]:
    """The files that the paths mean."""
    from lint.cli.discover import discover

    return list(discover(paths, exclude))


@dataclass(slots=True)
class Run:
    """Lints files one by one; keeps whether one of them could not be read."""

    settings: Settings
    stdin_filename: str = "<stdin>"
    unread: bool = field(default=False, init=False)

    def report(self, files: Sequence[Path], minimum: Severity) -> Report:
        """Lint the files; raises `click.UsageError` for schema directories that are no good."""
        from lint.report import report
        from schemas import CatalogError

        try:
            return report(self._results(files), minimum)
        except CatalogError as error:
            raise click.UsageError(str(error)) from None

    def status(self, report: Report, fail_on: Severity) -> Exit:
        """The exit status: a failure of ours before a wrong path before findings."""
        for file, crash in report.crashes:
            place = f"{file}: document {crash.where.document}"
            click.echo(f"celvet: {place}: rule {crash.rule} failed: {crash.error}", err=True)
        if report.crashes:
            return Exit.INTERNAL
        if self.unread:
            return Exit.USAGE
        return Exit.FINDINGS if report.worst and report.worst >= fail_on else Exit.CLEAN

    def _results(self, files: Sequence[Path]) -> Iterator[FileResult]:
        from lint.engine import lint_text

        for path in _with_progress(files):
            name = self.stdin_filename if path == STDIN else path.as_posix()
            try:
                data = read_source(path)
            except OSError as error:
                self.unread = True
                click.echo(f"celvet: {name}: {error.strerror or error}", err=True)
                continue
            yield lint_text(data, name, self.settings)


def _with_progress(files: Sequence[Path]) -> Iterator[Path]:
    """The files, with a bar on standard error where somebody waits for many of them."""
    if len(files) < _LONG_WORK or not sys.stderr.isatty():
        yield from files
        return
    from rich.console import Console
    from rich.progress import track

    yield from track(files, "linting", console=Console(stderr=True), transient=True)
