"""A process that lints objects: `python -m celvet.webhook.judging.child NICENESS [SCHEMAS...]`.

It warms up and forks a child, which reads requests from standard input and writes
results to standard output until its input ends; CRD updates come in between. An object
that takes more processor time than its request allows ends the child by SIGPROF,
whatever code is running; so does one that takes more memory than the limit. The parent
then reports that and forks again: that takes a millisecond, a new process 400. The
kernel counts processor time, so that a busy machine or a throttled container makes no
ordinary object look hostile.
"""

from __future__ import annotations

import ctypes
import gc
import json
import os
import resource
import signal
import sys
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from celvet.lint.crds import CrdSchema, of_definition
from celvet.lint.engine import Settings, lint_object
from celvet.lint.model import GroupKind
from celvet.webhook.crds.store import unpack
from celvet.webhook.judging import protocol
from celvet.webhook.judging.summary import records
from celvet.webhook.lint_result import LintResult

MAX_MEMORY = 2 << 30
"""Bytes of address space that a lint process may use."""

_UNPACKED = 32
"""CRDs that are kept unpacked; the expressions of a cluster are about few kinds."""

_SET_DEATH_SIGNAL = 1
"""`PR_SET_PDEATHSIG` of Linux' `prctl`."""

_WARM_UP = {
    "apiVersion": "kustomize.toolkit.fluxcd.io/v1",
    "kind": "Kustomization",
    "metadata": {"name": "warm-up"},
    "spec": {
        "interval": "1h",
        "prune": True,
        "sourceRef": {"kind": "GitRepository", "name": "warm-up"},
        "dependsOn": [{"name": "other", "readyExpr": "dep.status.x == self.status.x"}],
        "healthCheckExprs": [{"apiVersion": "v1", "kind": "X", "current": "status.a.exists(e, e)"}],
    },
}


class CrdCache:
    """The CRDs of the cluster, unpacked when an expression is about one.

    A `celvet.lint.crds.Schemas`.
    """

    def __init__(self) -> None:
        self._packed: dict[GroupKind, bytes] = {}
        self._unpacked: dict[GroupKind, CrdSchema | None] = {}

    def update(self, kind: GroupKind, packed: bytes) -> None:
        """Replace the packed CRD of a kind; empty bytes remove it."""
        self._unpacked.pop(kind, None)
        self._packed.pop(kind, None)
        if packed:
            self._packed[kind] = packed

    def find(self, api_version: str, kind: str) -> CrdSchema | None:
        """The schema of a kind."""
        wanted = GroupKind.of(api_version, kind)
        if wanted not in self._packed:
            return None
        if wanted not in self._unpacked:
            if len(self._unpacked) >= _UNPACKED:
                del self._unpacked[next(iter(self._unpacked))]
            self._unpacked[wanted] = of_definition(unpack(self._packed[wanted]))
        return self._unpacked[wanted]

    @property
    def problems(self) -> tuple[str, ...]:
        """Always empty: no file is read."""
        return ()


def main(niceness: str, targets: str, *schemas: str) -> None:
    """Lint until the input ends; `targets` are texts of the form NAME=VERSION, joined by commas."""
    os.nice(int(niceness))
    target = _take_output()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # sent to a whole group: the worker decides
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    pairs = (each.partition("=") for each in targets.split(",") if each)
    versions = tuple((name, version) for name, _, version in pairs)
    settings = Settings(tuple(map(Path, schemas)), fixes=False, targets=versions)
    _write(target, protocol.result(_lint(_WARM_UP, settings)))
    gc.collect()
    gc.freeze()  # children share the memory and do not touch it
    while (status := _run_child(settings, target)) == -signal.SIGPROF:
        _write(target, protocol.result(LintResult(limit_exceeded=True)))
    _exit_like(status)


def _run_child(settings: Settings, target: BinaryIO) -> int:
    """Fork a child and wait for its end; its exit status, or minus the signal."""
    parent = os.getpid()
    if (child := os.fork()) == 0:
        _die_with(parent)
        _serve(settings, sys.stdin.buffer, target)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def _die_with(parent: int) -> None:
    """Ask Linux to kill this process when the parent ends."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_SET_DEATH_SIGNAL, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def _exit_like(status: int) -> None:
    """End as the child did, so that the worker learns why."""
    if status < 0:
        if -status != signal.SIGKILL:
            signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    sys.exit(status)


def _serve(settings: Settings, source: BinaryIO, target: BinaryIO) -> None:
    crds = CrdCache()
    while (content := _read(source)) is not None:
        if update := protocol.read_crd_update(content):
            crds.update(*update)
            continue
        text, opt_out, seconds = protocol.read_request(content)
        signal.setitimer(signal.ITIMER_PROF, seconds)
        answer = _answer(text, replace(settings, annotations=opt_out, crds=crds))
        signal.setitimer(signal.ITIMER_PROF, 0)
        _write(target, answer)


def _answer(text: bytes, settings: Settings) -> bytes:
    try:
        return protocol.result(_lint(json.loads(text), settings))
    except MemoryError:
        signal.raise_signal(signal.SIGPROF)  # memory is a limit as processor time is
        raise
    except Exception as error:  # the engine promises never to raise: the result is unknown
        return protocol.result(
            LintResult(crashes=(("engine", f"{type(error).__name__}: {error}"),))
        )


def _lint(value: object, settings: Settings) -> LintResult:
    result = lint_object(value, settings)
    return LintResult(
        records(result.findings, value),
        tuple((each.rule, each.error) for each in result.crashes),
    )


def _take_output() -> BinaryIO:
    """The pipe to the worker; from now on `print` writes to standard error."""
    pipe = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return pipe


def _read(source: BinaryIO) -> bytes | None:
    head = source.read(protocol.LENGTH.size)
    if len(head) < protocol.LENGTH.size:
        return None
    return source.read(*protocol.LENGTH.unpack(head))


def _write(target: BinaryIO, content: bytes) -> None:
    target.write(content)
    target.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
