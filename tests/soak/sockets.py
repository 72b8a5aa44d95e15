"""Attacks by connections: silent, slow and broken ones, and those that read nothing."""

from __future__ import annotations

import asyncio
import os
import ssl
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from typing import Any

from tests.soak.clients import HOST, Target

_HEAD = b"POST /validate HTTP/1.1\r\nHost: a\r\nContent-Length: 5000000\r\n\r\n"
_EMPTY = b"POST /validate HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}"
_SCRAPE = b"GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n"
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
_Attack = Callable[[Target, asyncio.Event], Coroutine[Any, Any, None]]


async def _tls(at: Target, context: ssl.SSLContext | None = None) -> Streams:
    """A connection to the port of the webhook after its handshake."""
    return await asyncio.open_connection(
        HOST, at.served.port, ssl=context or at.context(), server_hostname="localhost"
    )


async def _plain(at: Target) -> Streams:
    """A connection to the port of the webhook that says nothing yet."""
    return await asyncio.open_connection(HOST, at.served.port)


async def _status(at: Target) -> Streams:
    """A connection to the port of metrics and probes."""
    host, _, port = at.served.metrics.rpartition(":")
    return await asyncio.open_connection(host, int(port))


def _again(count: int, session: Callable[[Target], Awaitable[None]]) -> _Attack:
    """So many clients, each of which has one session after the other."""

    async def client(at: Target) -> None:
        while True:
            with suppress(OSError, ssl.SSLError, asyncio.IncompleteReadError):
                await session(at)
            await asyncio.sleep(0)

    async def attack(at: Target, ended: asyncio.Event) -> None:
        clients = [asyncio.create_task(client(at)) for _ in range(count)]
        await ended.wait()
        for task in clients:  # those that the backlog dropped would wait for ever
            task.cancel()

    return attack


def silent(count: int, connect: Callable[[Target], Awaitable[Streams]] = _tls) -> _Attack:
    """So many connections that say nothing, each opened again when it is closed."""

    async def session(at: Target) -> None:
        reader, writer = await connect(at)
        await reader.read()
        writer.close()

    return _again(count, session)


def sending(
    count: int, content: bytes, connect: Callable[[Target], Awaitable[Streams]] = _tls
) -> _Attack:
    """So many connections that send the same without end and read nothing."""

    async def session(at: Target) -> None:
        _, writer = await connect(at)
        async with asyncio.timeout(5):
            while True:
                writer.write(content)
                await writer.drain()
                await asyncio.sleep(0)  # a loss of the connection is told in a turn of the loop

    return _again(count, session)


def slow(count: int, connect: Callable[[Target], Awaitable[Streams]] = _tls) -> _Attack:
    """So many requests of which a byte comes now and then."""

    async def session(at: Target) -> None:
        _, writer = await connect(at)
        for byte in _HEAD + b" " * 20:
            writer.write(bytes([byte]))
            await writer.drain()
            await asyncio.sleep(0.01)
        writer.close()

    return _again(count, session)


async def _half_hello(at: Target) -> None:
    _, writer = await _plain(at)
    writer.write(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + os.urandom(64))
    await writer.drain()
    writer.close()


async def _handshake(at: Target) -> None:
    _, writer = await _tls(at)
    writer.close()


async def _distrust(at: Target) -> None:
    await _tls(at, ssl.create_default_context())


SOCKETS: dict[str, _Attack] = {
    "2,600 silent connections": silent(2600),
    "2,600 without a handshake": silent(2600, _plain),
    "1,500 silent ones on the status port": silent(1500, _status),
    "30 slow headers and bodies": slow(30),
    "30 slow headers on the status port": slow(30, _status),
    "8 pipelines of requests": sending(8, _EMPTY * 300),
    "20 that never read": sending(20, _EMPTY),
    "8 pipelines of scrapes": sending(8, _SCRAPE * 100, _status),
    "16 halves of a hello": _again(16, _half_hello),
    "24 handshakes": _again(24, _handshake),
    "20 refuse the certificate": _again(20, _distrust),
}


async def idling(at: Target, ended: asyncio.Event) -> None:
    """A few silent connections and a few slow ones."""
    await asyncio.gather(silent(40)(at, ended), slow(4)(at, ended))
