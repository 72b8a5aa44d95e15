"""`celvet lint`: check the expressions in manifests."""

from __future__ import annotations

from pathlib import Path

import click

from celvet.lint.cli import Exit
from celvet.lint.cli.options import common
from celvet.lint.cli.options.argv import DASHED, LintCommand
from celvet.lint.cli.options.help import grouped
from celvet.lint.cli.run import fixes
from celvet.lint.cli.run.baseline import BaselineFile
from celvet.lint.cli.run.changed import changed
from celvet.lint.cli.run.lint import LintFile, linted
from celvet.lint.cli.run.session import configuration, selected, settings, status
from celvet.lint.cli.run.targets import assure_unread, targets
from celvet.lint.manifest.source.files import STDIN
from celvet.lint.model import Severity
from celvet.lint.report.output import FORMATS

_SEVERITY = click.Choice([str(severity) for severity in Severity])
_fixes, _selection = grouped("Fixes"), grouped("Selection")


@click.command("lint", cls=LintCommand)
@click.argument("paths", nargs=-1, required=True, type=common.FILE, metavar="PATH...")
@common.formats(FORMATS)
@common.output_files
@common.report(
    "--fail-on",
    type=_SEVERITY,
    metavar="LEVEL",
    help="Fail from info, warning or error (default) on.",
)
@common.report(
    "--min-severity",
    type=_SEVERITY,
    metavar="LEVEL",
    help="Report from info (default), warning or error on.",
)
@_fixes("--fix", is_flag=True, help="Fix findings; --fix=unsafe: even if verdicts change.")
@click.option("--unsafe", is_flag=True, hidden=True)
@_fixes("--diff", is_flag=True, help="Show the changes of --fix without making them.")
@_selection(
    "--changed-since", metavar="REV", help="Lint only files changed since the branch left REV."
)
@_selection(
    "--baseline",
    type=common.NAMED_FILE,
    metavar="FILE",
    help="Leave out the findings that FILE lists.",
)
@_selection("--update-baseline", is_flag=True, help="Write all findings to the --baseline.")
@_selection(
    "--force-exclude",
    rare=True,
    is_flag=True,
    help="Apply `exclude` of the configuration to named files too.",
)
@_selection(
    DASHED,
    rare=True,
    is_flag=True,
    expose_value=False,
    help="Treat `-x.yaml` as a file if it exists; hooks need it.",
)
@common.crds
@common.schema_location(rare=True)
@common.configured
@common.target(rare=True)
@common.jobs
@common.work(
    "--stdin-filename",
    rare=True,
    default="<stdin>",
    metavar="NAME",
    help="Call standard input NAME.",
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
    versions: tuple[str, ...],
    crds: tuple[Path, ...],
    schema_location: tuple[str, ...],
    config: Path | None,
    stdin_filename: str,
    jobs: int | None,
) -> Exit:
    """Check the expressions in manifests: files, directories, or `-`.

    Exit status: 0 clean, 1 findings, 2 wrong usage or path, 3 celvet failed.
    """
    chosen = configuration(config).with_schemas(crds, schema_location)
    read = (each for each in (baseline, chosen.path) if each)
    wanted = targets(formats, files, (*paths, *read), (*chosen.crds, *chosen.schemas))
    if update_baseline and not baseline:
        raise click.UsageError("--update-baseline needs a --baseline to write")
    if fix and not diff and STDIN in paths:
        raise click.UsageError("standard input cannot be fixed in place; use --diff")
    minimum = Severity[min_severity.upper()] if min_severity else chosen.min_severity
    run = LintFile(
        settings(chosen, substitute, versions), stdin_filename, fix or diff, unsafe, minimum
    )
    failing = Severity[fail_on.upper()] if fail_on else chosen.fail_on
    meant = selected(paths, chosen, force_exclude=force_exclude)
    meant = changed(meant, changed_since) if changed_since is not None else meant
    known = BaselineFile(baseline, update_baseline) if baseline else None
    report = linted(meant, run, jobs or 0, minimum, known)
    for target in wanted:
        assure_unread(target.file, map(Path, report.manifests()))
    if diff:
        click.echo("".join(fixes.diff(report)), nl=False)
        return max(status(report, failing), Exit(bool(report.rewritten)))
    fixes.write(report)
    for target in wanted:
        target.write(FORMATS, report)
    return status(report, failing)
