"""`celvet lsp`: its options; the server is loaded to run it, since the extra may be missing."""

from __future__ import annotations

import logging
import os
import sys

import click

from celvet.lint.lazy import needs_extra


@click.command("lsp")
@click.option("--tcp", metavar="HOST:PORT", help="Wait for one client here, not on standard input.")
@click.option("--stdio", is_flag=True, help="Use standard input and output (the default).")
def lsp(tcp: str | None, stdio: bool) -> int:
    """Run the language server for an editor.

    Gives diagnostics, hover, completion, hints, actions and lenses for the
    expressions in manifests. docs/editors.md shows how to configure editors.

    Exit status: 0 after `shutdown` and `exit`, 1 after `exit` alone, 2 wrong
    usage or an address that cannot be listened on, 3 an extra is missing.
    """
    if tcp and stdio:
        raise click.UsageError("--tcp and --stdio exclude each other")
    address = _address(tcp) if tcp else None
    with needs_extra("lsp"):
        from celvet.lint.lsp.server import Server
    # pygls logs a traceback for every malformed message.
    logging.getLogger("pygls").setLevel(logging.CRITICAL)
    if address is None:
        # pygls closes what it has written to, and standard output is flushed at the very end.
        server = Server()
        server.start_io(stdout=os.fdopen(os.dup(sys.stdout.fileno()), "wb"))
        return server.status
    try:
        Server().start_tcp(*address)
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise click.UsageError(f"--tcp: cannot listen on {tcp}: {reason}") from None
    return 0


def _address(text: str) -> tuple[str, int]:
    host, colon, port = text.rpartition(":")
    if not colon or not port.isdecimal() or int(port) > 65535:
        raise click.UsageError(f"--tcp: `{text}` is not HOST:PORT")
    return host.strip("[]") or "127.0.0.1", int(port)
