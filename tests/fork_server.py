"""Runs programs in forks of a process that has loaded celvet: most of a short run is start-up.

    python fork_server.py LISTENER

LISTENER is the number of an inherited socket. Each connection to it brings a request, a line of
JSON, with the three standard files, and gets the exit status. Who closes the connection ends the
program. The server ends when its standard input does.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import resource
import select
import signal
import socket
import sys
import traceback
from typing import Any

from celvet.lint.engine import lint_text

_MODULES = (
    *(f"celvet.lint.cli.commands.{name}" for name in ("eval", "explain", "lint", "rules", "test")),
    "celvet.lint.lsp.server",
)
_WARM_UP = (
    "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nspec:\n"
    "  wait: true\n  healthCheckExprs: [{apiVersion: a/v1, kind: A, current: status.a}]\n"
)


def serve(listener: socket.socket) -> None:
    """Answer requests until no client is left."""
    with listener:
        for name in _MODULES:
            importlib.import_module(name)
        lint_text(_WARM_UP)
        gc.freeze()  # collecting in a fork would copy every page
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        while sys.stdin not in select.select([listener, sys.stdin], [], [])[0]:
            connection, _ = listener.accept()
            if not os.fork():
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                listener.close()
                _handle(connection)
                os._exit(0)
            connection.close()


def _handle(connection: socket.socket) -> None:
    data, files, _, _ = socket.recv_fds(connection, 2**16, 3)
    while not data.endswith(b"\n"):
        data += connection.recv(2**16)
    process = os.fork()
    if not process:
        connection.close()
        os._exit(_run(json.loads(data), files))
    for file in (0, 1, 2, *files):
        os.close(file)
    if connection in select.select([connection, os.pidfd_open(process)], [], [])[0]:
        os.kill(process, signal.SIGKILL)
    _, status = os.waitpid(process, 0)
    connection.sendall(b"%d" % os.waitstatus_to_exitcode(status))


def _run(request: dict[str, Any], files: list[int]) -> int:
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    os.environ.clear()
    os.environ.update(request["environment"])
    os.chdir(request["directory"])
    for limit, most in request["limits"]:
        resource.setrlimit(limit, (most, most))
    sys.argv = request["arguments"]
    try:
        exec(request["code"], {"__name__": "__main__"})
    except SystemExit as end:
        return int(end.code or 0)
    except BaseException:
        traceback.print_exc()
        return 1
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
    return 0


if __name__ == "__main__":
    serve(socket.socket(fileno=int(sys.argv[1])))
