"""How the memory of the container is shared out, so that all parts together stay below its limit.

What one part may take is bounded where it is used: bodies and connections by their
count, the cache by its bytes, a judging process by its address space.
"""

from __future__ import annotations

import os
from pathlib import Path

from celvet.record import record

MIB = 1 << 20
BASE = 224 * MIB
"""Bytes of the processes at rest: server, fork server, resource tracker, judging processes."""

CACHE = 16 * MIB
CONNECTIONS = 200
HANDSHAKES = 100
CONNECTION = 320 << 10
"""Bytes of a TLS connection from its beginning, most of them the buffer of `asyncio.sslproto`."""

BODY_COPIES = 2
"""How often a body is in memory at once: as it was read, and in the pipe to its process."""

_LEAST, _MOST = 64 * MIB, 1024 * MIB
_FILES = (
    Path("/sys/fs/cgroup/memory.max"),
    Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"),
)
"""The limit of the own cgroup, as a container sees it: version 2, version 1."""


@record
class MemoryBudget:
    """Bytes for the parts of a server: all `bodies` in progress, and each judging process."""

    bodies: int
    process: int

    @classmethod
    def of(cls, limit: int, processes: int, body: int) -> MemoryBudget:
        """The shares of a limit; `body` is the size of the largest body."""
        bodies = max(body, min(8 * body, limit // (8 * BODY_COPIES)))
        rest = limit - fixed(bodies)
        return cls(bodies, min(max(rest // processes, _LEAST), _MOST))


def fixed(bodies: int) -> int:
    """Bytes of everything except what the judging processes take for their reviews."""
    return BASE + CACHE + (CONNECTIONS + HANDSHAKES) * CONNECTION + BODY_COPIES * bodies


def limit() -> int:
    """The limit of the cgroup or, if that is larger or there is none, the machine's memory."""
    machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    for path in _FILES:
        try:
            return min(int(path.read_text()), machine)
        except (OSError, ValueError):  # not there, or `max`
            continue
    return machine
