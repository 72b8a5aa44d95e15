"""`celvet lsp`: the options; the server is loaded when it runs, since the extra may be missing."""

from __future__ import annotations

import logging
import os
import sys

import click


@click.command("lsp")
@click.option(
    "--tcp",
    metavar="HOST:PORT",
    help="Wait for one client here, instead of standard input and output.",
)
@click.option("--stdio", is_flag=True, help="The default; some editors add it by themselves.")
def lsp(tcp: str | None, stdio: bool) -> None:
    """Serve an editor: the language server.

    Diagnostics, hover, completion, code actions and code lenses for the
    expressions in manifests. docs/editors.md has the configuration of editors.

    Exit status: 0 the editor has ended it, 1 without saying so before, 2 wrong
    usage, which an address that cannot be listened on is too, 3 it cannot serve.
    """
    if tcp and stdio:
        raise click.UsageError("--tcp and --stdio exclude each other")
    address = _address(tcp) if tcp else None
    try:
        from celvet.lint.lsp.server import Server
    except ModuleNotFoundError as error:
        message = f"`{error.name}` is not installed: pip install 'celvet[lsp]'"
        raise _Failure(message) from None
    # Tracebacks are for us, and pygls has one for every message that is none.
    logging.getLogger("pygls").setLevel(logging.CRITICAL)
    if address is None:
        # pygls closes what it has written to, and standard output is flushed at the very end.
        server = Server()
        server.start_io(stdout=os.fdopen(os.dup(sys.stdout.fileno()), "wb"))
        sys.exit(server.status)
    try:
        Server().start_tcp(*address)
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise click.UsageError(f"--tcp: cannot listen on {tcp}: {reason}") from None


class _Failure(click.ClickException):
    exit_code = 3


def _address(text: str) -> tuple[str, int]:
    host, colon, port = text.rpartition(":")
    if not colon or not port.isdecimal() or int(port) > 65535:
        raise click.UsageError(f"--tcp: `{text}` is no HOST:PORT")
    return host.strip("[]") or "127.0.0.1", int(port)
