"""`celvet graph`: who applies whom in a repository, and who waits for whom."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import click

from celvet.lint.checks.timing import short
from celvet.lint.cli.exit import Exit, tell
from celvet.lint.cli.options import common
from celvet.lint.cli.options.help import Command
from celvet.lint.cli.run.session import configuration, manifests, selected_files, settings
from celvet.lint.cli.run.targets import targets
from celvet.lint.discovery.root import root_of
from celvet.lint.graph.clock import GraphClock, QueueWaiter, clock_of
from celvet.lint.graph.focus import focused
from celvet.lint.graph.graph_builder import graph
from celvet.lint.graph.output import FORMATS
from celvet.lint.repository.surroundings import Repository
from celvet.record import replace

_CLOCK_FORMATS = ("text", "json")
_DRAWN = ("svg", "html")
"""The formats that show the longest line of each cluster."""


@click.command("graph", cls=Command)
@click.argument("paths", nargs=-1, required=True, metavar="PATH...", type=common.NAMED_FILE)
@common.one_format(FORMATS.names())
@common.output_file("graph")
@common.report(
    "--focus", default="", metavar="NAME", help="Only what comes before or after [KIND/][NS/]NAME."
)
@common.report("--clock", is_flag=True, help="Show when everything is ready.")
@common.report(
    "--concurrency",
    rare=True,
    type=click.IntRange(1, 10_000),
    metavar="N",
    help="With --clock: workers of each controller.",
)
@common.crds
@common.schema_location(rare=True)
@common.target(rare=True)
@common.config_options
def command(
    paths: tuple[Path, ...],
    form: str,
    output: Path | None,
    focus: str,
    clock: bool,
    concurrency: int | None,
    crds: tuple[Path, ...],
    schema_location: tuple[str, ...],
    substitute: tuple[str, ...],
    versions: tuple[str, ...],
    config: Path | None,
) -> Exit:
    """Show who applies whom, and who waits for whom.

    For each object in files and directories: what it depends on, whose health
    it checks, by which test, and for how long. Objects that wait for each
    other and tests that never succeed are marked.

    \b
    Exit status: 0 no object waits for itself, 1 there is a cycle, 2 wrong
    usage, 3 celvet failed.
    """  # noqa: D301 - click wants the escape
    if clock and form not in _CLOCK_FORMATS:
        raise click.UsageError(f"--clock has no format {form}; take {' or '.join(_CLOCK_FORMATS)}")
    if clock and focus:
        raise click.UsageError("--clock and --focus exclude each other")
    if concurrency and not clock:
        raise click.UsageError("--concurrency is for --clock")
    choice = configuration(config).with_schemas(crds, schema_location)
    files = selected_files(paths, choice)
    (target,) = targets((form,), (output,) if output else (), files)
    engine_settings = settings(choice, substitute, versions)
    wait_graph = graph(
        manifests(files, engine_settings), engine_settings, Repository(root_of(files))
    )
    if not wait_graph.nodes:
        where = ", ".join(map(str, paths))
        tell(f"celvet: no object in {where} applies others, or waits for them")
    if clock or form in _DRAWN:
        clusters = [cluster for cluster in wait_graph.clusters if _is_worth(cluster)]
        if not clusters and clock:  # there are no lines, but perhaps waits
            clusters = [*filter(_waits, wait_graph.clusters)]
        clocks = tuple(clock_of(cluster, concurrency) for cluster in clusters)
        wait_graph = (
            replace(wait_graph, clocks=clocks)
            if clock
            else replace(wait_graph, critical=dict(_critical(clocks)))
        )
    if focus:
        wait_graph = focused(wait_graph, focus)
    target.write(FORMATS, wait_graph)
    return Exit.FINDINGS if wait_graph.cyclic else Exit.CLEAN


def _critical(clocks: Iterable[GraphClock]) -> Iterator[tuple[int, str]]:
    """The nodes of the longest lines, with their times at worst."""
    for clock in clocks:
        timeouts = {waiter.node: waiter.timeout for waiter in clock.waiters if waiter.waits}
        for node in clock.worst.line():
            most = f", waits up to {short(timeouts[node])}" if node in timeouts else ""
            time = clock.worst.ready.get(node)
            yield (
                node,
                f"{f'ready {short(time)} at worst' if time is not None else 'never ready'}{most}",
            )


def _waits(cluster: Sequence[QueueWaiter]) -> bool:
    return any(waiter.waits for waiter in cluster)


def _is_worth(cluster: Sequence[QueueWaiter]) -> bool:
    """Whether there is anything to say of the clock of a cluster."""
    return any(waiter.owner is not None or waiter.dependencies for waiter in cluster)
