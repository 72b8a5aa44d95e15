"""The main process: restarts workers, and serves health and metrics."""

from __future__ import annotations

import asyncio
import logging
import signal
import socket
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

from aiohttp import web

from celvet.webhook.metrics import CONTENT_TYPE, Metrics, exposition
from celvet.webhook.options import CANNOT_START, ServeOptions, parse_address
from celvet.webhook.process.channel import Handover
from celvet.webhook.process.worker_process import WorkerProcess

_log = logging.getLogger(__name__)

_NEVER_STARTED = -1
_LONGEST_PAUSE = 30.0
_BACKLOG = 1024
_GRACE = 5.0


class Supervisor:
    """Starts workers that share a socket, and restarts them when they die."""

    def __init__(self, options: ServeOptions, listener: socket.socket, directory: Path) -> None:
        self._options = replace(options, listener=listener.fileno(), directory=str(directory))
        self._metrics = Metrics(directory, "supervisor")
        self._listener = listener
        self._directory = directory
        self._processes: dict[int, WorkerProcess] = {}
        self._problems: dict[int, str | None] = {}
        self._handover = Handover()
        self._served = False
        self._ending = asyncio.Event()
        self._status = 0

    def problem(self) -> str | None:
        """Why no worker is ready; None if one is."""
        if self._ending.is_set():
            return "shutting down"
        if not self._problems:
            return "starting"
        problems = [each for each in self._problems.values() if each]
        return problems[0] if len(problems) == len(self._problems) else None

    async def run(self) -> int:
        """Serve until SIGTERM, SIGINT or SIGHUP; the exit status."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN:  # nohup
                loop.add_signal_handler(number, self._ending.set)
        async with _status_server(
            self._options.metrics_bind_address, self.problem, self._directory
        ) as address:
            host, port = self._listener.getsockname()[:2]
            _log.info(
                "listening", extra={"fields": {"address": host, "port": port, "metrics": address}}
            )
            slots = [asyncio.create_task(self._keep(slot)) for slot in range(self._options.workers)]
            await self._ending.wait()
            await self._end(slots)
        return self._status

    async def _end(self, slots: list[asyncio.Task[None]]) -> None:
        """Let the workers drain, and kill those that do not."""
        self._listener.close()
        self._signal(signal.SIGTERM)
        timeout = self._options.shutdown_delay + self._options.drain_timeout + _GRACE
        _, late = await asyncio.wait(slots, timeout=timeout)
        if late:
            _log.error("workers that did not drain are killed")
            self._signal(signal.SIGKILL)
            await asyncio.wait(late)

    def _signal(self, number: signal.Signals) -> None:
        for process in self._processes.values():
            process.send(number)

    async def _keep(self, slot: int) -> None:
        """Keep one worker running; the pauses grow while it fails to start.

        A worker that cannot start ends the supervisor only if none has served before.
        """
        pause = 0.0
        while not self._ending.is_set():
            code, served = await self._run_worker(slot)
            if self._ending.is_set():
                return
            if code == CANNOT_START and not self._served:
                self._status = CANNOT_START
                self._ending.set()
                return
            pause = 0.0 if served else min(2 * pause + 0.5, _LONGEST_PAUSE)
            _log.error("worker died", extra={"fields": {"slot": slot, "status": code}})
            self._metrics.restarted()
            await self._pause(pause)

    async def _pause(self, seconds: float) -> None:
        try:
            await asyncio.wait_for(self._ending.wait(), seconds)
        except TimeoutError:
            return

    async def _run_worker(self, slot: int) -> tuple[int, bool]:
        """Run one worker to its end: its status, and whether it has served."""
        self._problems[slot] = "starting"
        try:
            process = await WorkerProcess.start(replace(self._options, slot=slot), self._handover)
        except OSError as error:  # no memory, no process: perhaps later
            _log.error("cannot start a worker: %s", error)
            return _NEVER_STARTED, False
        self._processes[slot] = process
        if self._ending.is_set():  # it started after the others got the signal
            process.send(signal.SIGTERM)
        served = False
        async for message in process.messages():
            self._handover = self._handover.updated(message)
            self._problems[slot] = message.get("problem", self._problems[slot])
            served = served or self._problems[slot] is None
            self._served = self._served or served
        self._problems[slot] = "died"
        return await process.status(), served


@asynccontextmanager
async def _status_server(
    address: str, problem: Callable[[], str | None], directory: Path
) -> AsyncIterator[str]:
    """Serve health and metrics over plain HTTP at `HOST:PORT`; gives the bound address.

    Raises `OSError`.
    """

    async def health(_: web.Request) -> web.Response:
        return web.Response(text="ok")

    async def readiness(_: web.Request) -> web.Response:
        found = problem()
        return web.Response(text=found or "ok", status=503 if found else 200)

    async def metrics(_: web.Request) -> web.Response:
        return web.Response(body=exposition(directory), headers={"Content-Type": CONTENT_TYPE})

    app = web.Application(client_max_size=1024)
    app.router.add_get("/healthz", health)
    app.router.add_get("/readyz", readiness)
    app.router.add_get("/metrics", metrics)
    runner = web.AppRunner(app, access_log=None, keepalive_timeout=30, shutdown_timeout=1)
    await runner.setup()
    try:
        host, port = parse_address(address)
        await web.TCPSite(runner, host, port).start()
        yield "{}:{}".format(*runner.addresses[0][:2])
    finally:
        await runner.cleanup()


def run(options: ServeOptions) -> int:
    """Serve; the exit status. Raises `OSError` if a port is not available."""
    family = socket.AF_INET6 if ":" in options.bind_address else socket.AF_INET
    address = (options.bind_address, options.port)
    with (
        socket.create_server(address, family=family, backlog=_BACKLOG) as listener,
        tempfile.TemporaryDirectory(prefix="celvet-") as directory,
    ):
        listener.setblocking(False)

        async def main() -> int:
            return await Supervisor(options, listener, Path(directory)).run()

        return asyncio.run(main())
