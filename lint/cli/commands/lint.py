"""`celvet lint`: check the expressions in manifests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from celvet.lint.cli import Exit
from celvet.lint.cli.options import common
from celvet.lint.cli.options.argv import DASHED, LintCommand
from celvet.lint.cli.options.choices import rule_ids
from celvet.lint.cli.options.help import grouped
from celvet.lint.cli.run.lint import LintFile, default_directory, linted
from celvet.lint.cli.run.session import configuration, selected, settings, status, with_rules
from celvet.lint.cli.run.targets import assure_unread, layout, targets
from celvet.lint.manifest.source.files import STDIN
from celvet.lint.model import Severity
from celvet.lint.report.layout import Grouping
from celvet.lint.report.output import FORMATS

if TYPE_CHECKING:
    from celvet.lint.cli.run.baseline import BaselineFile
    from celvet.lint.cli.run.render import Renderer
    from celvet.lint.cli.run.targets import ReportTarget
    from celvet.lint.report.report import Report

_SEVERITY = click.Choice([str(severity) for severity in Severity])
_fixes, _selection = grouped("Fixes"), grouped("Selection")


@click.command("lint", cls=LintCommand)
@click.argument("paths", nargs=-1, type=common.FILE, metavar="[PATH]...")
@common.formats(FORMATS, "CELVET_FORMAT")
@common.output_files
@common.report(
    "--fail-on",
    envvar="CELVET_FAIL_ON",
    type=_SEVERITY,
    metavar="LEVEL",
    help="Fail from info, warning (default) or error on.",
)
@common.report(
    "--min-severity",
    envvar="CELVET_MIN_SEVERITY",
    type=_SEVERITY,
    metavar="LEVEL",
    help="Report from info (default), warning or error on.",
)
@common.report(
    "--group-by",
    rare=True,
    type=click.Choice(["file", "message", "rule"]),
    metavar="KEY",
    help="Group findings by file, message or rule.",
)
@common.report("--statistics", rare=True, is_flag=True, help="Count the findings of each rule.")
@common.report("-q", "--quiet", rare=True, is_flag=True, help="Print findings only, no summary.")
@_fixes("--fix", is_flag=True, help="Fix findings; --fix=unsafe may change verdicts.")
@click.option("--unsafe", is_flag=True, hidden=True)
@_fixes("--diff", is_flag=True, help="Show the changes of --fix without making them.")
@_selection(
    "--changed-since", metavar="REV", help="Lint only files changed since the branch left REV."
)
@_selection(
    "--baseline",
    envvar="CELVET_BASELINE",
    type=common.NAMED_FILE,
    metavar="FILE",
    help="Leave out the findings that FILE lists.",
)
@_selection("--update-baseline", is_flag=True, help="Write all findings to the --baseline.")
@_selection(
    "--select",
    rare=True,
    envvar="CELVET_SELECT",
    multiple=True,
    metavar="RULES",
    shell_complete=rule_ids,
    help="Report only these rules; separated by commas.",
)
@_selection(
    "--ignore",
    rare=True,
    envvar="CELVET_IGNORE",
    multiple=True,
    metavar="RULES",
    shell_complete=rule_ids,
    help="Switch these rules off; separated by commas.",
)
@_selection("--allow-empty", rare=True, is_flag=True, help="Succeed if there is no file to lint.")
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
    "--cache-dir",
    rare=True,
    envvar="CELVET_CACHE_DIR",
    type=common.NAMED_FILE,
    metavar="DIR",
    help="Keep results in DIR.  [default: celvet in the user's cache]",
)
@common.work(
    "--no-cache",
    rare=True,
    envvar="CELVET_NO_CACHE",
    is_flag=True,
    help="Lint every file, and keep no results.",
)
@common.work(
    "--render",
    rare=True,
    envvar="CELVET_RENDER",
    type=click.Choice(["auto", "kustomize", "flux", "off"]),
    default="off",
    metavar="PROGRAM",
    help="Lint also what kustomize, flux or either (auto) builds; off.",
)
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
    group_by: Grouping | None,
    statistics: bool,
    quiet: bool,
    fix: bool,
    unsafe: bool,
    diff: bool,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    allow_empty: bool,
    force_exclude: bool,
    changed_since: str | None,
    baseline: Path | None,
    update_baseline: bool,
    substitute: tuple[str, ...],
    versions: tuple[str, ...],
    crds: tuple[Path, ...],
    schema_location: tuple[str, ...],
    config: Path | None,
    cache_dir: Path | None,
    no_cache: bool,
    render: str,
    stdin_filename: str,
    jobs: int | None,
) -> Exit:
    """Check the expressions in files, directories or `-`; by default, in `.`.

    Exit status: 0 clean, 1 findings, 2 wrong usage or path, 3 celvet failed.
    """
    chosen = configuration(config).with_schemas(crds, schema_location)
    paths, baseline = paths or (Path(),), baseline or chosen.baseline
    read = (each for each in (baseline, chosen.path) if each)
    wanted = targets(formats, files, (*paths, *read), (*chosen.crds, *chosen.schemas))
    if update_baseline and not baseline:
        raise click.UsageError("--update-baseline needs a --baseline to write")
    if fix and not diff and STDIN in paths:
        raise click.UsageError("standard input cannot be fixed in place; use --diff")
    minimum, failing = _level(min_severity, chosen.min_severity), _level(fail_on, chosen.fail_on)
    rules = with_rules(settings(chosen, substitute, versions), select, ignore)
    cache = None if no_cache else cache_dir or default_directory()
    run = LintFile(rules, stdin_filename, fix or diff, unsafe, minimum, cache)
    meant = selected(paths, chosen, force_exclude=force_exclude)
    if not (meant or allow_empty or force_exclude or changed_since):
        raise _no_file(paths)
    meant = meant if changed_since is None else _changed(meant, changed_since)
    known = _known(baseline, update_baseline) if baseline else None
    renderer = None if render == "off" else _renderer(render, fix or diff)
    found = linted(meant, run, jobs or 0, minimum, known, renderer)
    report = replace(found, layout=layout(group_by or "", statistics=statistics, quiet=quiet))
    return _written(report, wanted, failing, fix=fix, diff=diff)


def _level(given: str | None, otherwise: Severity) -> Severity:
    return Severity[given.upper()] if given else otherwise


def _no_file(paths: Sequence[Path]) -> click.UsageError:
    named = ", ".join(f"`{each}`" for each in paths)
    return click.UsageError(f"no YAML or JSON file in {named}; see --allow-empty")


def _written(
    report: Report, wanted: Sequence[ReportTarget], failing: Severity, *, fix: bool, diff: bool
) -> Exit:
    """Write the report or the changes where they are wanted, and the fixes into the files."""
    for target in wanted:
        assure_unread(target.file, map(Path, report.manifests()))
    if fix or diff:
        from celvet.lint.cli.run import fixes
    if diff:
        click.echo("".join(fixes.diff(report)), nl=False)
        return max(status(report, failing), Exit(bool(report.rewritten)))
    if fix:
        fixes.write(report)
    to_file = replace(report, layout=replace(report.layout, width=0, links=False))
    for target in wanted:
        target.write(FORMATS, report if target.file == STDIN else to_file)
    return status(report, failing)


def _changed(files: Sequence[Path], revision: str) -> list[Path]:
    from celvet.lint.cli.run.changed import changed  # it runs git

    return changed(files, revision)


def _known(baseline: Path, update: bool) -> BaselineFile:
    from celvet.lint.cli.run.baseline import BaselineFile  # with hashes of findings

    return BaselineFile(baseline, update)


def _renderer(choice: str, fix: bool) -> Renderer | None:
    from celvet.lint.cli.run.render import renderer  # it runs programs

    return renderer(choice, fix=fix)
