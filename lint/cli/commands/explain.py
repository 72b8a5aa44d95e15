"""`celvet explain`: the verdicts of the checks in a file over the life of an object."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from celvet.lint.cli import Exit
from celvet.lint.cli.options import common
from celvet.lint.cli.run.session import configuration, settings
from celvet.lint.cli.run.targets import targets
from celvet.lint.engine import FileResult, lint_text
from celvet.lint.explain.output import FORMATS
from celvet.lint.explain.pages import pages
from celvet.lint.manifest.source.files import read_source


@click.command("explain")
@click.argument("file", metavar="FILE", type=common.FILE)
@click.option(
    "-f",
    "--format",
    "form",
    type=click.Choice(FORMATS.names()),
    default="text",
    metavar="FORMAT",
    help="html, markdown, text (default).",
)
@click.option(
    "-o",
    "--output-file",
    "output",
    type=common.FILE,
    metavar="FILE",
    help="Write the pages to FILE.",
)
@common.crds
@common.schema_location()
@common.target()
@common.configured
def command(
    file: Path,
    form: str,
    output: Path | None,
    crds: tuple[Path, ...],
    schema_location: tuple[str, ...],
    substitute: tuple[str, ...],
    versions: tuple[str, ...],
    config: Path | None,
) -> Exit:
    """Show the verdicts of each check over the life of an object.

    A table has a row for each state of the object that the expressions of a
    check can tell apart: the result of each expression, and the verdict. A
    misleading one is marked and explained.

    \b
    Exit status: 0 something is shown, 2 wrong usage or nothing to show,
    3 celvet failed.
    """  # noqa: D301 - click wants the escape
    (target,) = targets((form,), (output,) if output else (), (file,))
    chosen = configuration(config).with_schemas(crds, schema_location)
    try:
        data = read_source(file)
    except OSError as error:
        raise click.UsageError(f"{file}: {error.strerror or error}") from None
    rules = replace(settings(chosen, substitute, versions), everything=True)
    result = lint_text(data, file.as_posix(), rules)
    for note in result.notes:
        click.echo(f"celvet: {note}", err=True)
    if result.counts.partly:
        click.echo("celvet: inputs that only the cluster knows have stand-ins here", err=True)
    found = list(pages(result))
    if not found:
        raise click.UsageError(f"{file} has {_instead(result)}")
    target.write(FORMATS, found)
    return Exit.CLEAN


def _instead(result: FileResult) -> str:
    """What is in a file without a check to explain."""
    rules = ("spec", "healthRule"), ("spec", "healthyConditionRule")
    if any(checked.get(*rule) for checked in result.checked for rule in rules):
        return "no CEL expression; `celvet lint` reports what misleads in its health rules"
    return "no health check expression that can be explained"
