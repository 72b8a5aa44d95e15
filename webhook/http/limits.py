"""What a client gets of the server: bytes, counts and seconds."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Bytes, counts and seconds that a client gets.

    `first_request` is the time for the handshake and for each header; `idle` that between
    two requests, longer than the 90 s after which API servers give a connection up
    themselves. `body_bytes` has room for an old and a new object of the 3 MiB that an API
    server takes; so many of the largest `bodies` are held at once.
    """

    body_bytes: int = 7 << 20
    bodies: int = 8
    body_seconds: float = 10
    first_request: float = 10
    idle: float = 180
    connections: int = 2000
    header_bytes: int = 8190
    headers: int = 64


class Share:
    """The bytes that one request holds of what is left for all."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._held = 0

    def reach(self, size: int) -> None:
        """Hold at least so many bytes; raises `FullError`."""
        more = max(size - self._held, 0)
        if more > self._room.left:
            raise FullError
        self._held += more
        self._room.left -= more

    def give_back(self) -> None:
        """Hold nothing any more."""
        self._room.left += self._held
        self._held = 0


class FullError(Exception):
    """Others hold what was asked for."""


class Room:
    """The bytes that all requests together may hold; `left` are those that none holds."""

    def __init__(self, limits: Limits) -> None:
        self.left = limits.bodies * limits.body_bytes

    @contextmanager
    def share(self) -> Iterator[Share]:
        """A share for the time of one request."""
        share = Share(self)
        try:
            yield share
        finally:
            share.give_back()
