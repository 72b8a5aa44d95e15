"""`celvet test`: health tests, run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import compress
from pathlib import Path

import click

from celvet.lint.cli import Exit
from celvet.lint.cli.options import options
from celvet.lint.cli.options.help import Command, grouped
from celvet.lint.cli.run.files import write
from celvet.lint.cli.run.new_test import begin
from celvet.lint.cli.run.parallel import in_parallel
from celvet.lint.cli.run.session import configuration, selected, settings, status
from celvet.lint.cli.run.targets import targets
from celvet.lint.cli.run.test_runner import FileRun, RunTests
from celvet.lint.healthtest.output import FORMATS
from celvet.lint.healthtest.run.coverage import merged, percent
from celvet.lint.healthtest.run.results import SuiteReport
from celvet.lint.manifest.source.files import STDIN
from celvet.lint.model import Severity
from celvet.lint.report.output.text import listed
from celvet.lint.report.report import report

_cases, _coverage = grouped("Cases"), grouped("Coverage")


@click.command("test", cls=Command)
@click.argument("paths", nargs=-1, required=True, metavar="PATH...", type=options.FILE)
@_cases("-k", "chosen", default="", metavar="TEXT", help="Run the cases with TEXT in their name.")
@_cases("-x", "--fail-fast", is_flag=True, help="Stop at the first case that fails.")
@_cases("--new", is_flag=True, help="Begin tests for manifests, see -k and -o.")
@_cases("--update", is_flag=True, help="Write what came into the files as expected.")
@_coverage("--coverage", is_flag=True, help="Show which outcomes the expressions had.")
@_coverage(
    "--fail-under",
    type=click.FloatRange(0, 100),
    metavar="PERCENT",
    help="The least coverage; implies --coverage.",
)
@options.formats(FORMATS)
@options.output_files
@options.substitute
@options.config
@options.jobs
def command(
    paths: tuple[Path, ...],
    chosen: str,
    fail_fast: bool,
    new: bool,
    coverage: bool,
    fail_under: float | None,
    update: bool,
    formats: tuple[str, ...],
    files: tuple[Path, ...],
    substitute: tuple[str, ...],
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
        raise click.UsageError("what comes on standard input cannot be updated; name its file")
    if new:
        given = (update, fail_fast, coverage or fail_under is not None, bool(formats))
        _assure_alone(compress(("--update", "--fail-fast", "--coverage", "--format"), given))
        return begin(paths, chosen, wanted[0].file, settings(choice, substitute))
    cover = coverage or fail_under is not None
    run = RunTests(settings(choice, substitute), chosen, fail_fast, update, cover)
    tested = list(_until_failure(in_parallel(run, selected(paths, choice), jobs or 0), fail_fast))
    results = SuiteReport(
        tuple(case for each in tested for case in each.cases),
        tuple(merged(one for each in tested for one in each.covered)) if cover else None,
        tuple(one for each in tested for one in each.unrun),
    )
    for target in wanted:
        target.write(FORMATS, results)
    _write(tested)
    failed = any(each.left for each in tested) if update else bool(results.failed)
    failed |= fail_under is not None and percent(results.coverage or ()) < fail_under
    # A repository may have no tests yet; who asks for some, or for coverage, means that there are.
    missed = not results.cases and (chosen or fail_under is not None)
    status_ = Exit.USAGE if missed else Exit(failed)
    return max(_problems(tested), status_)


def _assure_alone(others: Iterable[str]) -> None:
    for option in others:
        raise click.UsageError(f"--new begins tests and runs none; leave {option} out")


def _until_failure(tested: Iterator[FileRun], fail_fast: bool) -> Iterator[FileRun]:
    for each in tested:
        yield each
        if fail_fast and any(not case.passed for case in each.cases):
            return


def _problems(tested: Sequence[FileRun]) -> Exit:
    """Say on standard error which tests could not be run, and why; the status for it."""
    found = report(each.examined for each in tested)
    click.echo(listed(found.findings, False), err=True, nl=False)
    worst = status(found, Severity.INFO)
    return Exit.USAGE if worst is Exit.FINDINGS else worst


def _write(tested: Sequence[FileRun]) -> None:
    for each in tested:
        if each.content is not None:
            write(each.path, each.content)
            click.echo(f"updated {each.path}", err=True)
        if each.left:
            still = "cases are" if each.left > 1 else "case is"
            click.echo(f"celvet: {each.path}: {each.left} {still} not as expected still", err=True)
