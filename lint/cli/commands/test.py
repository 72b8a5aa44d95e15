"""`celvet test`: run health tests, or write new ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import compress
from pathlib import Path

import click

from celvet.lint.cli import Exit
from celvet.lint.cli.options import common
from celvet.lint.cli.options.help import Command, grouped
from celvet.lint.cli.run.files import write
from celvet.lint.cli.run.new_tests import write_tests
from celvet.lint.cli.run.parallel import in_parallel, processes_for
from celvet.lint.cli.run.session import configuration, selected, settings, status
from celvet.lint.cli.run.targets import targets
from celvet.lint.cli.run.test_runner import FileRun, RunTests
from celvet.lint.healthtest.output import FORMATS
from celvet.lint.healthtest.run.coverage import merged, percent
from celvet.lint.healthtest.run.results import Detail, SuiteReport
from celvet.lint.manifest.source.files import STDIN
from celvet.lint.model import Severity
from celvet.lint.report.output.text import listed
from celvet.lint.report.report import report

_cases, _coverage = grouped("Cases"), grouped("Coverage")


@click.command("test", cls=Command)
@click.argument("paths", nargs=-1, required=True, metavar="PATH...", type=common.FILE)
@_cases("-k", "chosen", default="", metavar="TEXT", help="Run the cases with TEXT in their name.")
@_cases("-x", "--fail-fast", is_flag=True, help="Stop at the first case that fails.")
@_cases("--new", is_flag=True, help="Write new tests for manifests; see -k and -o.")
@_cases("--record", is_flag=True, help="Write a test of what `kubectl get --watch` prints.")
@_cases("--update", is_flag=True, help="Make the results the expectations in the files.")
@_cases("--allow-empty", rare=True, is_flag=True, help="Succeed if there is no health test.")
@_coverage("--coverage", is_flag=True, help="Show which outcomes the expressions had.")
@_coverage(
    "--fail-under",
    type=click.FloatRange(0, 100),
    metavar="PERCENT",
    help="Fail below this coverage; implies --coverage.",
)
@common.formats(FORMATS)
@common.output_files
@common.report("-v", "--verbose", is_flag=True, help="Show each case, and what is not covered.")
@common.report("-q", "--quiet", is_flag=True, help="Show failures and the summary alone.")
@common.target(rare=True)
@common.configured
@common.jobs
def command(
    paths: tuple[Path, ...],
    chosen: str,
    fail_fast: bool,
    new: bool,
    record: bool,
    allow_empty: bool,
    coverage: bool,
    fail_under: float | None,
    update: bool,
    formats: tuple[str, ...],
    files: tuple[Path, ...],
    verbose: bool,
    quiet: bool,
    substitute: tuple[str, ...],
    versions: tuple[str, ...],
    config: Path | None,
    jobs: int | None,
) -> Exit:
    """Run health tests: the documents of kind HealthTest in files and directories.

    Exit status: 0 all pass, 1 some fail, 2 one cannot be run, 3 celvet failed.
    """
    choice = configuration(config)
    read = (*paths, choice.path) if choice.path else paths
    wanted = targets(formats, files, read, choice.schemas)
    if update and STDIN in paths:
        raise click.UsageError("standard input cannot be updated; name the file")
    rules = settings(choice, substitute, versions)
    cover = coverage or fail_under is not None
    if new or record:
        runs = {"--update": update, "--fail-fast": fail_fast, "--coverage": cover}
        others = {**runs, "--format": bool(formats), "--new": new and record}
        _assure_alone("--record" if record else "--new", compress(others, others.values()))
        write_tests(paths, chosen, wanted[0].file, rules, recorded=record)
        return Exit.CLEAN
    run = RunTests(rules, chosen, fail_fast, update, cover)
    found = selected(paths, choice)
    done = in_parallel(run, found, processes_for(found, jobs or 0))
    tested = list(_until_failure(done, fail_fast))
    detail: Detail = "verbose" if verbose else "quiet" if quiet else "normal"
    results = _results(tested, detail, cover=cover)
    for target in wanted:
        target.write(FORMATS, results)
    _write(tested)
    if not results.cases and (chosen or fail_under is not None or not allow_empty):
        if not results.unrun:
            _say_that_nothing_ran(paths, chosen)
        return max(_problems(tested), Exit.USAGE)
    failed = any(each.left for each in tested) if update else bool(results.failed)
    failed |= fail_under is not None and percent(results.coverage or ()) < fail_under
    return max(_problems(tested), Exit(failed))


def _assure_alone(option: str, others: Iterable[str]) -> None:
    for other in others:
        raise click.UsageError(f"{option} writes tests and runs none; leave {other} out")


def _until_failure(tested: Iterator[FileRun], fail_fast: bool) -> Iterator[FileRun]:
    for each in tested:
        yield each
        if fail_fast and any(case.failed for case in each.cases):
            return


def _results(tested: Sequence[FileRun], detail: Detail, *, cover: bool) -> SuiteReport:
    return SuiteReport(
        tuple(case for each in tested for case in each.cases),
        tuple(merged(one for each in tested for one in each.covered)) if cover else None,
        tuple(one for each in tested for one in each.unrun),
        detail,
    )


def _say_that_nothing_ran(paths: Sequence[Path], chosen: str) -> None:
    which = f"no case with `{chosen}` in its name" if chosen else "no health test"
    hint = "" if chosen else "; see --allow-empty"
    click.echo(f"celvet: {which} in {', '.join(map(str, paths))}{hint}", err=True)


def _problems(tested: Sequence[FileRun]) -> Exit:
    """Report on standard error which tests could not be run and why; return the status for it."""
    found = report(each.report for each in tested)
    click.echo(listed(found.findings, False), err=True, nl=False)
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
