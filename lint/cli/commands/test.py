"""`celvet test`: run health tests, or write new ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import compress
from pathlib import Path
from typing import Any

import click

from celvet.lint.cli.exit import Exit
from celvet.lint.cli.options import common
from celvet.lint.cli.options.help import Command, option_group
from celvet.lint.cli.run.atomic_file import write
from celvet.lint.cli.run.new_tests import write_tests
from celvet.lint.cli.run.parallel import in_parallel, processes_for
from celvet.lint.cli.run.session import configuration, selected_files, settings, status
from celvet.lint.cli.run.targets import targets
from celvet.lint.cli.run.test_runner import FileRun, RunTests
from celvet.lint.engine import Settings
from celvet.lint.healthtest.output import FORMATS
from celvet.lint.healthtest.run.coverage import merged, percent
from celvet.lint.healthtest.run.results import Detail, SuiteReport
from celvet.lint.manifest.source.files import STDIN
from celvet.lint.model import Severity
from celvet.lint.report.output.text import findings_text
from celvet.lint.report.report import report
from celvet.record import record

_cases, _coverage = option_group("Cases"), option_group("Coverage")


@click.command("test", cls=Command)
@click.argument("paths", nargs=-1, required=True, metavar="PATH...", type=common.FILE)
@_cases(
    "-k", "filter_text", default="", metavar="TEXT", help="Run the cases with TEXT in their name."
)
@_cases("-x", "--fail-fast", is_flag=True, help="Stop at the first case that fails.")
@_cases("--new", is_flag=True, help="Write new tests for manifests; see -k and -o.")
@_cases("--record", is_flag=True, help="Write a test from what `kubectl get --watch` prints.")
@_cases("--update", is_flag=True, help="Set the expectations in the files to the results.")
@_cases("--allow-empty", rare=True, is_flag=True, help="Succeed if there is no health test.")
@_coverage("--coverage", is_flag=True, help="Show which results the expressions had.")
@_coverage(
    "--fail-under",
    type=click.FloatRange(0, 100),
    metavar="PERCENT",
    help="Fail below this coverage; implies --coverage.",
)
@common.formats(FORMATS)
@common.output_files
@common.report("-v", "--verbose", is_flag=True, help="Show each case, and the results not covered.")
@common.report("-q", "--quiet", is_flag=True, help="Show only failures and the summary.")
@common.target(rare=True)
@common.config_options
@common.jobs
def command(**values: Any) -> Exit:
    """Run health tests, the documents of kind HealthTest.

    Exit status: 0 all pass, 1 some fail, 2 one cannot be run, 3 celvet failed.
    """
    options = _Options(**values)
    choice = configuration(options.config)
    inputs = (*options.paths, choice.path) if choice.path else options.paths
    report_targets = targets(options.formats, options.files, inputs, choice.schemas)
    if options.update and STDIN in options.paths:
        raise click.UsageError("standard input cannot be updated; name the file")
    rules = settings(choice, options.substitute, options.versions)
    if options.new or options.record:
        _assure_no_run(options)
        write_tests(
            options.paths,
            options.filter_text,
            report_targets[0].file,
            rules,
            from_recording=options.record,
        )
        return Exit.CLEAN
    runs = _run_tests(options, rules, selected_files(options.paths, choice))
    results = _results(options, runs)
    for target in report_targets:
        target.write(FORMATS, results)
    _write(runs)
    return max(_status(options, runs, results), _problems(runs))


@record(kw_only=True)
class _Options:
    """The options of a run, as described above."""

    paths: tuple[Path, ...]
    filter_text: str
    fail_fast: bool
    new: bool
    record: bool
    update: bool
    allow_empty: bool
    coverage: bool
    fail_under: float | None
    formats: tuple[str, ...]
    files: tuple[Path, ...]
    verbose: bool
    quiet: bool
    substitute: tuple[str, ...]
    versions: tuple[str, ...]
    config: Path | None
    jobs: int | None

    @property
    def covers(self) -> bool:
        """Whether the coverage of the expressions is wanted."""
        return self.coverage or self.fail_under is not None


def _assure_no_run(options: _Options) -> None:
    """Raise `click.UsageError` for options of a run beside those that write tests."""
    option = "--record" if options.record else "--new"
    conflicts = {
        "--update": options.update,
        "--fail-fast": options.fail_fast,
        "--coverage": options.covers,
        "--format": bool(options.formats),
        "--new": options.new and options.record,
    }
    for conflict in compress(conflicts, conflicts.values()):
        raise click.UsageError(f"{option} writes tests and runs none; leave {conflict} out")


def _run_tests(options: _Options, rules: Settings, files: Sequence[Path]) -> list[FileRun]:
    run = RunTests(rules, options.filter_text, options.fail_fast, options.update, options.covers)
    runs = in_parallel(run, files, processes_for(files, options.jobs or 0))
    return list(_until_failure(runs, options.fail_fast))


def _until_failure(runs: Iterator[FileRun], fail_fast: bool) -> Iterator[FileRun]:
    for run in runs:
        yield run
        if fail_fast and any(case.failed for case in run.cases):
            return


def _results(options: _Options, runs: Sequence[FileRun]) -> SuiteReport:
    detail: Detail = "verbose" if options.verbose else "quiet" if options.quiet else "normal"
    return SuiteReport(
        tuple(case for run in runs for case in run.cases),
        tuple(merged(coverage for run in runs for coverage in run.coverage))
        if options.covers
        else None,
        tuple(unrun for run in runs for unrun in run.unrun),
        detail,
    )


def _status(options: _Options, runs: Sequence[FileRun], results: SuiteReport) -> Exit:
    """The status for the results; no case at all is wrong usage, unless it is allowed."""
    least = options.fail_under
    if not results.cases and (options.filter_text or least is not None or not options.allow_empty):
        if not results.unrun:
            _report_nothing_ran(options.paths, options.filter_text)
        return Exit.USAGE
    failed = any(run.failures for run in runs) if options.update else bool(results.failed)
    return Exit(failed or (least is not None and percent(results.coverage or ()) < least))


def _report_nothing_ran(paths: Sequence[Path], filter_text: str) -> None:
    subject = f"no case with `{filter_text}` in its name" if filter_text else "no health test"
    hint = "" if filter_text else "; see --allow-empty"
    click.echo(f"celvet: {subject} in {', '.join(map(str, paths))}{hint}", err=True)


def _problems(runs: Sequence[FileRun]) -> Exit:
    """Report on standard error which tests could not be run and why; return the status for it."""
    run_report = report(run.report for run in runs)
    click.echo(findings_text(run_report.findings, False), err=True, nl=False)
    worst = status(run_report, Severity.INFO)
    return Exit.USAGE if worst is Exit.FINDINGS else worst


def _write(runs: Sequence[FileRun]) -> None:
    for run in runs:
        if run.content is not None:
            write(run.path, run.content)
            click.echo(f"updated {run.path}", err=True)
        if run.failures:
            still = "cases still fail" if run.failures > 1 else "case still fails"
            click.echo(f"celvet: {run.path}: {run.failures} {still}", err=True)
