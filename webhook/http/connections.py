"""The connections of clients, their number, and the time that each gets for a request."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from typing import Any

from aiohttp import web
from aiohttp.web_protocol import RequestHandler

from celvet.webhook.http.limits import Limits

_log = logging.getLogger(__name__)

_GLANCE = 0.1
"""Seconds between two looks at what is in hand, and for the last answer to be written."""

_QUIET = 60.0
"""Seconds between two lines of the log about too many connections."""


class Connections:
    """The connections of a server, made by a factory that asyncio calls for each.

    When there are too many, the one that has been idle longest is closed for a new one;
    `crowded` is told each time, and when none is idle and the new one is refused.
    """

    def __init__(
        self,
        handler: Callable[[web.BaseRequest], Awaitable[web.StreamResponse]],
        limits: Limits,
        crowded: Callable[[], None] = lambda: None,
    ) -> None:
        self._handler = handler
        self._limits = limits
        self._crowded = crowded
        self._logged = -_QUIET
        self._in_hand = 0
        self._new: dict[RequestHandler, float] = {}
        self._idle: dict[RequestHandler, None] = {}
        self._headers: dict[RequestHandler, asyncio.TimerHandle] = {}
        self.server = web.Server(self._handle)

    def __call__(self) -> asyncio.Protocol:
        """A protocol for a new connection, of which it is not known yet who makes it."""
        if len(self.server.connections) >= self._limits.connections and not self._displaced():
            return _Refusal()
        protocol = _Connection(self, self._limits)
        loop = asyncio.get_running_loop()
        self._new[protocol] = loop.time()
        loop.call_later(2 * self._limits.first_request, self._close_silent, protocol)
        return protocol

    def made(self, protocol: RequestHandler) -> None:
        """A connection stands, and nothing is asked yet."""
        self._idle[protocol] = None

    def heard(self, protocol: RequestHandler) -> None:
        """Something came: if no request is in hand, a part of a header, which has its time."""
        if protocol in self._idle and protocol not in self._headers and protocol not in self._new:
            loop = asyncio.get_running_loop()
            self._headers[protocol] = loop.call_later(
                self._limits.first_request, protocol.force_close
            )

    def lost(self, protocol: RequestHandler) -> None:
        """A connection has gone."""
        self._new.pop(protocol, None)
        self._idle.pop(protocol, None)
        self._header_over(protocol)

    def _header_over(self, protocol: RequestHandler) -> None:
        if timer := self._headers.pop(protocol, None):
            timer.cancel()

    def _displaced(self) -> bool:
        """Whether an idle connection was closed to make room."""
        self._crowded()
        idlest = next(iter(self._idle), None)
        now = asyncio.get_running_loop().time()
        if now - self._logged >= _QUIET:
            self._logged = now
            done = "the new one is refused" if idlest is None else "the idlest is closed"
            _log.warning("%d connections are too many: %s", self._limits.connections, done)
        if idlest is None:
            return False
        del self._idle[idlest]
        idlest.force_close()
        return True

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
        protocol = request.protocol
        self._new.pop(protocol, None)
        self._idle.pop(protocol, None)
        self._header_over(protocol)
        self._in_hand += 1
        try:
            return await self._handler(request)
        finally:
            self._in_hand -= 1
            if protocol.transport is not None:
                self._idle[protocol] = None


class _Connection(RequestHandler):
    """A connection that tells what happens to it."""

    def __init__(self, connections: Connections, limits: Limits) -> None:
        settings: dict[str, Any] = {
            "access_log": None,
            "keepalive_timeout": limits.idle,
            "max_line_size": limits.header_bytes,
            "max_field_size": limits.header_bytes,
            "max_headers": limits.headers,
            "lingering_time": 1.0,
            "auto_decompress": False,
        }
        super().__init__(connections.server, loop=asyncio.get_running_loop(), **settings)
        self._connections = connections

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._connections.made(self)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._connections.heard(self)

    def connection_lost(self, exc: BaseException | None) -> None:
        super().connection_lost(exc)
        self._connections.lost(self)


class _Refusal(asyncio.Protocol):
    """Closes the connection at once: there are too many."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        transport.close()


def not_accepted(listener: socket.socket) -> Iterator[socket.socket]:
    """The connections that nobody has accepted yet: closing the listener would reset them."""
    with suppress(OSError):  # there is no other
        while True:
            yield listener.accept()[0]
