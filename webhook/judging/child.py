"""The main loop of a judging process, a fork of the fork server, which has imported this module.

A review that exceeds its processor time ends the process by SIGPROF, whatever code is running; one
that exceeds its memory ends it too. The kernel counts processor time, not the clock: on a busy
machine or in a throttled container, an ordinary object does not look hostile. The process also
ends when it has grown, or when the server closes its socket. The next one is a fork, which takes
milliseconds.
"""

from __future__ import annotations

import gc
import os
import resource
import signal
import socket
import sys
from collections.abc import Iterator
from functools import lru_cache
from io import BufferedRWPair
from pathlib import Path

from celvet.lint.crds import CrdSchema, of_definition
from celvet.lint.engine import Settings, lint_object
from celvet.lint.model import GroupKind
from celvet.record import record, replace
from celvet.webhook.crds.store import unpack
from celvet.webhook.judgement import Judgement
from celvet.webhook.judging import frames
from celvet.webhook.judging.judge import judge

_WARM_UP = {
    "apiVersion": "kustomize.toolkit.fluxcd.io/v1",
    "kind": "Kustomization",
    "metadata": {"name": "warm-up"},
    "spec": {
        "dependsOn": [{"name": "other", "readyExpr": "dep.status.x == self.status.x"}],
        "healthCheckExprs": [
            {"apiVersion": "v1", "kind": "X", "current": "status.a.exists(e, e.x == 'y')"},
            {"apiVersion": "v1", "kind": "Y", "current": "status.a =", "failed": "a(1)"},
        ],
        "patches": [{"patch": "kind: X"}],
    },
}
"""Correct and wrong expressions, and a patch: each path through the engine loads something."""


@lru_cache(32)  # the expressions of a cluster are about few kinds
def _unpacked(packed: bytes) -> CrdSchema | None:
    return of_definition(unpack(packed))


class CrdCache:
    """CRDs, each unpacked when an expression needs it.

    A `celvet.lint.crds.Schemas`.
    """

    def __init__(self) -> None:
        self._packed: dict[GroupKind, bytes] = {}

    def update(self, kind: GroupKind, packed: bytes) -> None:
        """Replace the packed CRD of a kind; empty bytes remove it."""
        self._packed[kind] = packed

    def find(self, api_version: str, kind: str) -> CrdSchema | None:
        """The schema of a kind."""
        data = self._packed.get(GroupKind.of(api_version, kind))
        return _unpacked(data) if data else None

    @property
    def problems(self) -> tuple[str, ...]:
        """Always empty: no file is read."""
        return ()


@record
class ChildSettings:
    """The arguments of a judging process.

    `memory` is how many bytes it may use in addition to those shared with the fork server.
    `niceness` lowers its priority.
    """

    memory: int
    niceness: int = 0
    schemas: tuple[Path, ...] = ()
    targets: tuple[tuple[str, str], ...] = ()


def serve(connection: socket.socket, child_settings: ChildSettings) -> None:
    """Judge until the server closes the connection, or until the process has grown."""
    os.nice(child_settings.niceness)
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    most_bytes = _bytes_of("size") + child_settings.memory
    resource.setrlimit(resource.RLIMIT_AS, (most_bytes, most_bytes))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    settings = Settings(
        child_settings.schemas, annotations=False, fixes=False, targets=child_settings.targets
    )
    lint_object(_WARM_UP, settings)  # copies the memory that it touches, and reads a user's kinds
    stream = connection.makefile("rwb")
    try:
        _serve(stream, settings, _bytes_of("resident") + child_settings.memory // 3)
    except (BrokenPipeError, ConnectionResetError):
        os._exit(0)  # the server is gone, and no one would read a traceback


def _serve(stream: BufferedRWPair, settings: Settings, resident: int) -> None:
    crds = CrdCache()
    judgements: Iterator[Judgement] = iter(())
    seconds = 0.0
    while (content := _read(stream)) is not None:
        if update := frames.read_crd_update(content):
            crds.update(*update)
            continue
        if content != frames.MORE:
            if _bytes_of("resident") > resident:
                return  # the server gives the review to a fresh process
            body, seconds, off = frames.read_review(content)
            review_settings = replace(settings, crds=crds, severities=dict.fromkeys(off))
            judgements = judge(body, review_settings)
        signal.setitimer(signal.ITIMER_PROF, seconds)
        try:
            for judgement in judgements:
                stream.write(frames.judgement(judgement))
                stream.flush()
                if judgement.final:
                    break
        except MemoryError:
            signal.raise_signal(signal.SIGPROF)  # as if the time were up
        seconds, _ = signal.setitimer(signal.ITIMER_PROF, 0)


def _read(stream: BufferedRWPair) -> bytes | None:
    head = stream.read(frames.LENGTH.size)
    if len(head) < frames.LENGTH.size:
        return None
    return stream.read(*frames.LENGTH.unpack(head))


def _bytes_of(what: str) -> int:
    """The address space or the resident memory of this process in bytes; 0 except on Linux."""
    if sys.platform != "linux":
        return 0
    pages = Path("/proc/self/statm").read_text().split()
    return int(pages[("size", "resident").index(what)]) * resource.getpagesize()


def warm_up() -> None:
    """Lint once, so that each fork starts with a loaded engine in shared memory."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # sent to the whole process group: the server decides
    lint_object(_WARM_UP, Settings(annotations=False, fixes=False))
    gc.collect()
    gc.freeze()
