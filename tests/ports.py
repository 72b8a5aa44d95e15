"""Ports for processes that cannot choose their own."""

from __future__ import annotations

import random
import socket
from contextlib import ExitStack, suppress


def free_ports(count: int) -> list[int]:
    """Ports without a listener, below those that the kernel gives to outgoing connections."""
    with ExitStack() as stack:
        found: list[int] = []
        while len(found) < count:
            port = random.randrange(20_000, 32_000)
            with suppress(OSError):
                stack.enter_context(socket.create_server(("", port)))
                found.append(port)
        return found
