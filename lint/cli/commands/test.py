"""`celvet test`: run health tests, or write new ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import compress
from pathlib import Path
from typing import Any

import click

from celvet.lint.cli.exit import Exit
from celvet.lint.cli.options import common
from celvet.lint.cli.options.help import Command, grouped
from celvet.lint.cli.run.atomic_file import write
from celvet.lint.cli.run.new_tests import write_tests
from celvet.lint.cli.run.parallel import in_parallel, processes_for
from celvet.lint.cli.run.session import configuration, selected, settings, status
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

_cases, _coverage = grouped("Cases"), grouped("Coverage")


@click.command("test", cls=Command)
@click.argument("paths", nargs=-1, required=True, metavar="PATH...", type=common.FILE)
@_cases("-k", "chosen", default="", metavar="TEXT", help="Run the cases with TEXT in their name.")
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
@common.configured
@common.jobs
def command(**given: Any) -> Exit:
    """Run health tests, the documents of kind HealthTest.

    Exit status: 0 all pass, 1 some fail, 2 one cannot be run, 3 celvet failed.
    """
    asked = _Options(**given)
    choice = configuration(asked.config)
    read = (*asked.paths, choice.path) if choice.path else asked.paths
    wanted = targets(asked.formats, asked.files, read, choice.schemas)
    if asked.update and STDIN in asked.paths:
        raise click.UsageError("standard input cannot be updated; name the file")
    rules = settings(choice, asked.substitute, asked.versions)
    if asked.new or asked.record:
        _assure_no_run(asked)
        write_tests(asked.paths, asked.chosen, wanted[0].file, rules, recorded=asked.record)
        return Exit.CLEAN
    tested = _tested(asked, rules, selected(asked.paths, choice))
    results = _results(asked, tested)
    for target in wanted:
        target.write(FORMATS, results)
    _write(tested)
    return max(_status(asked, tested, results), _problems(tested))


@record(kw_only=True)
class _Options:
    """The options of a run, as described above."""

    paths: tuple[Path, ...]
    chosen: str
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


def _assure_no_run(asked: _Options) -> None:
    """Raise `click.UsageError` for options of a run beside those that write tests."""
    option = "--record" if asked.record else "--new"
    others = {
        "--update": asked.update,
        "--fail-fast": asked.fail_fast,
        "--coverage": asked.covers,
        "--format": bool(asked.formats),
        "--new": asked.new and asked.record,
    }
    for other in compress(others, others.values()):
        raise click.UsageError(f"{option} writes tests and runs none; leave {other} out")


def _tested(asked: _Options, rules: Settings, files: Sequence[Path]) -> list[FileRun]:
    run = RunTests(rules, asked.chosen, asked.fail_fast, asked.update, asked.covers)
    done = in_parallel(run, files, processes_for(files, asked.jobs or 0))
    return list(_until_failure(done, asked.fail_fast))


def _until_failure(tested: Iterator[FileRun], fail_fast: bool) -> Iterator[FileRun]:
    for each in tested:
        yield each
        if fail_fast and any(case.failed for case in each.cases):
            return


def _results(asked: _Options, tested: Sequence[FileRun]) -> SuiteReport:
    detail: Detail = "verbose" if asked.verbose else "quiet" if asked.quiet else "normal"
    return SuiteReport(
        tuple(case for each in tested for case in each.cases),
        tuple(merged(one for each in tested for one in each.covered)) if asked.covers else None,
        tuple(one for each in tested for one in each.unrun),
        detail,
    )


def _status(asked: _Options, tested: Sequence[FileRun], results: SuiteReport) -> Exit:
    """The status for the results; no case at all is wrong usage, unless it is allowed."""
    least = asked.fail_under
    if not results.cases and (asked.chosen or least is not None or not asked.allow_empty):
        if not results.unrun:
            _report_nothing_ran(asked.paths, asked.chosen)
        return Exit.USAGE
    failed = any(each.left for each in tested) if asked.update else bool(results.failed)
    return Exit(failed or (least is not None and percent(results.coverage or ()) < least))


def _report_nothing_ran(paths: Sequence[Path], chosen: str) -> None:
    which = f"no case with `{chosen}` in its name" if chosen else "no health test"
    hint = "" if chosen else "; see --allow-empty"
    click.echo(f"celvet: {which} in {', '.join(map(str, paths))}{hint}", err=True)


def _problems(tested: Sequence[FileRun]) -> Exit:
    """Report on standard error which tests could not be run and why; return the status for it."""
    found = report(each.report for each in tested)
    click.echo(findings_text(found.findings, False), err=True, nl=False)
    worst = status(found, Severity.INFO)
    return Exit.USAGE if worst is Exit.FINDINGS else worst


def _write(tested: Sequence[FileRun]) -> None:
    for each in tested:
        if each.content is not None:
            write(each.path, each.content)
            click.echo(f"updated {each.path}", err=True)
        if each.left:
            still = "cases still fail" if each.left > 1 else "case still fails"
            click.echo(f"celvet: {each.path}: {each.left} {still}", err=True)
