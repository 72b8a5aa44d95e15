"""`celvet lint`: from its options to its exit status."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from celvet.lint.cli.exit import Exit, tell, wrong_usage
from celvet.lint.cli.run.lint_files import LintFile, default_directory, linted
from celvet.lint.cli.run.session import configuration, selected, settings, status, with_rules
from celvet.lint.cli.run.targets import assure_unread, layout, targets, write_out
from celvet.lint.manifest.source.files import STDIN
from celvet.lint.model import Severity
from celvet.lint.report.layout import Grouping
from celvet.lint.report.output import FORMATS
from celvet.record import record, replace

if TYPE_CHECKING:
    from click import UsageError

    from celvet.lint.cli.run.baseline import BaselineFile
    from celvet.lint.cli.run.render import Renderer
    from celvet.lint.cli.run.targets import ReportTarget
    from celvet.lint.report.report import Report


@record(kw_only=True)
class LintOptions:
    """The options of a run; `commands.lint` describes them."""

    paths: tuple[Path, ...] = ()
    formats: tuple[str, ...] = ()
    files: tuple[Path, ...] = ()
    fail_on: str | None = None
    min_severity: str | None = None
    group_by: Grouping | None = None
    statistics: bool = False
    quiet: bool = False
    fix: bool = False
    unsafe: bool = False
    diff: bool = False
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    allow_empty: bool = False
    force_exclude: bool = False
    changed_since: str | None = None
    baseline: Path | None = None
    update_baseline: bool = False
    substitute: tuple[str, ...] = ()
    versions: tuple[str, ...] = ()
    crds: tuple[Path, ...] = ()
    schema_location: tuple[str, ...] = ()
    config: Path | None = None
    cache_dir: Path | None = None
    no_cache: bool = False
    render: str = "off"
    stdin_filename: str = "<stdin>"
    jobs: int | None = None


def lint(given: LintOptions) -> Exit:
    """Lint, write the reports or fixes; raises `click.UsageError` for what cannot be done."""
    chosen = configuration(given.config).with_schemas(given.crds, given.schema_location)
    paths, baseline = given.paths or (Path(),), given.baseline or chosen.baseline
    read = (each for each in (baseline, chosen.path) if each)
    wanted = targets(given.formats, given.files, (*paths, *read), (*chosen.crds, *chosen.schemas))
    if given.update_baseline and not baseline:
        raise wrong_usage("--update-baseline needs a --baseline to write")
    if given.fix and not given.diff and STDIN in paths:
        raise wrong_usage("standard input cannot be fixed in place; use --diff")
    minimum = _level(given.min_severity, chosen.min_severity)
    failing = _level(given.fail_on, chosen.fail_on)
    rules = settings(chosen, given.substitute, given.versions)
    rules = with_rules(rules, given.select, given.ignore)
    if given.cache_dir and given.cache_dir.is_file():
        raise wrong_usage(f"--cache-dir {given.cache_dir}: Not a directory")
    cache = None if given.no_cache else given.cache_dir or default_directory()
    fix = given.fix or given.diff
    run = LintFile(rules, given.stdin_filename, fix, given.unsafe, minimum, cache)
    meant = selected(paths, chosen, force_exclude=given.force_exclude)
    if not (meant or given.allow_empty or given.force_exclude or given.changed_since):
        raise _no_file(paths)
    if given.changed_since is not None:
        meant = _changed(meant, given.changed_since)
    known = _known(baseline, given.update_baseline) if baseline else None
    renderer = None if given.render == "off" else _renderer(given.render, fix)
    found = linted(meant, run, given.jobs or 0, minimum, known, renderer)
    shown = layout(given.group_by or "", statistics=given.statistics, quiet=given.quiet)
    report = replace(found, layout=shown)
    return _written(report, wanted, failing, fix=given.fix, diff=given.diff)


def _level(given: str | None, otherwise: Severity) -> Severity:
    return Severity[given.upper()] if given else otherwise


def _no_file(paths: Sequence[Path]) -> UsageError:
    named = ", ".join(f"`{each}`" for each in paths)
    return wrong_usage(f"no YAML or JSON file in {named}; see --allow-empty")


def _written(
    report: Report, wanted: Sequence[ReportTarget], failing: Severity, *, fix: bool, diff: bool
) -> Exit:
    """Write the report or the diff to its targets, and the fixes to the files."""
    for target in wanted:
        assure_unread(target.file, map(Path, report.manifests()))
    if fix or diff:
        from celvet.lint.cli.run import fixes
    if diff:
        write_out("".join(fixes.diff(report)), color=False)
        if not report.rewritten:
            tell("nothing to fix")
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
    from celvet.lint.cli.run.baseline import BaselineFile  # loads `hashlib`

    return BaselineFile(baseline, update)


def _renderer(choice: str, fix: bool) -> Renderer | None:
    from celvet.lint.cli.run.render import renderer  # it runs programs

    return renderer(choice, fix=fix)
