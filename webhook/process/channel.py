"""What a worker and its supervisor say to each other over the worker's standard pipes.

Each says lines of JSON. The supervisor says one, what the worker before left, and then
holds the pipe open: its end is the supervisor's. The worker says what keeps requests
away from it, again and again as a sign of life, and what it would leave.
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
"""Bytes; a policy that makes a longer line is not left to anybody."""

_MAX_UNREAD = 1 << 16
"""Bytes that a supervisor may leave unread before there are no more signs of life."""


@dataclass(frozen=True, slots=True)
class Legacy:
    """The last policy and certificate that served, None where none did; bytes as Latin-1.

    With them a worker serves as the one before did though the files cannot be used any
    more, or the API server is away. They are never written to a disk.
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

    def with_(self, message: dict[str, Any]) -> Legacy:
        """What is left after a worker has said this."""
        return replace(self, **message.get("legacy", {}))


def inherited() -> Legacy:
    """What the supervisor says first; nothing if it has gone. Blocks."""
    line = bytearray()
    while not line.endswith(b"\n"):
        if not (part := os.read(0, 1 << 16)):
            return Legacy()
        line += part
    return Legacy(**json.loads(line))


class Tether:
    """The worker's side; `gone` is called when the supervisor has ended."""

    def __init__(self) -> None:
        self._pipe: asyncio.WriteTransport | None = None
        self._unsaid: list[bytes] = []

    async def connect(self, gone: Callable[[], None]) -> None:
        """Say from now on, and what was to be said before."""
        loop = asyncio.get_running_loop()

        def heard() -> None:
            if not os.read(0, 64):
                loop.remove_reader(0)
                gone()

        loop.add_reader(0, heard)
        self._pipe, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, sys.stdout)
        for line in self._unsaid:
            self._pipe.write(line)

    def say_problem(self, problem: str | None) -> None:
        """What keeps requests away, None for nothing; a sign of life."""
        if self._pipe and self._pipe.get_write_buffer_size() < _MAX_UNREAD:
            self._pipe.write(_line({"problem": problem}))

    def leave(self, **contents: bytes) -> None:
        """Fields of a `Legacy`, for the worker that comes after."""
        texts = {name: content.decode("latin-1") for name, content in contents.items()}
        line = _line({"legacy": texts})
        if len(line) > MAX_LINE:
            return
        if self._pipe:
            self._pipe.write(line)
        else:
            self._unsaid.append(line)


def _line(message: dict[str, Any]) -> bytes:
    return json.dumps(message).encode() + b"\n"
