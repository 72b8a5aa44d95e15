"""What every subcommand that reads manifests does with its paths and its configuration."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lint.cli import Exit
from lint.cli.parallel import in_parallel
from lint.model import Severity

if TYPE_CHECKING:
    from lint.cli.single import Lint
    from lint.config import Config
    from lint.engine import Settings
    from lint.report import Report


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


def linted(
    paths: Sequence[Path], config: Config, run: Lint, jobs: int, minimum: Severity
) -> Report:
    """Lint the files that the paths mean; raises `click.UsageError` for unusable schemas."""
    import schemas
    from lint.cli.discover import discover
    from lint.report import report

    try:
        schemas.load(config.schemas)
    except schemas.CatalogError as error:
        raise click.UsageError(str(error)) from None
    files = list(discover(paths, config.exclude))
    return report(in_parallel(run, files, jobs), minimum)


def status(report: Report, fail_on: Severity) -> Exit:
    """The exit status, a failure of ours before a wrong path before findings; says which."""
    for file, reason in report.unread:
        click.echo(f"celvet: {file}: {reason}", err=True)
    for file, crash in report.crashes:
        place = f"{file}: document {crash.where.document}"
        click.echo(f"celvet: {place}: rule {crash.rule} failed: {crash.error}", err=True)
    if report.crashes:
        return Exit.INTERNAL
    if report.unread:
        return Exit.USAGE
    return Exit.FINDINGS if report.worst and report.worst >= fail_on else Exit.CLEAN
