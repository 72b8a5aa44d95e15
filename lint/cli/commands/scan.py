"""`celvet scan`: lint the objects in a cluster."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from celvet.lint.cli.exit import Exit
from celvet.lint.cli.options import common
from celvet.lint.cli.options.live import LiveSource
from celvet.lint.cli.run.session import configuration, settings, status
from celvet.lint.cli.run.targets import targets
from celvet.lint.report.output import FORMATS
from celvet.lint.why.scan import scan


@click.command("scan", short_help="Check the expressions of the objects in a cluster.")
@common.live_source
@common.formats(FORMATS)
@common.output_files
@common.target()
@common.config_options
def command(
    files: Sequence[Path],
    live: tuple[Path, ...],
    kubeconfig: Path | None,
    context: str | None,
    formats: tuple[str, ...],
    substitute: tuple[str, ...],
    versions: tuple[str, ...],
    config: Path | None,
) -> Exit:
    """Check the expressions of the objects in a cluster, as `celvet lint` does in files.

    Each object is named with who applied it.

    \b
    Exit status: 0 no finding, 1 findings, 2 wrong usage, 3 celvet failed.
    """  # noqa: D301 - click wants the escape
    choice = configuration(config)
    engine_settings = settings(choice, substitute, versions)
    report_targets = targets(formats, files, live)
    snapshot = LiveSource(live, kubeconfig, context).kinds(engine_settings.catalog)
    report = scan(snapshot, engine_settings, choice.min_severity)
    for target in report_targets:
        target.write(FORMATS, report)
    return status(report, choice.fail_on)
