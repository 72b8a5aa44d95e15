"""Limits on what a client may use: bytes, counts and seconds."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from celvet.record import record


@record
class Limits:
    """Bytes, counts and seconds for each client.

    `first_request` bounds the handshake and each header, `idle` the time between two
    requests: longer than the 90 s after which API servers close a connection
    themselves. `body_bytes` fits an old and a new object of 3 MiB each, which is what
    API servers take; all bodies together take `all_bodies` bytes at most.
    """

    body_bytes: int = 7 << 20
    all_bodies: int = 56 << 20
    body_seconds: float = 10
    first_request: float = 10
    idle: float = 180
    connections: int = 200
    handshakes: int = 100
    header_bytes: int = 8190
    headers: int = 64


class BodyBudgetError(Exception):
    """Other requests hold the bytes that this one needs."""


class BodyShare:
    """The bytes of the budget that one request holds."""

    def __init__(self, budget: BodyBudget) -> None:
        self._budget = budget
        self._held = 0

    def grow_to(self, size: int) -> None:
        """Hold at least so many bytes; raises `BodyBudgetError`."""
        more = max(size - self._held, 0)
        if more > self._budget.free:
            raise BodyBudgetError
        self._held += more
        self._budget.free -= more

    def release(self) -> None:
        """Return all bytes to the budget."""
        self._budget.free += self._held
        self._held = 0


class BodyBudget:
    """The bytes that the bodies of all requests may take together; `free` are unused."""

    def __init__(self, limits: Limits) -> None:
        self.free = limits.all_bodies

    @contextmanager
    def share(self) -> Iterator[BodyShare]:
        """A share for the duration of a request."""
        share = BodyShare(self)
        try:
            yield share
        finally:
            share.release()
