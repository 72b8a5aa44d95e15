"""Programs in processes of their own, which start at once: see `tests.fork_server`."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile

_ROOT = Path(__file__).parents[1]
_HERE = TemporaryDirectory(prefix="celvet-")
_SOCKET = Path(_HERE.name, "socket")
CELVET = "from celvet.__main__ import main; main()"
"""The program `celvet`."""


@dataclass(frozen=True, slots=True)
class Ran:
    """What a program printed and how it ended."""

    status: int
    out: str
    err: str


def forked(
    code: str,
    arguments: Sequence[str] = ("-c",),
    *,
    stdin: bytes | str = b"",
    cwd: Path = _ROOT,
    env: Mapping[str, str] | None = None,
    limits: Mapping[int, int] | None = None,
) -> Ran:
    """Run a program with these arguments and limits (of `resource`), in this environment alone."""
    request = {
        "code": code,
        "arguments": arguments,
        "directory": str(cwd),
        "environment": {**(env or {})},
        "limits": list((limits or {}).items()),
    }
    start_server()
    with ExitStack() as stack:
        files = [stack.enter_context(TemporaryFile()) for _ in range(3)]
        files[0].write(stdin.encode() if isinstance(stdin, str) else stdin)
        files[0].seek(0)
        connection = stack.enter_context(socket.socket(socket.AF_UNIX))
        connection.connect(str(_SOCKET))
        data = json.dumps(request).encode() + b"\n"
        sent = socket.send_fds(connection, [data], [file.fileno() for file in files])
        connection.sendall(data[sent:])
        status = int(connection.recv(64))
        for file in files:
            file.seek(0)
        return Ran(status, files[1].read().decode(), files[2].read().decode())


def command(code: str, *arguments: str) -> list[str]:
    """The command that runs a program so, once the server has started."""
    script = Path(__file__).with_name("forked_command.py")
    return [sys.executable, "-I", "-S", str(script), str(_SOCKET), code, *arguments]


@cache
def start_server() -> subprocess.Popen[bytes]:
    """Start the server of this process, if it has not; it ends with this process."""
    server = subprocess.Popen(
        [sys.executable, str(Path(__file__).with_name("fork_server.py")), str(_SOCKET)],
        stdin=subprocess.PIPE,
        env={**os.environ, "LC_ALL": "C.UTF-8", "PYTHONPATH": str(_ROOT)},
    )
    while not _SOCKET.exists():
        assert server.poll() is None, "the fork server has not started"
        time.sleep(0.01)
    return server
