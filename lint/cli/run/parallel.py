"""Distributes work to processes if there is enough of it, and shows the progress."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from celvet.lint.cli.exit import Exit

if TYPE_CHECKING:
    from click import ClickException

    from celvet.lint.cli.run.fork import Fork

ItemT = TypeVar("ItemT")
ResultT = TypeVar("ResultT")

_LONG_WORK = 50
"""The number of items from which a terminal shows a progress bar."""

_FORKS = sys.platform == "linux"
"""Elsewhere a fork is not safe, and a process has to load and read everything again."""

_FILES_A_PROCESS = 25 if _FORKS else 250
"""Starting a process takes as long as so many files that concern celvet."""

_BYTES_A_FILE = 3_000
"""The usual length of such a file."""

_CHUNK = 10
"""Items that are sent to a process together where it is not a fork."""


def in_parallel(
    work: Callable[[ItemT], ResultT],
    items: Sequence[ItemT],
    processes: int,
    prepare: Callable[[], object] | None = None,
) -> Iterator[ResultT]:
    """The result for each item, in order, computed in `processes` processes including this one.

    Before others are forked, this process runs `prepare` and works on the first item, so that they
    need not load the same again. `work` must not raise; it and its results must be picklable.
    Raises `click.ClickException` if a process ends before its work is done.
    """
    if processes <= 1 or len(items) <= 1:
        yield from _with_progress(map(work, items), len(items))
    elif _FORKS:
        if prepare:
            prepare()
        yield work(items[0])
        yield from _run_in_forks(work, items[1:], processes)
    else:
        yield from _with_progress(_run_in_pool(work, items, processes), len(items))


def _run_in_pool(
    work: Callable[[ItemT], ResultT], items: Sequence[ItemT], processes: int
) -> Iterator[ResultT]:
    import multiprocessing
    from concurrent.futures import BrokenExecutor, ProcessPoolExecutor

    context = multiprocessing.get_context("spawn")
    try:
        with ProcessPoolExecutor(processes, context) as pool:
            yield from pool.map(work, items, chunksize=_CHUNK)
    except BrokenExecutor:
        raise _killed_error() from None


def _run_in_forks(
    work: Callable[[ItemT], ResultT], items: Sequence[ItemT], processes: int
) -> Iterator[ResultT]:
    from celvet.lint.cli.run.fork import Fork

    # Every n-th item is for one process: long files are next to each other.
    shares = [items[start::processes] for start in range(processes)]
    gc.freeze()  # else each process copies the memory that its garbage collector visits
    forks: list[Fork] = []
    try:
        with suppress(OSError):  # if the machine allows no further process, this one does the rest
            for share in shares[1:]:
                forks.append(Fork(partial(_work_on, work, share)))
        own_share, *other_shares = (shares[0], *shares[1 + len(forks) :])
        results = [list(_with_progress(map(work, own_share), len(own_share)))]
        results += map(_result_of, forks)
        results += (_work_on(work, share) for share in other_shares)
    finally:
        for fork in forks:
            fork.kill()
    for index in range(len(items)):
        yield results[index % processes][index // processes]


def _work_on(work: Callable[[ItemT], ResultT], items: Sequence[ItemT]) -> list[ResultT]:
    return list(map(work, items))


def _result_of(fork: Fork) -> list[Any]:
    try:
        results: list[Any] = fork.result()
    except EOFError:
        raise _killed_error() from None
    return results


def _killed_error() -> ClickException:
    from click import ClickException

    class ProcessKilledError(ClickException):
        exit_code = Exit.INTERNAL

    return ProcessKilledError(
        "a process was killed, perhaps for lack of memory; try again with --jobs 1"
    )


def processes_for(files: Sequence[object], jobs: int, size: int = 0) -> int:
    """The best number of processes for files of a size together, unless the user sets it."""
    usual = max(len(files), size // _BYTES_A_FILE)
    return jobs or min(cores(), len(files), usual // _FILES_A_PROCESS)


def cores() -> int:
    """The processors that this process may use; a container can limit them."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def _with_progress(results: Iterator[ResultT], total: int) -> Iterator[ResultT]:
    """The results, with a progress bar on a terminal if there are many."""
    if total < _LONG_WORK or not sys.stderr.isatty():
        yield from results
        return
    from rich.console import Console
    from rich.progress import track

    console = Console(stderr=True)
    yield from track(results, "linting", total, console=console, transient=True)
