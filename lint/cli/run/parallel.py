"""Distributes work to processes if there is enough of it, and shows the progress."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

from celvet.lint.cli import Exit

if TYPE_CHECKING:
    from click import ClickException

ItemT = TypeVar("ItemT")
ResultT = TypeVar("ResultT")

_LONG_WORK = 50
"""The number of items from which a terminal shows a progress bar."""

_FILES_A_PROCESS = 100
"""Starting a process takes as long as so many files that concern celvet."""

_CHUNK = 20


def in_parallel(
    work: Callable[[ItemT], ResultT], items: Sequence[ItemT], processes: int
) -> Iterator[ResultT]:
    """The result for each item, in order, computed in so many processes.

    `work` must not raise, and must be picklable.
    Raises `click.ClickException` if a process ends before its work is done.
    """
    if processes <= 1:
        yield from _shown(map(work, items), len(items))
        return
    import multiprocessing  # this and its like take as long to load as a small file to lint
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    context = multiprocessing.get_context("fork" if sys.platform == "linux" else None)
    try:
        with ProcessPoolExecutor(processes, context) as pool:
            yield from _shown(pool.map(work, items, chunksize=_CHUNK), len(items))
    except BrokenProcessPool:
        raise _killed() from None


def _killed() -> ClickException:
    from click import ClickException

    class ProcessKilledError(ClickException):
        exit_code = Exit.INTERNAL

    return ProcessKilledError(
        "a process was killed, perhaps for lack of memory; try again with --jobs 1"
    )


def processes_for(files: Sequence[object], jobs: int) -> int:
    """How many processes read files best, if the user does not say it."""
    return jobs or min(cores(), len(files) // _FILES_A_PROCESS)


def cores() -> int:
    """The processors that this process may use; a container can limit them."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def _shown(results: Iterator[ResultT], total: int) -> Iterator[ResultT]:
    """The results, with a progress bar on a terminal if there are many."""
    if total < _LONG_WORK or not sys.stderr.isatty():
        yield from results
        return
    from rich.console import Console
    from rich.progress import track

    console = Console(stderr=True)
    yield from track(results, "linting", total, console=console, transient=True)
