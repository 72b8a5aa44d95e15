"""Runs a renderer within bounds: without a shell, in an environment without network."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from pathlib import Path
from threading import Timer
from typing import IO, NamedTuple

from celvet.lint.safe_text import terminal_text

_PROGRAMS = ("kustomize", "flux")

_MOST_BYTES = 20 * 2**20
_LONGEST_MESSAGE = 300
"""Characters of a program's own message."""

_NOWHERE = "127.0.0.1:9"
"""No such proxy exists: kustomize fetches files by HTTP itself, and repositories with git. Go
uses no proxy for addresses of this machine, so a namespace without a network is better."""

_NO_NETWORK = ("unshare", "--user", "--map-root-user", "--net")
"""Runs a command in such a namespace (util-linux); a container may forbid it."""


class RenderError(Exception):
    """The renderer could not build it; the message says why."""


class RenderProgram(NamedTuple):
    """A program that is installed and builds directories: kustomize or flux."""

    name: str
    path: str

    def build(self, directory: Path, name: str, namespace: str, seconds: float) -> bytes:
        """The build of a directory with a kustomization and, for flux, an object that names it.

        Raises `RenderError`.
        """
        arguments = ["build", "."]
        if self.name == "flux":
            arguments = ["build", "kustomization", name, "--namespace", namespace, "--dry-run"]
            arguments += ["--path", ".", "--kustomization-file", "../applied.json"]
        return _output([self.path, *arguments], directory, seconds)


def find_program(choice: str) -> RenderProgram | None:
    """The chosen renderer; None if it is not installed."""
    for name in _PROGRAMS if choice == "auto" else (choice,):
        if path := shutil.which(name):
            return RenderProgram(name, os.path.abspath(path))  # noqa: PTH100
    return None


def _output(command: Sequence[str], directory: Path, seconds: float) -> bytes:
    try:
        process = subprocess.Popen(  # noqa: S603
            [*_isolation(), *command],
            cwd=directory,
            env=_environment(directory.parent),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except OSError as error:
        raise RenderError(f"{command[0]} cannot be run: {error.strerror or error}") from None
    # Both pipes are read at once: a full one would stop the program.
    timer = Timer(seconds, _kill, (process,))
    with process, ThreadPoolExecutor(2) as readers:
        timer.start()
        pipes = (process.stdout, process.stderr)
        try:
            texts = [readers.submit(_read_bounded, pipe, process) for pipe in pipes]
            output, errors = (text.result() for text in texts)
            status = process.wait()
        except BaseException:  # in a session of its own, it gets no signal of the terminal
            timer.cancel()
            _kill(process)
            raise
    # The reasons, from what celvet did to the program to what it says itself.
    is_late = not timer.is_alive()
    timer.cancel()
    if len(output) > _MOST_BYTES or len(errors) > _MOST_BYTES:
        raise RenderError(f"it writes more than {_MOST_BYTES // 2**20} MB")
    if status and is_late:
        raise RenderError(f"it takes longer than {seconds:.0f} s")
    if status and b"dial tcp" in errors:
        raise RenderError("a file of it would have to be fetched")
    if status:
        raise RenderError(_last_line(errors) or f"it ends with status {status}")
    return output


@cache
def _isolation() -> Sequence[str]:
    """The command that takes the network away; empty where there is none."""
    program = shutil.which(_NO_NETWORK[0])
    if program is None:
        return ()
    command = (program, *_NO_NETWORK[1:])
    probe = subprocess.run([*command, "true"], capture_output=True, timeout=10, check=False)  # noqa: S603
    return command if probe.returncode == 0 else ()


def _environment(home: Path) -> Mapping[str, str]:
    """An environment without plugins, git, cluster and proxy, which these variables would name."""
    directories = dict.fromkeys(
        ("HOME", "PATH", "TMPDIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"), str(home)
    )
    proxies = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY"), f"http://{_NOWHERE}")
    return {**directories, **proxies, "LC_ALL": "C.UTF-8"}


def _read_bounded(pipe: IO[bytes] | None, process: subprocess.Popen[bytes]) -> bytes:
    text = pipe.read(_MOST_BYTES + 1) if pipe else b""
    if len(text) > _MOST_BYTES:
        _kill(process)
    return text


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End a program and everything that it has started, which could keep its output open."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def _last_line(errors: bytes) -> str:
    """The last line of a program's output, its error; of a long line the end, with the cause."""
    lines = errors.decode(errors="replace").split("\n")
    text = next((line for line in reversed(lines) if line.strip()), "").removeprefix("Error: ")
    text = terminal_text(" ".join(text.split()))
    return text if len(text) <= _LONGEST_MESSAGE else f"...{text[-_LONGEST_MESSAGE:]}"
