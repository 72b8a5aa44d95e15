"""`celvet wait`: wait until objects are ready, and say meanwhile why they are not."""

from __future__ import annotations

import time as clock
from datetime import timedelta
from pathlib import Path

import click

from celvet.lint.cli.exit import Exit
from celvet.lint.cli.options import common
from celvet.lint.cli.options.live import LiveSource, moment
from celvet.lint.cli.run.session import configuration, settings
from celvet.lint.go.durations import duration
from celvet.lint.safe_text import terminal_text
from celvet.lint.why.inputs.scope import ReadScope
from celvet.lint.why.object_wait import (
    WaitState,
    WaitTarget,
    object_state,
    wait_target,
    waiter_state,
)
from celvet.schemas import Catalog

_PERIOD = 5.0
"""Seconds between two looks, as the controllers have it."""


@click.command("wait", short_help="Wait until objects are ready, and say why not.")
@click.argument("names", nargs=-1, required=True, metavar="KIND/NAME...")
@click.option("-n", "--namespace", default="", metavar="NS", help="The namespace of the objects.")
@click.option("--timeout", default="5m", show_default=True, metavar="TIME", help="Give up after.")
@common.live_source
@click.option("--at", "time", metavar="TIME", help="When the files were written (RFC 3339).")
@common.target()
@common.config_options
def command(
    names: tuple[str, ...],
    namespace: str,
    timeout: str,
    live: tuple[Path, ...],
    kubeconfig: Path | None,
    context: str | None,
    time: str | None,
    substitute: tuple[str, ...],
    versions: tuple[str, ...],
    config: Path | None,
) -> Exit:
    """Wait until objects are ready, by the catalogue's verdict on their kind.

    Prints why they are not while it waits, and fails at once for a state that
    the kind does not leave by itself. Files are looked at once.

    \b
    Exit status: 0 all are ready, 1 one has failed for good, 2 wrong usage,
    3 celvet failed, 4 the time is over.
    """  # noqa: D301 - click wants the escape
    most = duration(timeout)
    if most is None or most < timedelta():
        raise click.UsageError(f"--timeout {timeout}: write a duration such as 5m or 90s")
    catalog = settings(configuration(config), substitute, versions).catalog
    source = LiveSource(live, kubeconfig, context)
    end = clock.monotonic() + most.total_seconds()
    keys: dict[str, object] = {}
    place = namespace or source.namespace
    wait_targets = [wait_target(name, place, catalog) for name in names]
    while True:
        states = [_state(item, source, catalog, namespace, time) for item in wait_targets]
        for name, state in zip(names, states, strict=True):
            key = (state.status, state.key)
            if keys.get(name) != key:
                click.echo("\n".join(map(terminal_text, state.text.splitlines())))
            keys[name] = key
        statuses = {state.status for state in states}
        if "failed" in statuses:
            return Exit.FINDINGS
        if statuses == {"ready"}:
            return Exit.CLEAN
        if live or clock.monotonic() + _PERIOD > end:
            return Exit.WAITING
        clock.sleep(_PERIOD)


def _state(
    item: WaitTarget, source: LiveSource, catalog: Catalog, namespace: str, time: str | None
) -> WaitState:
    now = moment(time, source.files)
    if item.reference is None:
        snapshot = source.snapshot(catalog, now, ReadScope(namespace))
        return waiter_state(item.name, namespace, snapshot, catalog, now)
    return object_state(item.reference, source.object(item.reference, catalog), catalog, now)
