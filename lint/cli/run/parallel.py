"""Distributes work to processes if there is enough of it, and shows the progress."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from celvet.lint.cli.exit import Exit

if TYPE_CHECKING:
    from types import TracebackType

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

_MOST_TICKETS = 1_024
_TICKET = 4
"""The bytes of a ticket; all tickets of a queue fit into its pipe."""


def in_parallel(
    work: Callable[[ItemT], ResultT],
    items: Sequence[ItemT],
    processes: int,
    later: Collection[ItemT] = (),
    prepare: Callable[[], object] = lambda: None,
) -> Iterator[ResultT]:
    """The result for each item, in order, computed in `processes` processes including this one.

    With several, the items in `later` wait until this process has run `prepare` for them, and are
    worked on in their order there. `work` must not raise; it and its results must be picklable.
    Raises `click.ClickException` if a process ends before its work is done.
    """
    if processes <= 1:
        yield from _shown(map(work, items), len(items))
    elif _FORKS:
        results = _forked(work, items, processes, later, prepare)
        yield from (results[at] for at in range(len(items)))
    else:
        yield from _shown(_spawned(work, items, processes), len(items))


def _spawned(
    work: Callable[[ItemT], ResultT], items: Sequence[ItemT], processes: int
) -> Iterator[ResultT]:
    import multiprocessing
    from concurrent.futures import BrokenExecutor, ProcessPoolExecutor

    context = multiprocessing.get_context("spawn")
    try:
        with ProcessPoolExecutor(processes, context) as pool:
            yield from pool.map(work, items, chunksize=_CHUNK)
    except BrokenExecutor:
        raise _killed() from None


def _forked(
    work: Callable[[ItemT], ResultT],
    items: Sequence[ItemT],
    processes: int,
    later: Collection[ItemT],
    prepare: Callable[[], object],
) -> dict[int, ResultT]:
    """The result for each item by its number."""
    numbers = {item: at for at, item in enumerate(items)}
    waiting = {numbers[item]: item for item in later}
    others: list[Fork] = []
    with (
        _Queue([(at, item) for at, item in enumerate(items) if at not in waiting]) as first,
        _Queue([*waiting.items()]) as second,
    ):
        own = _share(work, (second, first))
        results: dict[int, ResultT] = {}
        try:
            others += _started(work, first, processes - 1)
            if waiting:
                prepare()
                results |= islice(own, 1)  # the forks need not load the same again
                others += _started(work, second, processes - 1)
            results |= _shown(own, len(items) // processes)
            for each in others:
                results |= _received(each)
        finally:
            for each in others:
                each.kill()
    return results


class _Queue(Generic[ItemT]):
    """Numbered items; a free process takes the next few.

    A ticket is the number of the first of them. Reading so few bytes from a pipe needs no lock,
    which a killed process would keep.
    """

    def __init__(self, items: Sequence[tuple[int, ItemT]]) -> None:
        self._items = items
        self._chunk = max(1, -(-len(items) // _MOST_TICKETS))
        self._tickets, box = os.pipe()
        starts = range(0, len(items), self._chunk)
        os.write(box, b"".join(at.to_bytes(_TICKET, "big") for at in starts))
        os.close(box)

    def __enter__(self) -> _Queue[ItemT]:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: object, trace: TracebackType | None
    ) -> None:
        os.close(self._tickets)

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[tuple[int, ItemT]]:
        while ticket := os.read(self._tickets, _TICKET):
            start = int.from_bytes(ticket, "big")
            yield from self._items[start : start + self._chunk]


def _share(
    work: Callable[[ItemT], ResultT], queues: Iterable[_Queue[ItemT]]
) -> Iterator[tuple[int, ResultT]]:
    """The results of one process, each with the number of its item."""
    for at, item in chain.from_iterable(queues):
        yield at, work(item)


def _started(work: Callable[[Any], object], queue: _Queue[Any], most: int) -> Iterator[Fork]:
    """Forks that work on a queue, as many as the machine allows; this process works too."""
    from celvet.lint.cli.run.fork import Fork

    gc.freeze()  # else each process copies the memory that its garbage collector visits
    with suppress(OSError):
        for _ in range(min(most, len(queue))):
            yield Fork(lambda: dict(_share(work, (queue,))))


def _received(other: Fork) -> dict[int, Any]:
    try:
        return dict(other.result())
    except EOFError:
        raise _killed() from None


def _killed() -> ClickException:
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


def _shown(results: Iterator[ResultT], total: int) -> Iterator[ResultT]:
    """The results, with a progress bar on a terminal if there are many."""
    if total < _LONG_WORK or not sys.stderr.isatty():
        yield from results
        return
    from rich.console import Console
    from rich.progress import track

    console = Console(stderr=True)
    yield from track(results, "linting", total, console=console, transient=True)
