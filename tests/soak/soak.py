"""Sends mixed requests to one server and checks every answer, while everything else happens.

    python -m tests.soak.soak [--requests N]

Honest requests (good and bad, known and new) and malformed ones are counted. Meanwhile, hostile
requests arrive, connections stay idle or stop in the middle of a request, certificates and policies
change, and judging processes are killed. Prints memory (MiB) and open files ten times, and fails if
an answer is wrong or either of the two grows.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from pathlib import Path

from tests.soak import hostile
from tests.soak.attacks import ATTACKS, LIMIT, Attack, attacked, attacking, many
from tests.soak.clients import PATIENCE, Memory, Tally, honest, malformed, target
from tests.soak.sockets import idling
from tests.webhook.serving import Serving

_KINDS = {**hostile.SMALL, **hostile.LARGE, **hostile.WORST}


BESIDE: tuple[Attack, ...] = (
    many(2, _KINDS),
    idling,
    ATTACKS["certificates and policies changed"],
    ATTACKS["judging processes killed"],
)


async def _send(
    served: Serving, requests: int, memory: Memory, patience: float
) -> tuple[Tally, list[float]]:
    tally, ended, sizes = Tally(), asyncio.Event(), list[float]()
    async with target(served, 16, patience) as at:
        senders = [honest(at, tally, ended, 0.0) for _ in range(6)]
        senders += [malformed(at, tally, ended, 0.0)]
        working = [asyncio.create_task(each) for each in senders]
        while (done := tally.answered + tally.refused + len(tally.failed)) < requests:
            if done >= requests * len(sizes) / 10:
                sizes.append(memory.now())
                print(
                    f"{done:>8} requests: {sizes[-1]:.0f} MiB, {memory.files()} files", flush=True
                )
            await asyncio.sleep(0.05)
        ended.set()
        await asyncio.gather(*working)
    return tally, sizes


def soak(served: Serving, requests: int, patience: float = PATIENCE) -> tuple[Tally, list[float]]:
    """Send this many requests; returns the memory in MiB, measured ten times."""
    with attacking(served, *BESIDE):
        return asyncio.run(_send(served, requests, Memory(served.process.pid), patience))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.soak.soak")
    parser.add_argument("--requests", type=int, default=300_000)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory, attacked(Path(directory)) as served:
        files = Memory(served.process.pid).files()
        tally, sizes = soak(served, given.requests)
        served.until(lambda: Memory(served.process.pid).files() <= files + 10)
        print(
            f"answered {tally.answered}, refused {tally.refused}, failed {len(tally.failed)},"
            f" unjudged {tally.unjudged}, wrong {tally.wrong}"
        )
        print(*sorted(set(tally.failed))[:5], sep="\n")
        flat = max(sizes[5:]) < min(LIMIT, 1.3 * max(sizes[2:5]) + 32)
        sys.exit(not (tally.clean and flat))


if __name__ == "__main__":
    main()
