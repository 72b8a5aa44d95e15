"""The share of the index of a repository in the CPU time of a run on it.

    python -m bench.index_share DIR...

A cold run without a cache, in one process, so that the time of all parts is counted once. `making`
is the time to read the files and to find who applies them; `questions` is that of the answers to
the rules. What the run reads again from the index costs it nothing: the time counts for the index.
The median of the runs counts, after two that are not counted.
"""

from __future__ import annotations

import argparse
import gc
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from functools import cached_property, wraps
from io import StringIO
from pathlib import Path
from typing import Any

from celvet.lint.repository.index import Index
from celvet.lint.repository.surroundings import RepositoryFile

_RUNS = 7
_WARM_UPS = 2
_PARTS = ("making", "questions")
HEAD = """\
| repository | CPU, ms | making, % | making and questions, % |
|---|---|---|---|"""


def main() -> None:
    """Measure and print; `--one` measures a single run in this process."""
    parser = argparse.ArgumentParser(prog="python -m bench.index_share")
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--runs", type=int, default=_RUNS)
    parser.add_argument("directories", nargs="*", type=Path)
    given = parser.parse_args()
    if given.one:
        print(*_measured(given.directories[0]))
    elif not given.directories:
        print("Nothing was measured, because no repository was named.")
    else:
        print("\n".join(table(given.directories, given.runs)))


def table(directories: Sequence[Path], runs: int = _RUNS) -> Iterator[str]:
    """A row for each directory, the one with the largest share first."""
    yield HEAD
    rows = []
    for each in directories:
        found = [_run(each) for _ in range(_WARM_UPS + runs)][_WARM_UPS:]
        making = statistics.median(making / all_ for all_, making, _ in found)
        both = statistics.median((making + asked) / all_ for all_, making, asked in found)
        all_ = statistics.median(all_ for all_, _, _ in found)
        rows.append((both, f"| {each.name} | {1000 * all_:.0f} | {making:.0%} | {both:.0%} |"))
    yield from (row for _, row in sorted(rows, reverse=True))


def _run(directory: Path) -> tuple[float, float, float]:
    """The seconds of a run, of making the index and of questions to it."""
    command = [sys.executable, "-m", "bench.index_share", "--one", str(directory)]
    env = {key: text for key, text in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    root = Path(__file__).parents[1]
    ran = subprocess.run(command, cwd=root, env=env, check=True, capture_output=True, text=True)
    all_, making, questions = map(float, ran.stdout.split())
    return all_, making, questions


def _measured(directory: Path) -> tuple[float, float, float]:
    from celvet.lint.cli.command_line import exit_status

    clock = _Clock()
    clock.watch_making()
    clock.watch_questions()
    gc.set_threshold(100_000, 20, 20)  # as the command does before it runs
    os.chdir(directory)
    sys.argv = ["celvet", "lint", "--no-cache", "--jobs", "1", "."]
    with redirect_stdout(StringIO()):
        if exit_status(sys.argv[1:]) not in (0, 1):
            raise SystemExit(f"{directory} cannot be linted")
    return time.process_time(), clock.spent["making"], clock.spent["questions"]


class _Clock:
    """The CPU time spent in each part; that of an inner part is not that of an outer one."""

    def __init__(self) -> None:
        self.spent = dict.fromkeys(_PARTS, 0.0)
        self._parts: list[str] = []
        self._since = 0.0

    def watch_making(self) -> None:
        made: Any = Index.__dict__["applications"]
        watched = cached_property(self._watched(made.func, "making"))
        watched.__set_name__(Index, "applications")
        setattr(Index, "applications", watched)  # noqa: B010 - mypy knows its type
        setattr(Index, "__init__", self._watched(Index.__init__, "making"))  # noqa: B010

    def watch_questions(self) -> None:
        setattr(RepositoryFile, "ask", self._watched(RepositoryFile.ask, "questions"))  # noqa: B010

    def _watched(self, function: Callable[..., Any], part: str) -> Callable[..., Any]:
        @wraps(function)
        def watched(*given: Any) -> Any:
            with self._within(part):
                return function(*given)

        return watched

    @contextmanager
    def _within(self, part: str) -> Iterator[None]:
        self._count()
        self._parts.append(part)
        try:
            yield
        finally:
            self._count()
            self._parts.pop()

    def _count(self) -> None:
        now = time.process_time()
        if self._parts:
            self.spent[self._parts[-1]] += now - self._since
        self._since = now


if __name__ == "__main__":
    main()
