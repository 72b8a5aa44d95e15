"""The process that was started: keeps the workers, and the port for health and metrics."""

from __future__ import annotations

import asyncio
import logging
import signal
import socket
import tempfile
from dataclasses import replace
from pathlib import Path

from celvet.webhook.metrics import Metrics
from celvet.webhook.options import CANNOT_START, Options
from celvet.webhook.process import status
from celvet.webhook.process.channel import Legacy
from celvet.webhook.process.worker_process import WorkerProcess

_log = logging.getLogger(__name__)

_NEVER_STARTED = -1
_LONGEST_PAUSE = 30.0
_BACKLOG = 1024
_GRACE = 5.0


class Supervisor:
    """Starts workers that share a socket, and starts them anew when they die."""

    def __init__(self, options: Options, listener: socket.socket, directory: Path) -> None:
        self._options = replace(options, listener=listener.fileno(), directory=str(directory))
        self._metrics = Metrics(directory, "supervisor")
        self._listener = listener
        self._directory = directory
        self._processes: dict[int, WorkerProcess] = {}
        self._problems: dict[int, str | None] = {}
        self._legacy = Legacy()
        self._served = False
        self._ending = asyncio.Event()
        self._status = 0

    def problem(self) -> str | None:
        """Why no worker should get requests; None if one should."""
        if self._ending.is_set():
            return "shutting down"
        if not self._problems:
            return "starting"
        problems = [each for each in self._problems.values() if each]
        return problems[0] if len(problems) == len(self._problems) else None

    async def run(self) -> int:
        """Serve until SIGTERM, SIGINT or the end of the terminal; the exit status."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN:  # nohup
                loop.add_signal_handler(number, self._ending.set)
        async with status.serving(
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
        """Let the workers drain, and end those that do not."""
        self._listener.close()
        self._signal(signal.SIGTERM)
        patience = self._options.shutdown_delay + self._options.drain_timeout + _GRACE
        _, late = await asyncio.wait(slots, timeout=patience)
        if late:
            _log.error("workers that did not drain are killed")
            self._signal(signal.SIGKILL)
            await asyncio.wait(late)

    def _signal(self, number: signal.Signals) -> None:
        for process in self._processes.values():
            process.send(number)

    async def _keep(self, slot: int) -> None:
        """One worker after another, at growing distance while they fail as they start.

        What keeps a worker from starting is the end of all only as long as none has served.
        """
        pause = 0.0
        while not self._ending.is_set():
            code, served = await self._work(slot)
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

    async def _work(self, slot: int) -> tuple[int, bool]:
        """One worker from start to end: its status, and whether it has served."""
        self._problems[slot] = "starting"
        try:
            process = await WorkerProcess.start(replace(self._options, slot=slot), self._legacy)
        except OSError as error:  # no memory, no process: perhaps later
            _log.error("cannot start a worker: %s", error)
            return _NEVER_STARTED, False
        self._processes[slot] = process
        if self._ending.is_set():  # it was not there when the others were told
            process.send(signal.SIGTERM)
        served = False
        async for message in process.messages():
            self._legacy = self._legacy.with_(message)
            self._problems[slot] = message.get("problem", self._problems[slot])
            served = served or self._problems[slot] is None
            self._served = self._served or served
        self._problems[slot] = "died"
        return await process.status(), served


def run(options: Options) -> int:
    """Serve; the exit status. Raises `OSError` where a port cannot be had."""
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
