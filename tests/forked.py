"""Programs in processes of their own, which start at once: see `tests.fork_server`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

_ROOT = Path(__file__).parents[1]
_SERVER = Path(__file__).with_name("fork_server.py")


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
    with TemporaryDirectory() as directory:
        files = [Path(directory, name) for name in ("in", "out", "err")]
        given = stdin.encode() if isinstance(stdin, str) else stdin
        for file, data in zip(files, (given, b"", b""), strict=True):
            file.write_bytes(data)
        request = {
            "code": code,
            "arguments": arguments,
            "directory": str(cwd),
            "environment": {**(env or {})},
            "limits": list((limits or {}).items()),
            "files": [str(file) for file in files],
        }
        server = _server()
        assert server.stdin
        assert server.stdout
        server.stdin.write(json.dumps(request) + "\n")
        server.stdin.flush()
        status = int(server.stdout.readline())
        out, err = (file.read_bytes().decode() for file in files[1:])
    return Ran(status, out, err)


@cache
def _server() -> subprocess.Popen[str]:
    """The server of this process; it ends when its standard input does."""
    return subprocess.Popen(
        [sys.executable, str(_SERVER)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "LC_ALL": "C.UTF-8", "PYTHONPATH": str(_ROOT)},
        text=True,
    )
