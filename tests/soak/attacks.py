"""Attacks on a server while honest clients use it.

    python -m tests.soak.attacks [--seconds N] [ATTACK...]

Prints a row for each attack: how many honest requests were answered, failed, not checked, or
answered wrongly; the median and 99th percentile of their times in milliseconds, for known and for
new objects; the memory of all processes in MiB, at its peak and afterwards. Fails if a request
fails or gets a wrong answer, or if the memory exceeds the limit.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import os
import signal
import ssl
import statistics
import sys
import tempfile
import traceback
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from tests.soak import hostile
from tests.soak.clients import (
    HOST,
    PATIENCE,
    Memory,
    Tally,
    Target,
    below,
    honest,
    silent,
    slow,
    target,
)
from tests.soak.clients import hostile as send
from tests.webhook.serving import Serving, authority, serving, write_pair

LIMIT = 1216
"""MiB: the memory limit of the chart's values."""

Attack = Callable[[Target, asyncio.Event], Coroutine[Any, Any, Any]]


def many(count: int, kinds: dict[str, Any], *, fresh: bool = False) -> Attack:
    """This many clients, which send bodies of these kinds without pause."""

    async def attack(at: Target, ended: asyncio.Event) -> None:
        bodies = hostile.cycle(kinds, fresh=fresh)
        await asyncio.gather(*(send(at, bodies, ended) for _ in range(count)))

    return attack


def killing(number: signal.Signals, victims: Callable[[Serving], list[int]]) -> Attack:
    """Send a signal to processes again and again, except to those that have just started.

    A review whose process dies twice is an error, so no review may lose two.
    """

    async def attack(at: Target, ended: asyncio.Event) -> None:
        known = set[int]()
        while not ended.is_set():
            running = set(victims(at.served))
            for pid in known & running:
                with suppress(ProcessLookupError):
                    os.kill(pid, number)
            known = running
            await asyncio.sleep(0.8)

    return attack


def judging(served: Serving) -> list[int]:
    """The judging processes, which are grandchildren of the server."""
    direct = set(below(served.process.pid))
    return [pid for each in direct for pid in below(each)]


async def rotating(at: Target, ended: asyncio.Event) -> None:
    """Write new certificates, bad pairs, and good and bad policies without pause."""
    directory = at.served.log.parent
    for turn in itertools.count():
        if ended.is_set():
            break
        signer = authority()
        write_pair(directory, signer)
        if turn % 3 == 2:
            (directory / "tls.key").write_bytes(b"no key")
        (directory / "policy.yaml").write_text("enforce: [" if turn % 2 else "enforce: deny")
        await asyncio.sleep(0.7)
    write_pair(directory, authority())


async def half_open(at: Target, ended: asyncio.Event) -> None:
    await asyncio.gather(silent(at, 2600, ended), *(slow(at, ended) for _ in range(20)))


async def wordless(at: Target, ended: asyncio.Event) -> None:
    """Connections that never begin TLS, each opened again when it is closed."""

    async def one() -> None:
        while True:
            with suppress(OSError):
                reader, writer = await asyncio.open_connection(HOST, at.served.port)
                await reader.read()
                writer.close()

    opening = [asyncio.create_task(one()) for _ in range(2600)]
    await ended.wait()
    for each in opening:  # those that the backlog dropped would wait forever
        each.cancel()


async def refusing(at: Target, ended: asyncio.Event) -> None:
    """Clients that do not trust the certificate and keep trying."""
    context = ssl.create_default_context()

    async def one() -> None:
        while not ended.is_set():
            with suppress(OSError):
                await asyncio.open_connection(HOST, at.served.port, ssl=context)

    await asyncio.gather(*(one() for _ in range(20)))


async def nothing(_: Target, ended: asyncio.Event) -> None:
    await ended.wait()


