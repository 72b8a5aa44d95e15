"""Programs in processes of their own, which start at once: see `tests.fork_server`."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryFile

_ROOT = Path(__file__).parents[1]
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
    _, address = _server()
    with ExitStack() as stack:
        files = [stack.enter_context(TemporaryFile()) for _ in range(3)]
        files[0].write(stdin.encode() if isinstance(stdin, str) else stdin)
        files[0].seek(0)
        connection = stack.enter_context(socket.socket(socket.AF_UNIX))
        connection.connect(address)
        data = json.dumps(request).encode() + b"\n"
        sent = socket.send_fds(connection, [data], [file.fileno() for file in files])
        connection.sendall(data[sent:])
        answer = connection.recv(64)
        assert answer, "the fork server has ended"
        for file in files:
            file.seek(0)
        return Ran(int(answer), files[1].read().decode(), files[2].read().decode())


@cache
def _server() -> tuple[subprocess.Popen[bytes], str | bytes]:
    """The server of this process, which ends with it, and its address."""
    script = str(Path(__file__).with_name("fork_server.py"))
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("")  # the kernel chooses an address, which is no file
        listener.listen()
        process = subprocess.Popen(
            [sys.executable, script, str(listener.fileno())],
            stdin=subprocess.PIPE,
            pass_fds=[listener.fileno()],
            env={**os.environ, "LC_ALL": "C.UTF-8", "PYTHONPATH": str(_ROOT)},
        )
        return process, listener.getsockname()
