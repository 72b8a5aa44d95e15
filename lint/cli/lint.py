"""`celvet lint`: check the expressions in manifests."""

from __future__ import annotations

from pathlib import Path

import click

from lint.cli import Exit, fixes
from lint.cli.changed import changed
from lint.cli.fixes import LintCommand
from lint.cli.known import BaselineFile
from lint.cli.session import configuration, linted, selected, settings, status
from lint.cli.single import Lint
from lint.cli.targets import targets
from lint.manifest.source import STDIN
from lint.model import Severity
from lint.output import FORMATS

_SEVERITY = click.Choice([str(severity) for severity in Severity])
_PATH = click.Path(path_type=Path, readable=False, allow_dash=True)


@click.command("lint", cls=LintCommand)
@click.argument("paths", nargs=-1, required=True, type=_PATH, metavar="PATH...")
@click.option(
    "-f",
    "--format",
    "formats",
    multiple=True,
    type=click.Choice(FORMATS.names()),
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
    "--fix", is_flag=True, help="Fix what can be; --fix=unsafe: also what changes verdicts."
)
@click.option("--unsafe", is_flag=True, hidden=True)
@click.option("--diff", is_flag=True, help="Show what --fix would change, and write nothing.")
@click.option(
    "--force-exclude",
    is_flag=True,
    help="Leave out what the configuration excludes, even if PATH names it.",
)
@click.option(
    "--changed-since",
    metavar="REV",
    help="Only files changed since the branch left REV, committed or not; needs git.",
)
@click.option(
    "--baseline",
    type=_PATH,
    metavar="FILE",
    help="Do not report the findings that FILE lists.",
)
@click.option(
    "--update-baseline", is_flag=True, help="Write all that is found now to the --baseline."
)
@click.option(
    "--substitute",
    multiple=True,
    metavar="NAME=VALUE",
    help="A value for ${NAME}, as Flux's post-build substitution has it.",
)
@click.option(
    "--crds",
    multiple=True,
    type=_PATH,
    metavar="PATH",
    help="A file, directory or archive (.tgz, .zip) of CRDs that describe what is checked.",
)
@click.option(
    "--schema-location",
    multiple=True,
    metavar="TEMPLATE",
    help="Path or URL of JSON Schemas, as for kubeconform; asked for what no CRD tells.",
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
    fix: bool,
    unsafe: bool,
    diff: bool,
    force_exclude: bool,
    changed_since: str | None,
    baseline: Path | None,
    update_baseline: bool,
    substitute: tuple[str, ...],
    crds: tuple[Path, ...],
    schema_location: tuple[str, ...],
    config: Path | None,
    stdin_filename: str,
    jobs: int | None,
) -> Exit:
    """Check the expressions in manifests.

    PATH is a file, a directory (its YAML and JSON files are taken, what
    .gitignore names is not), or - for standard input.

    \b
    Exit status: 0 nothing at or above --fail-on, 1 findings,
    2 wrong usage or a file that cannot be opened, 3 a failure of celvet.
    """  # noqa: D301 - click wants the escape
    wanted = targets(formats, files, (*paths, baseline) if baseline else paths)
    chosen = configuration(config).with_schemas(crds, schema_location)
    if update_baseline and not baseline:
        raise click.UsageError("--update-baseline needs a --baseline to write")
    if fix and not diff and STDIN in paths:
        raise click.UsageError("standard input cannot be fixed in place; use --diff")
    minimum = Severity[min_severity.upper()] if min_severity else chosen.min_severity
    run = Lint(settings(chosen, substitute), stdin_filename, fix or diff, unsafe, minimum)
    failing = Severity[fail_on.upper()] if fail_on else chosen.fail_on
    meant = selected(paths, chosen, force_exclude=force_exclude)
    meant = changed(meant, changed_since) if changed_since is not None else meant
    known = BaselineFile(baseline, update_baseline) if baseline else None
    report = linted(meant, run, jobs or 0, minimum, known)
    if diff:
        click.echo("".join(fixes.diff(report)), nl=False)
        return max(status(report, failing), Exit(bool(report.rewritten)))
    fixes.write(report)
    for target in wanted:
        target.write(FORMATS, report)
    return status(report, failing)
