"""TLS handshakes: a limit on those in progress, and the cleanup after those that fail.

`asyncio` can do TLS by itself, but does not report handshakes that are in progress or have failed.
Each takes 256 KiB, so silent connections would fill the memory.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Callable, Iterator
from typing import cast

from celvet.webhook.http.limits import Limits

_SHUTDOWN = 2.0
"""Seconds for the end of TLS when a connection is closed."""


class Handshakes:
    """The handshakes in progress; `connected` makes the protocol of an established connection.

    When there are too many, the oldest is aborted. An honest handshake takes milliseconds, so
    silent connections cannot keep honest clients out.
    """

    def __init__(
        self, context: ssl.SSLContext, limits: Limits, connected: Callable[[], asyncio.Protocol]
    ) -> None:
        self._context = context
        self._limits = limits
        self._connected = connected
        self._under_way: dict[_Handshake, None] = {}

    def __len__(self) -> int:
        """How many are in progress."""
        return len(self._under_way)

    def __iter__(self) -> Iterator[_Handshake]:
        """Those in progress, the oldest first."""
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
            encrypted = await asyncio.get_running_loop().start_tls(
                transport,
                handshake,
                self._context,
                server_side=True,
                ssl_handshake_timeout=self._limits.first_request,
                ssl_shutdown_timeout=_SHUTDOWN,
            )
        except OSError as error:  # of TLS, of the connection, or the time is over
            # `SSLProtocol._on_handshake_complete` (CPython 3.11) raises the error that it was
            # given, so that they hold each other, and the buffers, until the collector comes.
            error.__traceback__ = None
            return
        finally:
            self._under_way.pop(handshake, None)
        if encrypted and not handshake.lost:
            handshake.hand_over(encrypted, self._connected())


class _Handshake(asyncio.Protocol):
    """A connection during its handshake; keeps what the client sends right after it."""

    def __init__(self, handshakes: Handshakes) -> None:
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

    def hand_over(self, transport: asyncio.Transport, protocol: asyncio.Protocol) -> None:
        """Let a protocol take over the connection."""
        transport.set_protocol(protocol)
        protocol.connection_made(transport)
        if self._early:
            protocol.data_received(self._early)
