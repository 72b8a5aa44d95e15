"""Limits on what a client may use: bytes, counts and seconds."""

from __future__ import annotations

from celvet.record import record


@record
class Limits:
    """Bytes, counts and seconds for each client.

    `first_request` bounds the handshake and each header, `idle` the time between two requests:
    longer than the 90 s after which API servers close a connection themselves. `body_bytes` is
    enough for an old and a new object of 3 MiB each, the most that API servers accept. At most
    `large_bodies` are in memory at once, each until its answer. The next one waits up to
    `place_seconds`, which leaves the API server time to try again. A request whose body has not
    come after `stalled` seconds may be ended for a new connection.
    """

    body_bytes: int = 7 << 20
    large_bodies: int = 8
    place_seconds: float = 3
    body_seconds: float = 10
    stalled: float = 1
    first_request: float = 10
    idle: float = 180
    connections: int = 200
    handshakes: int = 100
    header_bytes: int = 8190
    headers: int = 64
