"""`celvet lint`: from its options to its exit status."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from celvet.lint.cli.exit import Exit, tell
from celvet.lint.cli.run.lint_files import LintFile, default_directory, lint_files
from celvet.lint.cli.run.session import configuration, selected_files, settings, status, with_rules
from celvet.lint.cli.run.targets import assure_unread, layout, targets, write_out
from celvet.lint.manifest.source.files import STDIN
from celvet.lint.model import Severity
from celvet.lint.report.layout import Grouping
from celvet.lint.report.output import FORMATS
from celvet.record import record, replace
from celvet.wrong_input import WrongInputError

if TYPE_CHECKING:
    from celvet.lint.cli.run.baseline import BaselineFile
    from celvet.lint.cli.run.render import Renderer
    from celvet.lint.cli.run.targets import ReportTarget
    from celvet.lint.report.report import Report

_PERIOD = 0.5
"""Seconds between two looks at the files."""


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
    add_ignore: bool = False
    diff: bool = False
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    allow_empty: bool = False
    force_exclude: bool = False
    changed_since: str | None = None
    baseline: Path | None = None
    update_baseline: bool = False
    show_files: bool = False
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
    watch: bool = False


def lint(options: LintOptions) -> Exit:
    """Lint, write the reports or fixes; raises `WrongInputError` for what cannot be done."""
    config = configuration(options.config).with_schemas(options.crds, options.schema_location)
    paths, baseline = options.paths or (Path(),), options.baseline or config.baseline
    # A report must not overwrite what the run reads.
    input_files = (path for path in (baseline, config.path) if path)
    report_targets = targets(
        options.formats, options.files, (*paths, *input_files), (*config.crds, *config.schemas)
    )
    if options.update_baseline and not baseline:
        raise WrongInputError("--update-baseline needs a --baseline to write")
    writes = options.fix or options.add_ignore
    if options.fix and options.add_ignore:
        raise WrongInputError("--fix and --add-ignore exclude each other: fix first")
    if writes and not options.diff and STDIN in paths:
        raise WrongInputError("standard input cannot be fixed in place; use --diff")
    # Options of the command line go before those of the configuration.
    minimum = _level(options.min_severity, config.min_severity)
    failing = _level(options.fail_on, config.fail_on)
    rules = settings(config, options.substitute, options.versions)
    rules = with_rules(rules, options.select, options.ignore)
    if options.cache_dir and options.cache_dir.is_file():
        raise WrongInputError(f"--cache-dir {options.cache_dir}: Not a directory")
    cache = None if options.no_cache else options.cache_dir or default_directory()
    fix = writes or options.diff
    run = LintFile(
        rules,
        options.stdin_filename,
        fix=fix,
        unsafe=options.unsafe,
        ignores=options.add_ignore,
        minimum=minimum,
        cache=cache,
    )
    # An empty run is a mistake, unless the options explain it.
    files = selected_files(paths, config, force_exclude=options.force_exclude)
    if not (files or options.allow_empty or options.force_exclude or options.changed_since):
        raise _no_file(paths)
    if options.changed_since is not None:
        files = _changed_files(files, options.changed_since)
    if options.show_files:
        write_out("".join(f"{file}\n" for file in files), color=False)
        return Exit.CLEAN
    baseline_file = _baseline_file(baseline, options.update_baseline) if baseline else None
    renderer = None if options.render == "off" else _renderer(options.render, fix)
    raw_report = lint_files(files, run, options.jobs or 0, minimum, baseline_file, renderer)
    report_layout = layout(
        options.group_by or "", statistics=options.statistics, quiet=options.quiet
    )
    report = replace(raw_report, layout=report_layout)
    action = "fixed" if options.fix else "ignored" if options.add_ignore else ""
    return _write_reports(report, report_targets, failing, done=action, diff=options.diff)


def watch(options: LintOptions) -> NoReturn:
    """Lint, and again when a file of the repository changes, until somebody interrupts it.

    Raises `WrongInputError` for what cannot be done at all; a mistake that somebody makes while it
    watches is shown, and may be corrected.
    """
    import time

    import click

    from celvet.lint.cli.exit import click_error
    from celvet.lint.repository.surroundings import forget

    if STDIN in options.paths:
        raise WrongInputError("--watch reads files again; standard input can be read only once")
    for path in options.paths:
        if not path.exists():
            raise WrongInputError(f"{path}: No such file or directory")
    # The state before the run: a file that is saved meanwhile counts as changed.
    state = _watched_state(options)
    lint(options)
    while True:
        tell("celvet: watching for changes; Ctrl+C ends")
        while (new_state := _watched_state(options)) == state:
            time.sleep(_PERIOD)
            forget()
        state = new_state
        click.clear()
        try:
            lint(options)
        except (click.ClickException, WrongInputError) as error:
            click_error(error).show()


def _watched_state(options: LintOptions) -> set[tuple[str, int, int]]:
    """The names, times and sizes of the files that a run may read."""
    from celvet.lint.config import find
    from celvet.lint.discovery.discover import discover
    from celvet.lint.discovery.root import repository

    paths = options.paths or (Path(),)
    config = options.config or find(Path.cwd())
    own_repository = repository(Path.cwd())
    places = [*paths, *([own_repository] if own_repository else [])]
    files = [*discover(places), *options.crds, *([config] if config else ())]
    state = set()
    for file in files:
        with suppress(OSError):  # it may be gone by now
            status = file.stat()
            state.add((str(file), status.st_mtime_ns, status.st_size))
    return state


def _level(name: str | None, otherwise: Severity) -> Severity:
    return Severity[name.upper()] if name else otherwise


def _no_file(paths: Sequence[Path]) -> WrongInputError:
    names = ", ".join(f"`{path}`" for path in paths)
    return WrongInputError(f"no YAML or JSON file in {names}; see --allow-empty")


def _write_reports(
    report: Report,
    report_targets: Sequence[ReportTarget],
    failing: Severity,
    *,
    done: str,
    diff: bool,
) -> Exit:
    """Write the report or the diff to its targets, and what was `done` to the files."""
    for target in report_targets:
        assure_unread(target.file, map(Path, report.manifests()))
    if done or diff:
        from celvet.lint.cli.run import fixes
    if diff:
        write_out("".join(fixes.diff(report)), color=False)
        if not report.rewritten:
            tell("nothing to fix")
        return max(status(report, failing), Exit(bool(report.rewritten)))
    if done:
        fixes.write(report, done)
    to_file = replace(report, layout=replace(report.layout, width=0, links=False))
    for target in report_targets:
        target.write(FORMATS, report if target.file == STDIN else to_file)
    return status(report, failing)


def _changed_files(files: Sequence[Path], revision: str) -> list[Path]:
    from celvet.lint.cli.run.changed import changed_files  # it runs git

    return changed_files(files, revision)


def _baseline_file(baseline: Path, update: bool) -> BaselineFile:
    from celvet.lint.cli.run.baseline import BaselineFile  # loads `hashlib`

    return BaselineFile(baseline, update)


def _renderer(choice: str, fix: bool) -> Renderer | None:
    from celvet.lint.cli.run.render import renderer  # it runs programs

    return renderer(choice, fix=fix)
