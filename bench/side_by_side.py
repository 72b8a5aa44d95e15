"""Runs commands in turn, so that other load on the machine affects all of them."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

Command = Sequence[str | Path]


class Cost(NamedTuple):
    """Seconds of wall and CPU time of all processes together, and megabytes at the peak."""

    wall: float
    cpu: float
    megabytes: float


class Comparison(NamedTuple):
    """The costs of each command, by name, one for each turn."""

    costs: Mapping[str, Sequence[Cost]]

    def ratios(self, one: str, other: str) -> list[float]:
        """The wall time of one command divided by that of another, for each turn, sorted."""
        pairs = zip(self.costs[one], self.costs[other], strict=True)
        return sorted(ours.wall / theirs.wall for ours, theirs in pairs)

    def rows(self, first: str, title: str) -> Iterator[str]:
        """A row for each command, with its ratio to the first."""
        for name, costs in self.costs.items():
            wall, cpu, megabytes = (statistics.median(each) for each in zip(*costs, strict=True))
            ratios = self.ratios(name, first)
            ratio = f"{statistics.median(ratios):.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f})"
            shown = "" if name == first else ratio
            yield (
                f"| {title} | {name} | {1000 * wall:.0f} | {1000 * cpu:.0f} | {megabytes:.0f}"
                f" | {shown} |"
            )


HEAD = "| | | wall, ms | CPU, ms | peak, MB | ratio of wall times |\n|---|---|---|---|---|---|"


def compare(commands: Mapping[str, Command], runs: int, directory: Path) -> Comparison:
    """Run the commands in turn in a directory, `runs` times, after one turn that does not count."""
    costs: dict[str, list[Cost]] = {name: [] for name in commands}
    for turn in range(runs + 1):
        for name, command in commands.items():
            cost = measure(command, directory)
            if turn:
                costs[name].append(cost)
    return Comparison(costs)


def measure(command: Command, directory: Path) -> Cost:
    """Run a command in a directory to its end and discard its output."""
    start = time.perf_counter()
    with Path(os.devnull).open("wb") as nowhere:
        process = subprocess.Popen(
            list(map(str, command)), stdout=nowhere, stderr=nowhere, cwd=directory
        )
        _, status, usage = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status) not in (0, 1):
        sys.exit(f"{command[0]} failed")
    cpu = usage.ru_utime + usage.ru_stime
    return Cost(time.perf_counter() - start, cpu, usage.ru_maxrss / 1024)


def celvet(*arguments: str | Path) -> Command:
    """The command `celvet` of this environment."""
    return (Path(sys.executable).with_name("celvet"), *arguments)
