"""Attacks on a server while honest clients use it.

    python -m tests.soak.attacks [--seconds N] [--write] [ATTACK...]

Prints a row for each attack: how many honest requests were answered, failed, not checked, or
answered wrongly; the 99th percentile of their times in milliseconds, for known and for new
objects; the peak of the memory of all processes. Fails if one is not answered rightly, or if the
memory exceeds the limit.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import os
import re
import signal
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
    HONEST_NAMESPACE,
    HONEST_USER,
    PATIENCE,
    Memory,
    Tally,
    Target,
    below,
    honest,
    honest_reviews,
    malformed,
    target,
)
from tests.soak.clients import hostile as send
from tests.soak.sockets import SOCKETS
from tests.webhook.serving import Serving, authority, children, serving, write_pair

GUIDE = Path(__file__).parents[2] / "docs" / "webhook.md"
_TABLE = re.compile(r"(?<=<!-- attacks -->\n).*?(?=<!-- end -->)", re.DOTALL)

LIMIT = 1216
"""MiB: the memory limit of the chart's values."""

Attack = Callable[[Target, asyncio.Event], Coroutine[Any, Any, Any]]


def many(count: int, kinds: dict[str, Any], *, fresh: bool = False) -> Attack:
    """This many clients, which send bodies of these kinds without pause."""

    async def attack(at: Target, ended: asyncio.Event) -> None:
        bodies = hostile.cycle(kinds, fresh=fresh)
        await asyncio.gather(*(send(at, bodies, ended) for _ in range(count)))

    return attack


def apart(count: int, *, namespaces: bool) -> Attack:
    """This many clients with expressions up to the limit of processor time, each another user.

    Each is in a namespace of its own, or all are in that of the honest clients.
    """

    async def attack(at: Target, ended: asyncio.Event) -> None:
        bodies = hostile.cycle(hostile.LIMIT, fresh=True)

        def of_client(number: int) -> Iterator[bytes]:
            namespace = f"hostile-{number}" if namespaces else HONEST_NAMESPACE
            places = (
                f'"namespace": "{hostile.NAMESPACE}"'.encode(),
                f'"namespace": "{namespace}"'.encode(),
            )
            users = (f'"{HONEST_USER}"'.encode(), f'"hostile-{number}"'.encode())
            for body in bodies:
                yield body.replace(*places).replace(*users)

        await asyncio.gather(*(send(at, of_client(number), ended) for number in range(count)))

    return attack


async def nonsense(at: Target, ended: asyncio.Event) -> None:
    """Malformed bodies."""
    await asyncio.gather(*(malformed(at, Tally(), ended, 0.0) for _ in range(8)))


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


def fork_servers(served: Serving) -> list[int]:
    """The fork server, whose children judge."""
    return [pid for pid in children(served.process.pid) if children(pid)]


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


async def nothing(_: Target, ended: asyncio.Event) -> None:
    await ended.wait()


ATTACKS: dict[str, Attack] = {
    "none": nothing,
    "8 clients, malformed bodies": nonsense,
    "12 clients, small hostile expressions": many(12, hostile.SMALL, fresh=True),
    "12 clients, large ones": many(12, hostile.LARGE),
    "24 clients, both": many(24, {**hostile.SMALL, **hostile.LARGE}),
    "60 clients up to the CPU limit, one namespace": many(60, hostile.LIMIT, fresh=True),
    "60 users, in the namespace of the honest clients": apart(60, namespaces=False),
    "60 users, in 60 namespaces": apart(60, namespaces=True),
    "24 clients, ResourceSets": many(24, hostile.RESOURCE_SETS, fresh=True),
    "24 clients, patches": many(24, hostile.PATCHES, fresh=True),
    "24 clients, HelmReleases": many(24, hostile.RELEASES, fresh=True),
    **{f"16 clients, {name}": many(16, {name: make}) for name, make in hostile.WORST.items()},
    "16 clients, all of these": many(16, hostile.WORST),
    **SOCKETS,
    "judging processes killed": killing(signal.SIGKILL, judging),
    "the fork server killed": killing(signal.SIGKILL, fork_servers),
    "certificates and policies changed": rotating,
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
    """Run six honest clients and an attack for this many seconds.

    The server has seen them before, as it has the controllers of its cluster.
    """
    memory = Memory(served.process.pid)
    for body, allowed, _ in itertools.islice(honest_reviews(), 4):
        assert served.post(body)[1]["response"]["allowed"] is allowed

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


_HEAD = """\
| attack | requests | failed | unjudged | wrong | p99 seen, ms | p99 new, ms | peak, MiB |
|---|---|---|---|---|---|---|---|
"""


def _row(name: str, tally: Tally, memory: Memory) -> str:
    counts = [tally.answered, len(tally.failed), tally.unjudged, tally.wrong]
    times = [f"{1000 * _p99(seconds):.0f}" for seconds in (tally.seen, tally.new)]
    return f"| {' | '.join([name, *map(str, counts), *times, f'{memory.peak:.0f}'])} |\n"


def _p99(seconds: list[float]) -> float:
    return statistics.quantiles(seconds, n=100)[98] if len(seconds) > 1 else 0.0


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.soak.attacks")
    parser.add_argument("attacks", nargs="*", metavar="ATTACK", help=", ".join(ATTACKS))
    parser.add_argument("--seconds", type=float, default=12.0)
    parser.add_argument("--write", action="store_true", help="write the rows into the guide")
    given = parser.parse_args()
    clean, rows = True, dict[str, str]()
    print(_HEAD, end="", flush=True)
    for name in given.attacks or ATTACKS:
        with tempfile.TemporaryDirectory() as directory, attacked(Path(directory)) as served:
            tally, memory = run(served, ATTACKS[name], given.seconds)
            rows[name] = _row(name, tally, memory)
            print(rows[name].strip(), *sorted(set(tally.failed))[:3], sep="\n", flush=True)
            clean = clean and tally.clean and memory.peak < LIMIT
            clean = clean and served.process.poll() is None
            clean = clean and "Traceback" not in served.log.read_text()
    if given.write:
        _write(rows)
    sys.exit(not clean)


def _write(rows: dict[str, str]) -> None:
    """Put rows into the table of the guide, in the place of those of the same attacks."""
    text = GUIDE.read_text(encoding="utf-8")
    table = _TABLE.search(text)
    assert table
    former = {line.split(" | ")[0][2:]: f"{line}\n" for line in table[0].splitlines()}
    merged = {**former, **rows}
    lines = [merged[name] for name in ATTACKS if name in merged]
    GUIDE.write_text(_TABLE.sub(lambda _: _HEAD + "".join(lines), text), encoding="utf-8")


if __name__ == "__main__":
    main()
