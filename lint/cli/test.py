"""`celvet test`: health tests, run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from lint.cli import Exit
from lint.cli.begin import begin
from lint.cli.files import write
from lint.cli.health import FileRun, RunTests
from lint.cli.parallel import in_parallel
from lint.cli.session import configuration, selected, settings, status
from lint.cli.targets import targets
from lint.model import Severity
from lint.output.text import listed
from lint.report import report
from lint.suite.coverage import merged, percent
from lint.suite.output import FORMATS
from lint.suite.results import SuiteReport

_PATH = click.Path(path_type=Path, readable=False)


@click.command("test")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...", type=_PATH)
@click.option(
    "-k", "chosen", default="", metavar="TEXT", help="Run the cases with TEXT in their name."
)
@click.option("-x", "--fail-fast", is_flag=True, help="Stop at the first case that fails.")
@click.option(
    "--new", is_flag=True, help="Begin tests for the entries of manifests, see -k and -o."
)
@click.option("--coverage", is_flag=True, help="Show which outcomes the expressions had.")
@click.option(
    "--fail-under",
    type=click.FloatRange(0, 100),
    metavar="PERCENT",
    help="The least coverage; implies --coverage.",
)
@click.option("--update", is_flag=True, help="Write what came into the files, as what is expected.")
@click.option(
    "-f",
    "--format",
    "formats",
    multiple=True,
    type=click.Choice(FORMATS.names()),
    help="How to write the results; repeatable.  [default: text]",
)
@click.option(
    "-o",
    "--output-file",
    "files",
    multiple=True,
    type=click.Path(path_type=Path, dir_okay=False, allow_dash=True),
    metavar="FILE",
    help="Where the --format of the same place goes.  [default: standard output]",
)
@click.option(
    "--substitute",
    multiple=True,
    metavar="NAME=VALUE",
    help="A value for ${NAME}, as Flux's post-build substitution has it; repeatable.",
)
@click.option("--config", type=_PATH, metavar="FILE", help="The configuration to use.")
@click.option(
    "-j", "--jobs", type=click.IntRange(1, 256), metavar="N", help="Processes to work with."
)
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
    """Run health tests.

    PATH is a file or a directory, in which every document of kind HealthTest is a test.

    \b
    Exit status: 0 all pass, 1 some fail,
    2 wrong usage or a test that cannot be run, 3 celvet failed.
    """  # noqa: D301 - click wants the escape
    wanted = targets(formats, files, paths)
    choice = configuration(config)
    if new:
        return begin(paths, chosen, wanted[0].file, settings(choice, substitute))
    cover = coverage or fail_under is not None
    run = RunTests(settings(choice, substitute), chosen, fail_fast, update, cover)
    tested = list(_until_failure(in_parallel(run, selected(paths, choice), jobs or 0), fail_fast))
    results = SuiteReport(
        tuple(case for each in tested for case in each.cases),
        tuple(merged(one for each in tested for one in each.covered)) if cover else None,
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
