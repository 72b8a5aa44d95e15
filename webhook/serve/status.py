"""Health and metrics over plain HTTP, on a port of their own."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from aiohttp import web

from celvet.webhook.metrics import CONTENT_TYPE, Metrics
from celvet.webhook.options import parse_address


@asynccontextmanager
async def status_server(
    address: str, problem: Callable[[], str | None], metrics: Metrics
) -> AsyncIterator[str]:
    """Serve at `HOST:PORT`; gives the bound address. Raises `OSError`."""

    async def health(_: web.Request) -> web.Response:
        return web.Response(text="ok")

    async def readiness(_: web.Request) -> web.Response:
        found = problem()
        return web.Response(text=found or "ok", status=503 if found else 200)

    async def exposition(_: web.Request) -> web.Response:
        return web.Response(body=metrics.exposition(), headers={"Content-Type": CONTENT_TYPE})

    app = web.Application(client_max_size=1024)
    app.router.add_get("/healthz", health)
    app.router.add_get("/readyz", readiness)
    app.router.add_get("/metrics", exposition)
    runner = web.AppRunner(app, access_log=None, keepalive_timeout=30, shutdown_timeout=1)
    await runner.setup()
    try:
        host, port = parse_address(address)
        await web.TCPSite(runner, host, port).start()
        yield "{}:{}".format(*runner.addresses[0][:2])
    finally:
        await runner.cleanup()
