"""Runs the command: in this process, or the installed one where the process is the point."""

from __future__ import annotations

import contextlib
import os
import resource
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO, TextIOWrapper
from pathlib import Path
from unittest import mock

import pytest

from celvet.lint.cli import main
from celvet.lint.crds import sources

PROGRAM = Path(sys.executable).with_name("celvet")

_KEPT = ("PATH", "HOME", "PYTHONPATH")


@dataclass(frozen=True, slots=True)
class Ran:
    """What a command printed and how it ended."""

    status: int
    out: str
    err: str


def celvet(
    *arguments: str | Path,
    cwd: Path,
    stdin: bytes | str = b"",
    env: Mapping[str, str] | None = None,
) -> Ran:
    """Run `celvet` in a directory, without starting a process.

    Nothing of the environment but PATH, HOME and PYTHONPATH gets through. CRDs are read anew,
    since tests name different ones by the same relative path.
    """
    sources._reader.cache_clear()
    given = _stream(stdin.encode() if isinstance(stdin, str) else stdin)
    out, err = _stream(), _stream()
    with (
        contextlib.chdir(cwd),
        mock.patch.dict(os.environ, _environment(env), clear=True),
        mock.patch.multiple(sys, argv=[str(PROGRAM), *map(str, arguments)]),
        mock.patch.multiple(sys, stdin=given, stdout=out, stderr=err),
        pytest.raises(SystemExit) as end,
    ):
        main()
    return _ran(int(end.value.code or 0), _written(out), _written(err))


def celvet_process(*arguments: str | Path, cwd: Path, memory: int = resource.RLIM_INFINITY) -> Ran:
    """Run the installed `celvet`, with no more than `memory` bytes of its own."""
    ran = subprocess.run(
        [str(PROGRAM), *map(str, arguments)],
        cwd=cwd,
        env=_environment(None),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (memory, memory)),
    )
    return _ran(ran.returncode, ran.stdout, ran.stderr)


def _environment(more: Mapping[str, str] | None) -> dict[str, str]:
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    return {**kept, "LC_ALL": "C.UTF-8", **(more or {})}


def _stream(content: bytes = b"") -> TextIOWrapper:
    return TextIOWrapper(BytesIO(content), "utf-8", "surrogateescape", newline="\n")


def _written(stream: TextIOWrapper) -> bytes:
    stream.flush()
    buffer = stream.buffer
    assert isinstance(buffer, BytesIO)
    return buffer.getvalue()


def _ran(status: int, out: bytes, err: bytes) -> Ran:
    assert b"Traceback" not in out + err, err.decode()
    return Ran(status, out.decode(), err.decode())
