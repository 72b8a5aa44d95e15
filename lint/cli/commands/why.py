"""`celvet why`: what holds up the objects that wait in a cluster."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import click

from celvet.lint.cli.exit import Exit
from celvet.lint.cli.options import common
from celvet.lint.cli.run.session import configuration, settings
from celvet.lint.cli.run.targets import targets
from celvet.lint.verdicts.unstructured import timestamp
from celvet.lint.why.inputs.files import UnreadableObjectsError, objects_in
from celvet.lint.why.investigation import investigate
from celvet.lint.why.output import FORMATS
from celvet.lint.why.report import WhyReport
from celvet.lint.why.selection import UnknownWaiterError, select
from celvet.lint.why.snapshot import Snapshot


@click.command("why")
@click.argument("names", nargs=-1, metavar="[KIND/NAME ...]")
@click.option("-n", "--namespace", default="", metavar="NS", help="Only what is in a namespace.")
@click.option("-A", "--all-namespaces", is_flag=True, help="All namespaces, the default.")
@click.option(
    "--from",
    "files",
    multiple=True,
    required=True,
    type=common.FILE,
    metavar="FILE",
    help="Read objects from a file or directory, as kubectl prints them; repeatable.",
)
@click.option("--at", "time", metavar="TIME", help="When FILE was written (RFC 3339).")
@common.one_format(FORMATS.names())
@common.output_file("report")
@common.target()
@common.config_options
def command(
    names: tuple[str, ...],
    namespace: str,
    all_namespaces: bool,
    files: tuple[Path, ...],
    time: str | None,
    form: str,
    output: Path | None,
    substitute: tuple[str, ...],
    versions: tuple[str, ...],
    config: Path | None,
) -> Exit:
    """Show which object holds up a Kustomization, HelmRelease or ResourceSet.

    For each that waits: the object behind it, the part of the expression that
    decides with the values that it read, whether the object recovers by
    itself, and when the controller acts next.

    \b
    Exit status: 0 all are ready, 1 one has failed or needs a change, 2 wrong
    usage, 3 celvet failed, 4 some are only waiting.
    """  # noqa: D301 - click wants the escape
    if namespace and all_namespaces:
        raise click.UsageError("--namespace and --all-namespaces exclude each other")
    (target,) = targets((form,), (output,) if output else (), files)
    engine_settings = settings(configuration(config), substitute, versions)
    try:
        snapshot = Snapshot([*objects_in(files)])
        whole_report = investigate(snapshot, engine_settings.catalog, _time(time))
        report = select(whole_report, names, namespace)
    except (UnreadableObjectsError, UnknownWaiterError) as error:
        raise click.UsageError(str(error)) from None
    target.write(FORMATS, report)
    return _status(report)


def _time(text: str | None) -> datetime:
    if text is None:
        return datetime.now(UTC)
    time = timestamp(text.strip())
    if time is None:
        raise click.UsageError(f"--at {text}: write a time such as 2026-11-24T00:30:00Z")
    return time


def _status(report: WhyReport) -> Exit:
    if report.failed:
        return Exit.FINDINGS
    return Exit.WAITING if report.waits else Exit.CLEAN
