"""`celvet explain`: what the entries of a file will say along the life of an object."""

from __future__ import annotations

from pathlib import Path

import click

from celvet.lint.cli import Exit
from celvet.lint.cli.options import options
from celvet.lint.cli.run.session import configuration, settings
from celvet.lint.cli.run.targets import targets
from celvet.lint.engine import FileResult, lint_text
from celvet.lint.explain.output import FORMATS
from celvet.lint.explain.pages import pages
from celvet.lint.manifest.source.files import read_source


@click.command("explain")
@click.argument("file", metavar="FILE", type=options.FILE)
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
    type=options.FILE,
    metavar="FILE",
    help="Where to write the pages.",
)
@options.crds
@options.schema_location()
@options.substitute
@options.config
def command(
    file: Path,
    form: str,
    output: Path | None,
    crds: tuple[Path, ...],
    schema_location: tuple[str, ...],
    substitute: tuple[str, ...],
    config: Path | None,
) -> Exit:
    """Show what each entry says of an object along its life.

    A table has a row for every stock state that the expressions of an entry
    can tell apart, with what each of them gives there and the verdict; what is
    unwelcome is marked and explained.

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
    result = lint_text(data, file.as_posix(), settings(chosen, substitute))
    for note in result.notes:
        click.echo(f"celvet: {note}", err=True)
    found = list(pages(result))
    if not found:
        raise click.UsageError(f"{file} has {_instead(result)}")
    target.write(FORMATS, found)
    return Exit.CLEAN


def _instead(result: FileResult) -> str:
    """What a file has that has no entry to explain."""
    rules = ("spec", "healthRule"), ("spec", "healthyConditionRule")
    if any(checked.get(*rule) for checked in result.checked for rule in rules):
        return "no CEL expression; what misleads in its health rules, `celvet lint` tells"
    return "no health check expression of which anything can be told"
