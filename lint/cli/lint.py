"""`celvet lint`: check the expressions in manifests."""

from __future__ import annotations

from pathlib import Path

import click

from lint import output
from lint.cli import Exit
from lint.cli.session import configuration, linted, settings, status
from lint.cli.single import Lint
from lint.cli.targets import targets
from lint.model import Severity

_SEVERITY = click.Choice([str(severity) for severity in Severity])
_PATH = click.Path(path_type=Path, allow_dash=True)


@click.command("lint")
@click.argument("paths", nargs=-1, required=True, type=_PATH, metavar="PATH...")
@click.option(
    "-f",
    "--format",
    "formats",
    multiple=True,
    type=click.Choice(output.names()),
    help="How to write the report; may be given several times.  [default: text]",
)
@click.option(
    "-o",
    "--output-file",
    "files",
    multiple=True,
    type=_PATH,
    help="Where to write it: the first for the first format, and so on.",
)
@click.option(
    "--fail-on",
    type=_SEVERITY,
    help="The severity from which the exit status is 1.  [default: error]",
)
@click.option(
    "--min-severity",
    type=_SEVERITY,
    help="The severity from which findings are reported.  [default: info]",
)
@click.option(
    "--substitute",
    multiple=True,
    metavar="NAME=VALUE",
    help="A value for ${NAME}, as Flux's post-build substitution has it.",
)
@click.option(
    "--config",
    type=_PATH,
    help="The configuration file.  [default: the nearest .celvet.yaml or pyproject.toml]",
)
@click.option(
    "--stdin-filename",
    default="<stdin>",
    metavar="NAME",
    help="What to call standard input in the report.",
)
@click.option(
    "-j",
    "--jobs",
    type=click.IntRange(min=1, max=256),
    metavar="N",
    help="Processes to work with.  [default: by the number of files and processors]",
)
def command(
    paths: tuple[Path, ...],
    formats: tuple[str, ...],
    files: tuple[Path, ...],
    fail_on: str | None,
    min_severity: str | None,
    substitute: tuple[str, ...],
    config: Path | None,
    stdin_filename: str,
    jobs: int | None,
) -> Exit:
    r"""Check the expressions in manifests.

    PATH is a file, a directory (its YAML and JSON files are taken, what
    .gitignore names is not), or - for standard input.

    \b
    Exit status: 0 nothing at or above --fail-on, 1 findings,
    2 wrong usage or a file that cannot be read, 3 a failure of celvet.
    """
    wanted = targets(formats, files)
    chosen = configuration(config)
    run = Lint(settings(chosen, substitute), stdin_filename)
    minimum = Severity[min_severity.upper()] if min_severity else chosen.min_severity
    report = linted(paths, chosen, run, jobs or 0, minimum)
    for target in wanted:
        target.write(report)
    return status(report, Severity[fail_on.upper()] if fail_on else chosen.fail_on)
