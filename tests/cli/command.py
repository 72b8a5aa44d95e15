"""Runs the installed command as a user does, in a process of its own."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Ran:
    """What a command printed and how it ended."""

    status: int
    out: str
    err: str


PROGRAM = Path(sys.executable).with_name("celvet")


def celvet(
    *arguments: str | Path,
    cwd: Path,
    stdin: bytes | str = b"",
    env: dict[str, str] | None = None,
    memory: int = resource.RLIM_INFINITY,
) -> Ran:
    """Run `celvet` in a directory, with no more than `memory` bytes of its own.

    Nothing of the environment but PATH and HOME gets through.
    """
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    ran = subprocess.run(
        [str(PROGRAM), *map(str, arguments)],
        cwd=cwd,
        env={**kept, "LC_ALL": "C.UTF-8", **(env or {})},
        input=stdin.encode() if isinstance(stdin, str) else stdin,
        capture_output=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (memory, memory)),
    )
    assert b"Traceback" not in ran.stdout + ran.stderr, ran.stderr.decode()
    return Ran(ran.returncode, ran.stdout.decode(), ran.stderr.decode())
