"""`celvet playground`: its options; the web server is loaded to run it."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeAlias

import click

from celvet.lint.cli.options import common
from celvet.lint.cli.run.session import configuration, settings
from celvet.lint.engine import Settings
from celvet.lint.lazy import needs_extra

Server: TypeAlias = Callable[[Settings, int, Callable[[str], None], asyncio.Event], Awaitable[None]]


@click.command("playground", short_help="Try expressions on a page in your browser.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8787,
    show_default=True,
    metavar="N",
    help="Serve http://127.0.0.1:N/.",
)
@common.crds
@common.config_options
def command(
    port: int, crds: tuple[Path, ...], substitute: tuple[str, ...], config: Path | None
) -> int:
    """Try expressions on a page in your browser.

    The page shows the verdict on an object and how it comes about, the life of
    the kind state by state, findings and their fixes. It is served on this
    machine only, and loads nothing from elsewhere. Stop it with Ctrl+C.

    \b
    Exit status: 0 stopped, 2 wrong usage or a port that is taken, 3 an extra
    is missing.
    """  # noqa: D301 - click wants the escape
    choice = configuration(config).with_schemas(crds, ())
    engine_settings = settings(choice, substitute)
    with needs_extra("playground"):
        from celvet.lint.playground.server import serve

    try:
        asyncio.run(_serve(serve, engine_settings, port))
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise click.UsageError(f"--port {port}: {reason}") from None
    return 0


async def _serve(serve: Server, engine_settings: Settings, port: int) -> None:
    """Serve until somebody asks to stop."""
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    await serve(engine_settings, port, lambda url: click.echo(f"celvet playground: {url}"), stop)
