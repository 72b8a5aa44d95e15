"""`python -m tests.fuzz TARGET [--seconds N | --count N] [--seed N]`; status 1 for a fault."""

from __future__ import annotations

import argparse
import itertools
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from random import Random, SystemRandom

from tests.conformance.answer import Vector
from tests.fuzz import differential, parts, readers, waiters

_MOST_SHOWN = 10


def main() -> None:
    """Fuzz for some seconds or a number of vectors, print what was found and exit."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("target", choices=_TARGETS)
    bound = parser.add_mutually_exclusive_group()
    bound.add_argument("--seconds", type=float, default=60, help="how long (60)")
    bound.add_argument("--count", type=int, help="how often; with a seed, the same on any machine")
    parser.add_argument("--seed", type=int, default=SystemRandom().randrange(1 << 32))
    given = parser.parse_args()
    times = range(given.count) if given.count else _for(given.seconds)
    print(f"{given.target}: seed {given.seed}", flush=True)
    found = _TARGETS[given.target](given.seed, times)
    for each in found[:_MOST_SHOWN]:
        print(each)
    sys.exit(bool(found))


def _for(seconds: float) -> Iterator[int]:
    end = time.monotonic() + seconds
    return itertools.takewhile(lambda _: time.monotonic() < end, itertools.count())


def _differential(seed: int, times: Iterable[int]) -> list[str]:
    maker = differential.Maker(seed)
    return _compared(maker.batch, times)


def _gates(seed: int, times: Iterable[int]) -> list[str]:
    maker = differential.Maker(seed)
    return _compared(maker.gates, times)


def _compared(batch: Callable[[], Iterator[Vector]], times: Iterable[int]) -> list[str]:
    tally = differential.Tally()
    for _ in times:
        differential.compare([*batch()], tally)
    asked = ", ".join(f"{number} {mode}" for mode, number in sorted(tally.asked.items()))
    print(f"{tally.asked.total()} vectors ({asked}), {tally.unanalysed} not analysed,", end=" ")
    print(f"{tally.listed} disagree as listed, {tally.varying} vary, {len(tally.wrong)} otherwise")
    return [differential.shown(*each) for each in tally.wrong]


def _readers(seed: int, times: Iterable[int]) -> list[str]:
    damage, total, crashes = readers.Damage(seed), 0, []
    for _ in times:
        total += 1
        if found := readers.crash(*damage.next()):
            crashes.append(found)
    print(f"{total} damaged files, {len(crashes)} crashes")
    return [*_shown(crashes)]


def _parts(seed: int, times: Iterable[int]) -> list[str]:
    random, total, failed = Random(seed), 0, []
    for _ in times:
        total += 1
        found = parts.damaged(random)
        if found.failed:
            failed.append(f"{found.reader}: {found.given!r}\n  {found.failed}")
    print(f"{total} damaged parts, {len(failed)} crashes")
    return failed


def _shown(crashes: list[readers.Crash]) -> Iterator[str]:
    for each in crashes:
        damaged = each.session.files.get(each.damaged, each.session.stdin)
        yield f"{each.session.run}\n  {each.damaged}: {damaged!r}\n  {each.said}"


def _waiters(seed: int, times: Iterable[int]) -> list[str]:
    maker, differences = waiters.Waiters(seed), []
    for _ in times:
        differences += maker.differences()
    print(f"{maker.asked} questions, {len(differences)} answered otherwise")
    return differences


_TARGETS = {
    "differential": _differential,
    "gates": _gates,
    "parts": _parts,
    "readers": _readers,
    "waiters": _waiters,
}

if __name__ == "__main__":
    main()