ATTACKS: dict[str, Attack] = {
    "none": nothing,
    "12 small": many(12, hostile.SMALL, fresh=True),
    "12 large": many(12, hostile.LARGE),
    "24 mixed": many(24, {**hostile.SMALL, **hostile.LARGE}),
    **{f"16 x {name}": many(16, {name: make}) for name, make in hostile.WORST.items()},
    "16 worst": many(16, hostile.WORST),
    "2,600 silent, 20 slow": half_open,
    "2,600 without a handshake": wordless,
    "20 refuse the certificate": refusing,
    "kill judging processes": killing(signal.SIGKILL, judging),
    "certificates, policies": rotating,
}


@contextmanager
def attacked(directory: Path) -> Iterator[Serving]:
    """A server as the chart runs it."""
    (directory / "policy.yaml").write_text("enforce: deny")
    options = ("--config", directory / "policy.yaml", "--reload-interval", 0.3)
    with serving(directory, *options, "--memory-limit", LIMIT) as served:
        yield served


@contextmanager
def attacking(served: Serving, *attacks: Attack) -> Iterator[None]:
    """Run the attacks in separate processes, so that they do not slow the honest clients down."""
    pids = [_fork(served, each) for each in attacks]
    try:
        yield
    finally:
        for pid in pids:
            os.kill(pid, signal.SIGTERM)
        statuses = [os.waitpid(pid, 0)[1] for pid in pids]
    assert {*statuses} <= {0, signal.SIGTERM}, "an attack has failed"


def _fork(served: Serving, attack: Attack) -> int:
    if pid := os.fork():
        return pid
    try:
        asyncio.run(_attack(served, attack))
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    os._exit(0)


async def _attack(served: Serving, attack: Attack) -> None:
    ended = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, ended.set)
    async with target(served, 64) as at:
        await attack(at, ended)


def run(
    served: Serving, attack: Attack, seconds: float, patience: float = PATIENCE
) -> tuple[Tally, Memory]:
    """Run six honest clients and an attack for this many seconds."""
    memory = Memory(served.process.pid)

    async def main() -> Tally:
        tally, ended = Tally(), asyncio.Event()
        watching = asyncio.create_task(memory.watch(ended))
        async with target(served, 8, patience) as at:
            working = [asyncio.create_task(honest(at, tally, ended)) for _ in range(6)]
            await asyncio.sleep(seconds)
            ended.set()
            await asyncio.gather(watching, *working)
        return tally

    with attacking(served, attack):
        return asyncio.run(main()), memory


def _row(name: str, tally: Tally, memory: Memory) -> str:
    counts = [tally.answered, len(tally.failed), tally.unjudged, tally.wrong]
    times = [
        f"{1000 * each:.0f}" for some in (tally.seen, tally.new) for each in _percentiles(some)
    ]
    memories = [f"{memory.peak:.0f}", f"{memory.now():.0f}"]
    return f"| {' | '.join([name, *map(str, counts), *times, *memories])} |"


def _percentiles(seconds: list[float]) -> tuple[float, float]:
    if len(seconds) < 2:
        return 0.0, 0.0
    return statistics.median(seconds), statistics.quantiles(seconds, n=100)[98]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.soak.attacks")
    parser.add_argument("attacks", nargs="*", metavar="ATTACK", help=", ".join(ATTACKS))
    parser.add_argument("--seconds", type=float, default=12.0)
    given = parser.parse_args()
    clean = True
    print(
        "| attack | answered | failed | unjudged | wrong | seen p50 | p99 | new p50 | p99 |", end=""
    )
    print(" peak MiB | after |\n|" + "---|" * 11)
    for name in given.attacks or ATTACKS:
        with tempfile.TemporaryDirectory() as directory, attacked(Path(directory)) as served:
            tally, memory = run(served, ATTACKS[name], given.seconds)
            print(_row(name, tally, memory), *sorted(set(tally.failed))[:3], sep="\n", flush=True)
            clean = clean and tally.clean and memory.peak < LIMIT
            clean = clean and served.process.poll() is None
            clean = clean and "Traceback" not in served.log.read_text()
    sys.exit(not clean)


if __name__ == "__main__":
    main()
