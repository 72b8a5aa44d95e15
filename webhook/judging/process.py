"""A judging process from the server's side: start, request, answer, end.

It is a fork of the standard library's fork server, which has the engine loaded and warm.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import socket
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import msgspec

from celvet.lint.model import GroupKind
from celvet.webhook.judgement import GIVEN_UP, Judgement
from celvet.webhook.judging import frames
from celvet.webhook.judging.child import ChildSettings, serve

_EXIT = 2.0
"""Seconds until the exit status of a process that has closed its connection."""

_PAUSES = (0.01, 0.1)
"""Seconds between two attempts to start a process."""

_PIECE = 256 * 1024
"""Bytes to write at once, since the event loop copies what the process has not read yet."""

_forks = multiprocessing.get_context("forkserver")
_forks.set_forkserver_preload(["celvet.lint.cli", "celvet.webhook.judging.preload"])


class ReviewLimitError(Exception):
    """The review exceeded its processor time or memory."""

    reason = "limit"


class ProcessDiedError(Exception):
    """The process could not be started, or ended for another reason: `grown`, or a bug."""

    def __init__(self, message: str, reason: str = "died") -> None:
        super().__init__(message)
        self.reason = reason


@dataclass(slots=True)
class JudgingRequest:
    """A review of a user and namespace to be judged in this processor time, without rules `off`.

    `judgement` is the result so far. A final one is replaced only by another final one, so that
    nothing is lost while it is completed.
    """

    body: bytes
    sender: tuple[str, str] = ("", "")
    off: frozenset[str] = frozenset()
    seconds: float = 0.0
    judgement: Judgement = GIVEN_UP


class JudgingProcess:
    """A warm process. It cannot be used again after a request failed or it has `ended`."""

    def __init__(
        self, process: Any, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self._process = process
        self.pid: int = process.pid
        self._reader = reader
        self._writer = writer
        self._sent_crds: Mapping[GroupKind, bytes] = {}

    @classmethod
    async def start(cls, settings: ChildSettings) -> JudgingProcess:
        """Fork one; raises `ProcessDiedError`."""
        ours, theirs = socket.socketpair()
        with theirs:
            process = _forks.Process(target=serve, args=(theirs, settings), daemon=True)
            try:
                await asyncio.to_thread(_start, process)
            except (OSError, EOFError) as error:  # out of memory or processes: it may work later
                ours.close()
                raise ProcessDiedError(f"a judging process cannot be started: {error}") from error
        return cls(process, *await asyncio.open_connection(sock=ours))

    @property
    def ended(self) -> bool:
        """Whether it has closed its connection."""
        return self._reader.at_eof()

    async def judge(self, request: JudgingRequest, crds: Mapping[GroupKind, bytes]) -> None:
        """Fill in the errors of a request, after an update of the CRDs.

        Raises `ReviewLimitError`, `ProcessDiedError`. If the call is cancelled, the process is
        killed.
        """
        parts = frames.review(request.body, request.seconds, request.off)
        await self._ask(request, *self._crd_updates(crds), *parts)

    async def complete(self, request: JudgingRequest) -> None:
        """Fill in the warnings of the request that was judged last; raises what `judge` raises."""
        await self._ask(request, frames.frame(frames.MORE))

    async def _ask(self, request: JudgingRequest, *parts: bytes) -> None:
        try:
            for part in parts:
                for start in range(0, len(part), _PIECE):
                    self._writer.write(memoryview(part)[start : start + _PIECE])
                    await self._writer.drain()
            while True:
                judgement = await self._read()
                # A verdict comes as soon as there is one, and again once all else is known: the
                # last one counts.
                if judgement.final or not request.judgement.final:
                    request.judgement = judgement
                if judgement.final:
                    return
        except (OSError, asyncio.IncompleteReadError, msgspec.MsgspecError) as error:
            # The exit status says whether the review is at fault: SIGPROF is its limit.
            status = await self.stop(_EXIT)
            if status == -signal.SIGPROF:
                raise ReviewLimitError from None
            message = f"a judging process ended with status {status}"
            raise ProcessDiedError(message, "grown" if status == 0 else "died") from error
        except asyncio.CancelledError:
            await self.stop()
            raise

    async def stop(self, patience: float = 0.0) -> int | None:
        """End the process, by force after `patience` seconds; returns its exit status."""
        self._writer.close()
        await asyncio.to_thread(self._process.join, patience)
        if self._process.exitcode is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)
            await asyncio.to_thread(self._process.join, _EXIT)
        status: int | None = self._process.exitcode
        if status is not None:
            self._process.close()  # its pipes would stay open until the next garbage collection
        return status

    def _crd_updates(self, crds: Mapping[GroupKind, bytes]) -> list[bytes]:
        """Frames for the CRDs that changed since the last request."""
        former_crds, self._sent_crds = self._sent_crds, crds
        changes = () if former_crds is crds else dict(former_crds.items() ^ crds.items())
        return [frames.crd_update(kind, crds.get(kind, b"")) for kind in changes]

    async def _read(self) -> Judgement:
        head = await self._reader.readexactly(frames.LENGTH.size)
        (size,) = frames.LENGTH.unpack(head)
        if size > frames.MOST:
            raise msgspec.DecodeError("the judgement is too large")
        return frames.read_judgement(await self._reader.readexactly(size))


def _start(process: Any) -> None:
    """Start a process; a fork server that has just ended refuses, and is replaced soon."""
    for pause in _PAUSES:
        with suppress(OSError, EOFError):
            process.start()
            return
        time.sleep(pause)
    process.start()
