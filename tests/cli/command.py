"""Runs the command as a user does, in its own directory, environment and process."""

from __future__ import annotations

import os
import resource
import sys
from pathlib import Path

from tests.forked import CELVET, Ran, forked

PROGRAM = Path(sys.executable).with_name("celvet")


def celvet(
    *arguments: str | Path,
    cwd: Path,
    stdin: bytes | str = b"",
    env: dict[str, str] | None = None,
    memory: int = resource.RLIM_INFINITY,
    cpu: int = resource.RLIM_INFINITY,
) -> Ran:
    """Run `celvet` in a directory, with at most `memory` bytes and `cpu` seconds.

    Only PATH and HOME of the environment are passed on. There is no cache, unless `env` sets
    CELVET_NO_CACHE to nothing.
    """
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    ran = forked(
        CELVET,
        [str(PROGRAM), *map(str, arguments)],
        stdin=stdin,
        cwd=cwd,
        env={**kept, "LC_ALL": "C.UTF-8", "CELVET_NO_CACHE": "1", **(env or {})},
        limits={resource.RLIMIT_DATA: memory, resource.RLIMIT_CPU: cpu},
    )
    assert "Traceback" not in ran.out + ran.err, ran.err
    return ran
