"""What every subcommand that reads manifests does with its paths and its configuration."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from celvet.lint.cli import Exit
from celvet.lint.cli.run.parallel import in_parallel
from celvet.lint.model import Severity

if TYPE_CHECKING:
    from celvet.lint.cli.options.baseline import BaselineFile
    from celvet.lint.cli.run.lint_file import Lint
    from celvet.lint.config import Config
    from celvet.lint.crds import Schemas
    from celvet.lint.engine import Settings
    from celvet.lint.report.report import Report


def configuration(named: Path | None) -> Config:
    """The configuration named, else the nearest; raises `click.UsageError`."""
    from celvet.lint.config import find, load
    from celvet.lint.config.table import ConfigError

    try:
        return load(named or find(Path.cwd()))
    except ConfigError as error:
        raise click.UsageError(str(error)) from None


def settings(config: Config, substitute: Sequence[str]) -> Settings:
    """The engine's settings; raises `click.UsageError` for what cannot be meant, or read."""
    from celvet import schemas
    from celvet.lint.engine import Settings

    try:
        schemas.load(config.schemas)
    except schemas.CatalogError as error:
        raise click.UsageError(str(error)) from None
    given = dict(config.substitute)
    for text in substitute:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise click.UsageError(f"--substitute {text}: write NAME=VALUE")
        given[name] = value
    return Settings(config.schemas, config.rules, given, crds=_crds(config))


def _crds(config: Config) -> Schemas:
    """Where the kinds under check are described; raises `click.UsageError` for a wrong name."""
    from celvet.lint.crds import Sources
    from celvet.lint.crds.locations import LocationError

    for path in config.crds:
        if not path.exists():
            raise click.UsageError(f"CRDs {path}: No such file or directory")
    sources = Sources(config.crds, config.schema_location)
    try:
        sources.check()
    except LocationError as error:
        raise click.UsageError(f"schema location {error}") from None
    return sources


def linted(
    files: Sequence[Path],
    run: Lint,
    jobs: int,
    minimum: Severity,
    baseline: BaselineFile | None = None,
) -> Report:
    """Lint the files; raises `click.UsageError` for an unusable baseline."""
    from celvet.lint.cli.run.crd_pass import look_again
    from celvet.lint.report.report import report
    from celvet.lint.repository import repository

    here = Path.cwd()
    root = str(repository(here) or here)
    examined = look_again(files, list(in_parallel(run, files, jobs)), run, jobs)
    if baseline is None:
        return report(examined, minimum, root)
    sifted = baseline.sift(examined, root)
    return report(sifted.files, minimum, root, sifted.known)


def selected(paths: Sequence[Path], config: Config, *, force_exclude: bool = False) -> list[Path]:
    """The files that the paths mean."""
    from celvet.lint.cli.run.discover import discover

    base = config.path.parent if config.path else Path()
    return list(discover(paths, config.exclude, base, force_exclude=force_exclude))


def status(report: Report, fail_on: Severity) -> Exit:
    """The exit status, a failure of ours before a wrong path before findings; says which."""
    for note in report.notes:
        click.echo(f"celvet: {note}", err=True)
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
