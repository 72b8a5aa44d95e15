"""Distributes work to processes if there is enough of it, and shows the progress."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from celvet.lint.cli.exit import Exit

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import BaseContext
    from multiprocessing.process import BaseProcess

    from click import ClickException

ItemT = TypeVar("ItemT")
ResultT = TypeVar("ResultT")

_LONG_WORK = 50
"""The number of items from which a terminal shows a progress bar."""

_START = "fork" if sys.platform == "linux" else "spawn"
"""Elsewhere a fork is not safe, and a process has to load and read everything again."""

_FILES_A_PROCESS = 25 if _START == "fork" else 250
"""Starting a process takes as long as so many files that concern celvet."""

_CHUNK, _MOST_CHUNKS = 4, 1_024
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

    With several, the items in `later` wait until this process has run `prepare` for them. `work`
    must not raise; it and its results must be picklable. Raises `click.ClickException` if a
    process ends before its work is done.
    """
    if processes <= 1:
        yield from _shown(map(work, items), len(items))
        return
    import multiprocessing

    context = multiprocessing.get_context(_START)
    numbered = [*enumerate(items)]
    first = _Queue(context, [each for each in numbered if each[1] not in later])
    second = _Queue(context, [each for each in numbered if each[1] in later])
    others = _started(context, work, first, processes - 1)
    try:
        if later:
            prepare()
            others += _started(context, work, second, processes - 1)
        results = dict(_shown(_share(work, (second, first)), len(items) // processes))
        for process, pipe in others:
            results |= _received(pipe)
            process.join()
    finally:
        for process, _ in others:
            process.kill()
    yield from (results[at] for at in range(len(items)))


class _Queue(Generic[ItemT]):
    """Numbered items; a free process takes the next few.

    A ticket is the number of the first of them. Reading so few bytes from a pipe needs no lock,
    which a killed process would keep.
    """

    def __init__(self, context: BaseContext, items: Sequence[tuple[int, ItemT]]) -> None:
        self._items = items
        self._chunk = max(_CHUNK, -(-len(items) // _MOST_CHUNKS))
        self._tickets, box = context.Pipe(duplex=False)
        with box:
            starts = range(0, len(items), self._chunk)
            os.write(box.fileno(), b"".join(at.to_bytes(_TICKET, "big") for at in starts))

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[tuple[int, ItemT]]:
        while ticket := os.read(self._tickets.fileno(), _TICKET):
            start = int.from_bytes(ticket, "big")
            yield from self._items[start : start + self._chunk]


def _share(
    work: Callable[[ItemT], ResultT], queues: Iterable[_Queue[ItemT]]
) -> Iterator[tuple[int, ResultT]]:
    """The results of one process, each with the number of its item."""
    for at, item in chain.from_iterable(queues):
        yield at, work(item)


def _started(
    context: BaseContext, work: Callable[[Any], object], queue: _Queue[Any], most: int
) -> list[tuple[BaseProcess, Connection]]:
    """Other processes that work on a queue, each with the pipe on which it sends its results."""
    gc.freeze()  # else each process copies the memory that its garbage collector visits
    started = []
    for _ in range(min(most, len(queue))):
        pipe, out = context.Pipe(duplex=False)
        process = context.Process(target=_send, args=(work, queue, out), daemon=True)  # type: ignore[attr-defined]
        process.start()
        out.close()
        started.append((process, pipe))
    return started


def _send(work: Callable[[Any], object], queue: _Queue[Any], out: Connection) -> None:
    out.send([*_share(work, (queue,))])


def _received(pipe: Connection) -> dict[int, Any]:
    try:
        return dict(pipe.recv())
    except EOFError:
        raise _killed() from None


def _killed() -> ClickException:
    from click import ClickException

    class ProcessKilledError(ClickException):
        exit_code = Exit.INTERNAL

    return ProcessKilledError(
        "a process was killed, perhaps for lack of memory; try again with --jobs 1"
    )


def processes_for(files: Sequence[object], jobs: int) -> int:
    """The best number of processes, unless the user sets it."""
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
