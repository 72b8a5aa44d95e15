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
from celvet.lint.cli.run.parallel import in_parallel
from celvet.lint.cli.run.session import configuration, selected, settings, status, usage_error
from celvet.lint.cli.run.targets import targets
from celvet.lint.cli.run.test_runner import FileRun, RunTests
from celvet.lint.engine import Settings
from celvet.lint.healthtest.model import UnusableTestError
from celvet.lint.healthtest.output import FORMATS
from celvet.lint.healthtest.read.fixtures import Fixtures
from celvet.lint.healthtest.run.coverage import merged, percent
from celvet.lint.healthtest.run.results import SuiteReport
from celvet.lint.healthtest.scaffold.scaffold import scaffold
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
@common.target(rare=True)
@common.configured
@common.jobs
def command(
    paths: tuple[Path, ...],
    chosen: str,
    fail_fast: bool,
    new: bool,
    allow_empty: bool,
    coverage: bool,
    fail_under: float | None,
    update: bool,
    formats: tuple[str, ...],
    files: tuple[Path, ...],
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
    if new:
        given = (update, fail_fast, coverage or fail_under is not None, bool(formats))
        _assure_alone(compress(("--update", "--fail-fast", "--coverage", "--format"), given))
        return _scaffold(paths, chosen, wanted[0].file, settings(choice, substitute, versions))
    cover = coverage or fail_under is not None
    run = RunTests(settings(choice, substitute, versions), chosen, fail_fast, update, cover)
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
    missed = not results.cases and (not allow_empty or chosen or fail_under is not None)
    if missed and not results.unrun:
        which = f"no case with `{chosen}` in its name" if chosen else "no health test"
        hint = "" if chosen else "; see --allow-empty"
        click.echo(f"celvet: {which} in {', '.join(map(str, paths))}{hint}", err=True)
    status_ = Exit.USAGE if missed else Exit(failed)
    return max(_problems(tested), status_)


def _assure_alone(others: Iterable[str]) -> None:
    for option in others:
        raise click.UsageError(f"--new writes tests and runs none; leave {option} out")


def _scaffold(paths: Sequence[Path], chosen: str, target: Path, settings: Settings) -> Exit:
    """Write tests for the checks with `chosen` in their title to a new file, or `-`.

    Raises `click.UsageError` if a manifest cannot be read or has no name for a test to refer to,
    none has such a check, or the file exists.
    """
    if STDIN in paths:
        raise click.UsageError("a test refers to the file of its target; name the file, not `-`")
    if target != STDIN and target.exists():
        raise click.UsageError(f"{target} exists already; give another --output-file")
    fixtures = Fixtures(Path(), settings.substitutions, settings.catalog)
    directory = Path() if target == STDIN else target.parent
    try:
        manifests = [fixtures.manifest(str(path), ()) for path in paths]
    except UnusableTestError as problem:
        raise usage_error(problem) from None
    text = scaffold(manifests, chosen, directory, fixtures.catalog)
    if not text:
        named = f" with `{chosen}` in its title" if chosen else ""
        where = ", ".join(map(str, paths))
        raise click.UsageError(f"nothing{named} decides about health in {where}")
    if target == STDIN:
        click.echo(text, nl=False)
    else:
        write(target, text.encode())
    return Exit.CLEAN


def _until_failure(tested: Iterator[FileRun], fail_fast: bool) -> Iterator[FileRun]:
    for each in tested:
        yield each
        if fail_fast and any(not case.passed for case in each.cases):
            return


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
