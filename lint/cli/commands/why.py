"""`celvet why`: what holds up the objects that wait in a cluster."""

from __future__ import annotations

import time as clock
from collections.abc import Mapping
from pathlib import Path

import click

from celvet.lint.cli.exit import Exit
from celvet.lint.cli.options import common
from celvet.lint.cli.options.help import Command
from celvet.lint.cli.options.live import LiveSource, moment, shard_of
from celvet.lint.cli.run.session import configuration, manifests, selected_files, settings
from celvet.lint.cli.run.targets import targets
from celvet.lint.why.inputs.scope import ReadScope
from celvet.lint.why.investigation import investigate
from celvet.lint.why.names import select, with_places
from celvet.lint.why.output import FORMATS
from celvet.lint.why.recording import Recording
from celvet.lint.why.report import WhyReport
from celvet.lint.why.reports.documents import REPORT_KINDS

_PERIOD = 5.0
"""Seconds between two looks at a cluster; controllers look at objects as often."""


@click.command("why", cls=Command, short_help="Show what holds up a Kustomization or HelmRelease.")
@click.argument("names", nargs=-1, metavar="[KIND/NAME ...]")
@common.context("-n", "--namespace", default="", metavar="NS", help="Only what is in a namespace.")
@common.context("-A", "--all-namespaces", is_flag=True, hidden=True)
@common.live_source
@common.context("--at", "time", metavar="TIME", help="When the files were written (RFC 3339).")
@common.work("--watch", is_flag=True, help="Report again every 5 seconds until all are ready.")
@common.context(
    "--repo", type=common.NAMED_FILE, metavar="DIR", help="Name the lines of this repository."
)
@common.report(
    "--record",
    type=common.NAMED_FILE,
    metavar="DIR",
    help="Make health tests of the objects as they change.",
)
@common.report(
    "--write-reports",
    "group",
    rare=True,
    type=click.Choice([*REPORT_KINDS]),
    metavar="GROUP",
    help="Write reports of openreports.io or wgpolicyk8s.io into the cluster.",
)
@common.context(
    "--shard",
    callback=shard_of,
    rare=True,
    metavar="I/N",
    help="Only every N-th namespace, from number I on.",
)
@common.one_format(FORMATS.names())
@common.output_file("report")
@common.target()
@common.config_options
def command(
    names: tuple[str, ...],
    namespace: str,
    all_namespaces: bool,
    live: tuple[Path, ...],
    kubeconfig: Path | None,
    context: str | None,
    time: str | None,
    watch: bool,
    repo: Path | None,
    record: Path | None,
    group: str | None,
    shard: tuple[int, int] | None,
    form: str,
    output: Path | None,
    substitute: tuple[str, ...],
    versions: tuple[str, ...],
    config: Path | None,
) -> Exit:
    """Show which object holds up a reconciliation.

    \b
    Exit status: 0 all are ready, or the reports are written, 1 one has failed
    or needs a change, 2 wrong usage, 3 celvet failed, 4 some are only waiting.
    """  # noqa: D301 - click wants the escape
    if namespace and all_namespaces:
        raise click.UsageError("--namespace and --all-namespaces exclude each other")
    _refuse_contradiction("--watch" if watch else "", {"--from": live})
    _refuse_contradiction(
        "--write-reports" if group else "", {"--from": live, "--watch": watch, "KIND/NAME": names}
    )
    (target,) = targets((form,), (output,) if output else (), live)
    choice = configuration(config)
    engine_settings = settings(choice, substitute, versions)
    catalog = engine_settings.catalog
    source = LiveSource(live, kubeconfig, context)
    recording = Recording(catalog)
    scope = ReadScope(namespace, record is not None, *(shard or ()))
    while True:
        now = moment(time, live)
        snapshot = source.snapshot(catalog, now, scope)
        report = select(investigate(snapshot, catalog, now), names, scope.covers)
        if record:
            recording.add([*snapshot.superseded, *snapshot.objects])
            recording.write(record, (waiter.object for waiter in report.waiters))
        if group:
            source.write(report, group, scope)
            return Exit.CLEAN
        if repo:
            report = with_places(
                report, manifests(selected_files((repo,), choice), engine_settings)
            )
        if watch:
            click.clear()
        target.write(FORMATS, report)
        status = _status(report)
        if not watch or status == Exit.CLEAN:
            return status
        clock.sleep(_PERIOD)


def _refuse_contradiction(option: str, others: Mapping[str, object]) -> None:
    """Raise `click.UsageError` if an option and one of the others are given."""
    for other, value in others.items():
        if option and value:
            raise click.UsageError(f"{option} and {other} exclude each other")


def _status(report: WhyReport) -> Exit:
    if report.failed:
        return Exit.FINDINGS
    return Exit.WAITING if report.waits else Exit.CLEAN
