"""Line protocol between supervisor and worker: JSON over the worker's stdin and stdout.

The supervisor writes one line, the last known good state of the worker before, and then
keeps the pipe open: end of file means that the supervisor has ended. The worker writes
why it is not ready, twice a second as a heartbeat, and its own last known good state.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Any

MAX_LINE = 4 << 20
"""Bytes; a policy that makes a longer line is not handed over."""

_MAX_UNREAD = 1 << 16
"""Bytes that the supervisor may leave unread before heartbeats stop."""


@dataclass(frozen=True, slots=True)
class Handover:
    """The last known good policy and certificate, None if there is none; bytes as Latin-1.

    With them a new worker serves although the files have become invalid or the API server
    is down. They are never written to disk.
    """

    policy: str | None = None
    certificate: str | None = None
    key: str | None = None

    @property
    def policy_file(self) -> bytes | None:
        """The content of the policy file."""
        return None if self.policy is None else self.policy.encode("latin-1")

    @property
    def pair(self) -> tuple[bytes, bytes] | None:
        """The certificate chain and its key, PEM."""
        if self.certificate is None or self.key is None:
            return None
        return self.certificate.encode("latin-1"), self.key.encode("latin-1")

    def to_json(self) -> bytes:
        """A line for a worker."""
        return json.dumps(asdict(self)).encode() + b"\n"

    def updated(self, message: dict[str, Any]) -> Handover:
        """The state after a message of a worker."""
        return replace(self, **message.get("handover", {}))


def read_handover() -> Handover:
    """The first line of the supervisor; an empty state if it has ended. Blocks."""
    line = bytearray()
    while not line.endswith(b"\n"):
        if not (part := os.read(0, 1 << 16)):
            return Handover()
        line += part
    return Handover(**json.loads(line))


class SupervisorChannel:
    """The worker's end of the pipes."""

    def __init__(self) -> None:
        self._pipe: asyncio.WriteTransport | None = None
        self._unsent: list[bytes] = []

    async def connect(self, ended: Callable[[], None]) -> None:
        """Write from now on; `ended` is called when the supervisor has ended."""
        loop = asyncio.get_running_loop()

        def read() -> None:
            if not os.read(0, 64):
                loop.remove_reader(0)
                ended()

        loop.add_reader(0, read)
        self._pipe, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, sys.stdout)
        for line in self._unsent:
            self._pipe.write(line)

    def send_problem(self, problem: str | None) -> None:
        """Say why the worker is not ready, None if it is. This is the heartbeat."""
        if self._pipe and self._pipe.get_write_buffer_size() < _MAX_UNREAD:
            self._pipe.write(_line({"problem": problem}))

    def send_handover(self, **contents: bytes) -> None:
        """Send fields of a `Handover` for the next worker."""
        texts = {name: content.decode("latin-1") for name, content in contents.items()}
        line = _line({"handover": texts})
        if len(line) > MAX_LINE:
            return
        if self._pipe:
            self._pipe.write(line)
        else:
            self._unsent.append(line)


def _line(message: dict[str, Any]) -> bytes:
    return json.dumps(message).encode() + b"\n"
