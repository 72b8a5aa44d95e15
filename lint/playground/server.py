"""The server of the page: static files and three questions, for this machine only.

A page of another site must not read what is typed here, nor use the server: the header Host must
name it, which a rebound name does not, and a request with a body must be JSON, which no form sends.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any

from aiohttp import web

from celvet.lint.engine import Settings
from celvet.lint.playground.trial import (
    Trial,
    choices,
    outcome,
    suggested,
    warm_up,
    within_bounds,
)
from celvet.wrong_input import WrongInputError

_PAGE = Path(__file__).parent / "page"
FILES = {
    "/": (_PAGE / "index.html", "text/html"),
    "/engine.js": (_PAGE / "engine.js", "text/javascript"),
    "/page.js": (_PAGE / "page.js", "text/javascript"),
    "/page.css": (_PAGE / "page.css", "text/css"),
    "/verdicts.css": (Path(__file__).parents[1] / "explain/page.css", "text/css"),
}
_MOST_BYTES = 256 * 1024
_AT_ONCE = 2
_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self';"
    " connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none';"
    " frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
_Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
_SETTINGS = web.AppKey("settings", Settings)
_PLACES = web.AppKey("places", asyncio.Semaphore)


async def serve(
    settings: Settings, port: int, ready: Callable[[str], None], stop: asyncio.Event
) -> None:
    """Serve the page until `stop` is set; raises `OSError` if the port is taken."""
    warm_up(settings)
    runner = web.AppRunner(application(settings), access_log=None)
    await runner.setup()
    try:
        site = web.TCPSite(runner, "127.0.0.1", port)
        await site.start()
        ready(f"http://127.0.0.1:{runner.addresses[0][1]}/")
        await stop.wait()
    finally:
        await runner.cleanup()


def application(settings: Settings) -> web.Application:
    """The application, for a server of its own."""
    app = web.Application(client_max_size=_MOST_BYTES, middlewares=[_guard])
    app[_SETTINGS] = settings
    app[_PLACES] = asyncio.Semaphore(_AT_ONCE)
    for path in FILES:
        app.router.add_get(path, _file)
    app.router.add_get("/choices", _choices)
    app.router.add_get("/suggestion", _suggestion)
    app.router.add_post("/trial", _trial)
    return app


@web.middleware
async def _guard(request: web.Request, handler: _Handler) -> web.StreamResponse:
    """Refuse what a page of another site may have sent; errors are JSON as well."""
    transport = request.transport
    port = transport.get_extra_info("sockname")[1] if transport else 0
    if request.host not in (f"127.0.0.1:{port}", f"localhost:{port}"):
        response: web.StreamResponse = _error(f"this is not http://127.0.0.1:{port}/", 421)
    elif request.method == "POST" and request.content_type != "application/json":
        response = _error("the request is not JSON", 415)
    else:
        try:
            response = await handler(request)
        except WrongInputError as error:
            response = _error(str(error), 422)
        except web.HTTPException as error:
            response = _error(error.reason, error.status)
    response.headers.update(_HEADERS)
    return response


def _error(message: str, status: int) -> web.Response:
    return web.json_response({"error": message}, status=status)


async def _file(request: web.Request) -> web.Response:
    file, content_type = FILES[request.path]
    return web.Response(
        text=file.read_text(encoding="utf-8"), content_type=content_type, charset="utf-8"
    )


async def _choices(request: web.Request) -> web.Response:
    return web.json_response(choices(request.app[_SETTINGS]))


async def _suggestion(request: web.Request) -> web.Response:
    kind = request.query.get("kind", "")
    return await _answer(request, partial(suggested, kind, request.app[_SETTINGS]))


async def _trial(request: web.Request) -> web.Response:
    try:
        document = json.loads(await request.read())
    except (ValueError, RecursionError):
        raise WrongInputError("the request is not JSON") from None
    return await _answer(request, partial(outcome, Trial.of(document), request.app[_SETTINGS]))


async def _answer(request: web.Request, work: Callable[[], dict[str, Any]]) -> web.Response:
    async with request.app[_PLACES]:
        return web.json_response(await within_bounds(work))
