"""Connections of clients: limits on their number and duration, and errors for invalid HTTP."""

from __future__ import annotations

import asyncio
import logging
import socket
import ssl
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from typing import Any, cast

from aiohttp import web
from aiohttp.web_protocol import RequestHandler

from celvet.webhook.http.answer import refusal_response
from celvet.webhook.http.client_limits import Limits
from celvet.webhook.logs import LogThrottle

_log = logging.getLogger(__name__)

_POLL = 0.1
"""Seconds between two checks while draining, and for the last answer to be written."""

_SHUTDOWN = 2.0
"""Seconds for the end of TLS when a connection is closed."""


class Connections:
    """A factory of protocols, which asyncio calls for each new connection, before TLS.

    If there are too many, it closes one whose request does not arrive, else the one that has been
    idle longest; if none is idle, the new one. `count` is called each time with `connections`, and
    for each handshake that fails with `handshake`; `handshake_failed` gets the reason. Without
    `tls`, the connections are plain.
    """

    def __init__(
        self,
        handler: Callable[[web.BaseRequest], Awaitable[web.StreamResponse]],
        limits: Limits,
        tls: ssl.SSLContext | None,
        count: Callable[[str], None] = lambda _: None,
        handshake_failed: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._handler = handler
        self._limits = limits
        self._count = count
        self._throttle = LogThrottle()
        self._active: dict[RequestHandler, tuple[web.BaseRequest, float]] = {}
        self._new: dict[RequestHandler, float] = {}
        self._idle: dict[RequestHandler, None] = {}
        self._headers: dict[RequestHandler, asyncio.TimerHandle] = {}
        self._handshake_failed = handshake_failed
        self._handshakes = (
            _Handshakes(tls, limits, self._new_protocol, self._note_failure) if tls else None
        )
        self.server = web.Server(self._handle, request_factory=_request)

    def __call__(self) -> asyncio.Protocol:
        """A protocol for a new connection, before its TLS handshake if there is one."""
        return self._new_protocol() if self._handshakes is None else self._handshakes.new()

    def _new_protocol(self) -> asyncio.Protocol:
        """A protocol for a connection after its handshake."""
        if len(self.server.connections) >= self._limits.connections and not self._evict():
            return _Refused()
        return _Connection(self, self._limits)

    def register(self, protocol: RequestHandler) -> None:
        """Called after a handshake: from now on a header must arrive in time."""
        self._new[protocol] = asyncio.get_running_loop().time()
        self._idle[protocol] = None
        self._expect_header(protocol)

    def note_bytes(self, protocol: RequestHandler) -> None:
        """Called for bytes: on an idle connection they begin a header, which must end in time."""
        if protocol in self._idle and protocol not in self._headers:
            self._expect_header(protocol)

    def _expect_header(self, protocol: RequestHandler) -> None:
        loop = asyncio.get_running_loop()
        self._headers[protocol] = loop.call_later(self._limits.first_request, protocol.force_close)

    def _note_failure(self, reason: str) -> None:
        """Count a handshake that TLS refuses, and log each reason once in a while.

        A wrong `caBundle`, a wrong name or a missing client certificate are told by nothing else.
        """
        self._count("handshake")
        self._handshake_failed(reason)
        if self._throttle.allows(reason, asyncio.get_running_loop().time()):
            _log.warning("a TLS handshake failed: %s", reason)

    def unregister(self, protocol: RequestHandler) -> None:
        """A connection was closed."""
        self._forget(protocol)

    def _forget(self, protocol: RequestHandler) -> None:
        """Stop waiting for a header on a connection: it has sent a request, or is closed."""
        self._new.pop(protocol, None)
        self._idle.pop(protocol, None)
        if timer := self._headers.pop(protocol, None):
            timer.cancel()

    def _evict(self) -> bool:
        """Close a connection that can be spared; False if there is none."""
        self._count("connections")
        stalled = self._stalled()
        victim = stalled or next(iter(self._idle), None)
        if self._throttle.allows("connections", asyncio.get_running_loop().time()):
            outcome = "the one idle longest is closed" if victim else "the new one is refused"
            if stalled:
                outcome = "one whose request does not arrive is closed"
            _log.warning("%d connections are too many: %s", self._limits.connections, outcome)
        if victim is None:
            return False
        self._idle.pop(victim, None)
        self._active.pop(victim, None)
        victim.force_close()
        return True

    def _stalled(self) -> RequestHandler | None:
        """The oldest connection with a request whose body should have arrived long ago."""
        limit = asyncio.get_running_loop().time() - self._limits.stalled
        for protocol, (request, start) in self._active.items():
            if start < limit and not request.content.is_eof():
                return protocol
        return None

    async def drain(self, seconds: float, linger: float) -> None:
        """Answer the requests in progress for at most this many seconds, then close everything.

        A new connection has `linger` seconds for its first request: the client may send
        it before the server knows that the handshake is over.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await asyncio.sleep(_POLL)  # the last accepted connection begins its handshake
                while self._active or self._handshakes or self._expects_request(linger):
                    await asyncio.sleep(_POLL)
        for handshake in self._handshakes or ():
            handshake.end()
        await self.server.shutdown(_POLL)

    def _expects_request(self, linger: float) -> bool:
        """Whether a connection of the last `linger` seconds has not sent a request yet."""
        now = asyncio.get_running_loop().time()
        return any(now - start < linger for start in self._new.values())

    async def _handle(self, request: web.BaseRequest) -> web.StreamResponse:
        protocol = request.protocol
        self._forget(protocol)
        self._active[protocol] = request, asyncio.get_running_loop().time()
        try:
            return await self._handler(request)
        finally:
            self._active.pop(protocol, None)
            if protocol.transport is not None:
                self._idle[protocol] = None


class _AnonymousRequest(web.BaseRequest):
    """A request whose answer does not say which software gives it."""

    async def _prepare_hook(self, response: web.StreamResponse) -> None:
        del response.headers["Server"]  # aiohttp has just set it


def _request(message: Any, payload: Any, protocol: Any, writer: Any, task: Any) -> web.BaseRequest:
    """As `web.Server` makes one by default."""
    loop = asyncio.get_running_loop()
    return _AnonymousRequest(message, payload, protocol, writer, task, loop)


class _Connection(RequestHandler):
    """A connection that reports its events."""

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
        self._connections.register(self)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._connections.note_bytes(self)

    def connection_lost(self, exc: BaseException | None) -> None:
        super().connection_lost(exc)
        self._connections.unregister(self)

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        """Answer a request that aiohttp cannot parse with a `Status`, not with a page of text."""
        super().handle_error(request, status, exc, message)  # logs
        reason, text = (
            ("BadRequest", f"invalid HTTP: {message}")
            if status < 500
            else ("InternalError", "internal error")
        )
        response = refusal_response(status, reason, text)
        response.force_close()
        return response


class _Refused(asyncio.Protocol):
    """Closes the connection at once, because there are too many."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        transport.close()


def accept_backlog(listener: socket.socket) -> Iterator[socket.socket]:
    """Accept the connections in the backlog, which closing the listener would reset."""
    with suppress(OSError):  # the backlog is empty
        while True:
            yield listener.accept()[0]


class _Handshakes:
    """The TLS handshakes in progress; `connected` makes the protocol of an established connection.

    `asyncio` can do TLS by itself, but does not report handshakes that are in progress or have
    failed. Each takes 256 KiB, so silent connections would fill the memory.

    When there are too many, the oldest is aborted. An honest handshake takes milliseconds, so
    silent connections cannot keep honest clients out.
    """

    def __init__(
        self,
        context: ssl.SSLContext,
        limits: Limits,
        connected: Callable[[], asyncio.Protocol],
        failed: Callable[[str], None],
    ) -> None:
        self._context = context
        self._limits = limits
        self._connected = connected
        self._failed = failed
        self._under_way: dict[_Handshake, None] = {}

    def __len__(self) -> int:
        """How many are in progress."""
        return len(self._under_way)

    def __iter__(self) -> Iterator[_Handshake]:
        """The handshakes in progress, the oldest first."""
        return iter([*self._under_way])

    def new(self) -> asyncio.Protocol:
        """The protocol of a connection that was just accepted."""
        return _Handshake(self)

    def begin(self, handshake: _Handshake, transport: asyncio.Transport) -> asyncio.Task[None]:
        """Start the handshake with a client."""
        self._under_way[handshake] = None
        if len(self) > self._limits.handshakes:
            self.end(next(iter(self)))
        return asyncio.create_task(self._run(handshake, transport))

    def end(self, handshake: _Handshake) -> None:
        """Close a connection during its handshake."""
        del self._under_way[handshake]
        handshake.abort()

    async def _run(self, handshake: _Handshake, transport: asyncio.Transport) -> None:
        try:
            tls_transport = await asyncio.get_running_loop().start_tls(
                transport,
                handshake,
                self._context,
                server_side=True,
                ssl_handshake_timeout=self._limits.first_request,
                ssl_shutdown_timeout=_SHUTDOWN,
            )
        except OSError as error:  # TLS failed, the connection broke, or the time is up
            if isinstance(error, ssl.SSLError):  # a client that goes away is none: probes do
                self._failed((error.reason or "unknown").lower().replace("_", " "))
            # `SSLProtocol._on_handshake_complete` (CPython 3.11) raises the error that it was
            # given, so the two refer to each other and keep the buffers until the next garbage
            # collection.
            error.__traceback__ = None
            return
        finally:
            self._under_way.pop(handshake, None)
        if tls_transport and not handshake.lost:
            handshake.hand_over(tls_transport, self._connected())


class _Handshake(asyncio.Protocol):
    """A connection during its handshake; keeps what the client sends right after it."""

    def __init__(self, handshakes: _Handshakes) -> None:
        self._handshakes = handshakes
        self._early = b""
        self.lost = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._task = self._handshakes.begin(self, self._transport)  # the loop holds it weakly

    def data_received(self, data: bytes) -> None:
        self._early += data

    def connection_lost(self, exc: BaseException | None) -> None:
        self.lost = True

    def abort(self) -> None:
        """Close the connection now."""
        self._transport.abort()

    def end(self) -> None:
        """Close the connection, and stop waiting for it."""
        self._handshakes.end(self)

    def hand_over(self, transport: asyncio.Transport, protocol: asyncio.Protocol) -> None:
        """Let a protocol take over the connection."""
        transport.set_protocol(protocol)
        protocol.connection_made(transport)
        if self._early:
            protocol.data_received(self._early)
