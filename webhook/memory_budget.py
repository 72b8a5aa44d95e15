"""Divides the memory of the container, so that all parts together stay below its limit.

Each part enforces its own share: bodies and connections by their count, the cache by its bytes, a
judging process by its address space.
"""

from __future__ import annotations

import os
from pathlib import Path

from celvet.record import record

MIB = 1 << 20
_BASE = 200 * MIB
"""Bytes of the processes at rest: server, fork server, resource tracker, judging processes."""

CACHE = 16 * MIB
CONNECTIONS = 200
HANDSHAKES = 100
_CONNECTION = 320 << 10
"""Bytes of a TLS connection from its beginning, most of them the buffer of `asyncio.sslproto`."""

SMALL_BODY = 64 * 1024
"""Bytes of the largest body that the event loop takes apart, in a millisecond at most; each
connection may have one, and larger ones wait for a place."""

_BODY_COPIES = 2
"""Copies of a body in memory: as it was read, and in the pipe to its process."""

_LEAST, _MOST = 64 * MIB, 1024 * MIB
_FILES = (
    Path("/sys/fs/cgroup/memory.max"),
    Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"),
)
"""The limit of the own cgroup, as a container sees it: version 2, version 1."""


@record
class MemoryBudget:
    """How many `large_bodies` of what size fit, and the bytes for each judging process.

    All together need `least` bytes.
    """

    large_bodies: int
    process: int
    least: int

    @classmethod
    def of(cls, limit: int, processes: int, body: int) -> MemoryBudget:
        """The shares of a limit; `body` is the size of the largest body."""
        large = max(1, min(8, limit // (8 * _BODY_COPIES * body)))
        remaining_bytes = limit - fixed_bytes(large * body)
        least = fixed_bytes(large * body) + processes * _LEAST
        return cls(large, min(max(remaining_bytes // processes, _LEAST), _MOST), least)


def fixed_bytes(large_bytes: int) -> int:
    """Bytes of everything except what the judging processes take for their reviews.

    `large_bytes` is what all large bodies take.
    """
    bodies = CONNECTIONS * SMALL_BODY + large_bytes
    return _BASE + CACHE + (CONNECTIONS + HANDSHAKES) * _CONNECTION + _BODY_COPIES * bodies


def limit() -> int:
    """The limit of the cgroup or, if that is larger or there is none, the machine's memory."""
    machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    for path in _FILES:
        try:
            return min(int(path.read_text()), machine)
        except (OSError, ValueError):  # the file does not exist, or contains `max`
            continue
    return machine
