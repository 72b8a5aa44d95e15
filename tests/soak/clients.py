"""Clients of a server under attack, and the outcome of their requests."""

from __future__ import annotations

import asyncio
import itertools
import json
import ssl
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp

from tests.webhook.malformed import MALFORMED
from tests.webhook.reviews import kustomization, review
from tests.webhook.serving import Serving

HOST = "127.0.0.1"
"""No name, which threads would look up: their answers can fill the pipe that wakes an event loop,
and a signal that finds it full is lost."""

PATIENCE = 12.0
"""The webhook's `timeoutSeconds` in the chart."""


@dataclass
class Tally:
    """The outcome of requests: `wrong` answers, malformed ones `refused`, seconds of the others."""

    failed: list[str] = field(default_factory=list)
    unjudged: int = 0
    wrong: int = 0
    refused: int = 0
    seen: list[float] = field(default_factory=list)
    new: list[float] = field(default_factory=list)

    @property
    def answered(self) -> int:
        return len(self.seen) + len(self.new)

    @property
    def clean(self) -> bool:
        """Whether each request got the right answer."""
        return not self.failed and not self.unjudged and not self.wrong

    def add(self, response: dict[str, Any], allowed: bool, seconds: float, *, new: bool) -> None:
        unjudged = "unjudged" in response.get("auditAnnotations", {})
        self.unjudged += unjudged
        self.wrong += not unjudged and response["allowed"] is not allowed
        (self.new if new else self.seen).append(seconds)


@dataclass(frozen=True)
class Target:
    """Where requests go."""

    served: Serving
    session: aiohttp.ClientSession

    async def post(self, body: bytes, **headers: str) -> tuple[int, bytes]:
        url = f"https://{HOST}:{self.served.port}/validate"
        given = {"Content-Type": "application/json", **headers}
        async with self.session.post(url, data=body, headers=given) as answer:
            return answer.status, await answer.read()

    def context(self) -> ssl.SSLContext:
        return ssl.create_default_context(cadata=self.served.ca.decode())


@asynccontextmanager
async def target(
    served: Serving, connections: int, patience: float = PATIENCE
) -> AsyncIterator[Target]:
    """Clients with this many connections; they check no certificate, because it may rotate."""
    connector = aiohttp.TCPConnector(limit=connections, ssl=False)
    timeout = aiohttp.ClientTimeout(total=patience)
    async with aiohttp.ClientSession(connector=connector, timeout=timeout) as session:
        yield Target(served, session)


_numbers = itertools.count()

_REQUEST = review(kustomization("true"))["request"]
HONEST_NAMESPACE, HONEST_USER = _REQUEST["namespace"], _REQUEST["userInfo"]["username"]


def honest_reviews() -> Iterator[tuple[bytes, bool, bool]]:
    """Ordinary bodies: whether each should be allowed, and whether it is new."""
    for number in itertools.count():
        new = number % 2 == 1
        name = f"n{next(_numbers)}" if new else "seen"
        for text, allowed in ((f"status.{name} == 1", True), (f"status.{name} ==", False)):
            yield json.dumps(review(kustomization(text))).encode(), allowed, new


async def malformed(at: Target, tally: Tally, ended: asyncio.Event, pause: float) -> None:
    """Send bodies that are not reviews, one after the other, and see them refused."""
    for name, body, says in itertools.cycle(MALFORMED):
        if ended.is_set():
            return
        try:
            status, content = await at.post(body)
            if status != 400 or says not in json.loads(content)["message"]:
                tally.failed.append(f"{name}: {status}: {content[:200]!r}")
            tally.refused += 1
        except (aiohttp.ClientError, OSError, TimeoutError) as error:
            tally.failed.append(f"{name}: {type(error).__name__}: {error}")
        await asyncio.sleep(pause)


async def honest(at: Target, tally: Tally, ended: asyncio.Event, pause: float = 0.005) -> None:
    """Send one request after the other and record the outcomes."""
    for body, allowed, new in honest_reviews():
        if ended.is_set():
            return
        started = time.perf_counter()
        try:
            status, content = await at.post(body)
            if status == 200:
                response = json.loads(content)["response"]
                tally.add(response, allowed, time.perf_counter() - started, new=new)
            else:
                tally.failed.append(f"{status}: {content[:200]!r}")
        except (aiohttp.ClientError, OSError, TimeoutError) as error:
            tally.failed.append(f"{type(error).__name__}: {error}")
        await asyncio.sleep(pause)


async def hostile(at: Target, bodies: Iterator[bytes], ended: asyncio.Event) -> None:
    """Send without pause, whatever the answers are."""
    while not ended.is_set():
        with suppress(aiohttp.ClientError, OSError, TimeoutError):
            status, content = await at.post(next(bodies))
            assert status in (200, 400, 408, 413, 429, 500), content[:200]


@dataclass
class Memory:
    """The proportional set size of a process tree in MiB, and the number of its open files."""

    pid: int
    peak: float = 0.0

    def now(self) -> float:
        return sum(map(_pss, [self.pid, *below(self.pid)])) / 1024

    def files(self) -> int:
        return sum(1 for _ in Path(f"/proc/{self.pid}/fd").iterdir())

    async def watch(self, ended: asyncio.Event) -> None:
        while not ended.is_set():
            self.peak = max(self.peak, await asyncio.to_thread(self.now))
            await asyncio.sleep(0.2)


def below(pid: int) -> list[int]:
    """All descendants of a process."""
    found = []
    with suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in map(int, (task / "children").read_text().split()):
                found += [child, *below(child)]
    return found


def _pss(pid: int) -> int:
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1])
    return 0
