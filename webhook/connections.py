"""Bounds on clients: connections, headers, bodies, and the time for each."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from aiohttp import web
from aiohttp.web_protocol import RequestHandler

_GLANCE = 0.1
"""Seconds between two looks at what is in hand, and for the last answer to be written."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Bytes, counts and seconds that a client gets.

    `first_request` is the time for the handshake and the first header, each; `idle`
    that between two requests, longer than the 90 s after which API servers give a
    connection up themselves. `body_bytes` has room for an old and a new object of
    the 3 MiB that an API server takes; so many of the largest `bodies` are held at once.
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


class Connections:
    """The connections of a server, made by a factory that asyncio calls for each."""

    def __init__(
        self, handler: Callable[[web.BaseRequest], Awaitable[web.StreamResponse]], limits: Limits
    ) -> None:
        self._handler = handler
        self._limits = limits
        self._in_hand = 0
        self._new: dict[object, float] = {}
        self.server = web.Server(
            self._handle,
            access_log=None,
            keepalive_timeout=limits.idle,
            max_line_size=limits.header_bytes,
            max_field_size=limits.header_bytes,
            max_headers=limits.headers,
            lingering_time=1.0,
            auto_decompress=False,
        )

    def __call__(self) -> asyncio.Protocol:
        """A protocol for a new connection, of which it is not known yet who makes it."""
        if len(self.server.connections) >= self._limits.connections:
            return _Refusal()
        protocol = self.server()
        loop = asyncio.get_running_loop()
        self._new[protocol] = loop.time()
        loop.call_later(2 * self._limits.first_request, self._close_silent, protocol)
        return protocol

    async def drain(self, seconds: float, linger: float) -> None:
        """Answer what is in hand, for so many seconds at most; close the connections.

        Those who have just connected get `linger` seconds for their first request: a
        client may send it before we know that the handshake is over.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while self._in_hand or self._awaited(linger):
                    await asyncio.sleep(_GLANCE)
        await self.server.shutdown(_GLANCE)

    def _awaited(self, linger: float) -> bool:
        """Whether anybody who connected within so many seconds has not asked yet."""
        now = asyncio.get_running_loop().time()
        return any(now - connected < linger for connected in self._new.values())

    def _close_silent(self, protocol: RequestHandler) -> None:
        """Close a connection that has brought no request since it was made."""
        if self._new.pop(protocol, None) is not None and protocol.transport is not None:
            protocol.force_close()

    async def _handle(self, request: web.BaseRequest) -> web.StreamResponse:
        self._new.pop(request.protocol, None)
        self._in_hand += 1
        try:
            return await self._handler(request)
        finally:
            self._in_hand -= 1


class _Refusal(asyncio.Protocol):
    """Closes the connection at once: there are too many."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        transport.close()
