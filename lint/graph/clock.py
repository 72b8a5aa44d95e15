"""Predicts when the objects of a repository get ready, by the rules of their controllers.

Everything is new at the start, as in an empty cluster. A controller has a number of workers. One of
them looks at an object, and at once again after `requeue` if a dependency is not ready before the
look. Otherwise it applies the objects below and keeps the worker for as long as it waits for them,
up to the timeout. After that it looks again when `retry` is over. To apply takes no time here.

At best, each wait ends as soon as the waiters below are ready; at worst, just before its timeout.
Measured with kustomize-controller 1.9.5: a dependant is not woken, the retry has no jitter.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from datetime import timedelta
from heapq import heappop, heappush
from itertools import count

from celvet.record import field, record

_MOST_TIME = timedelta(days=7)
_MOST_EVENTS = 200_000


@record
class QueueWaiter:
    """A node of the graph with a controller that works in a queue.

    `pool` names the kind of its controller, which has `workers` by default and looks again at what
    is blocked after `requeue`. `owner` applies it, None at the start. `dependencies` are waiters
    that must be ready first, `waited` those below for which it waits. `waits` says that it waits
    for anything. `timeout` and `retry` are its own; `instead_of` the missing field for `retry`.
    `blocked` marks one that never begins, by a cycle or a dependency whose test never succeeds,
    `stuck` one whose own wait never ends before its timeout.
    """

    node: int
    pool: str
    workers: int
    requeue: timedelta
    owner: int | None = None
    dependencies: tuple[int, ...] = ()
    waited: tuple[int, ...] = ()
    waits: bool = False
    timeout: timedelta = timedelta()
    retry: timedelta | None = None
    instead_of: str = ""
    blocked: bool = False
    stuck: bool = False


@record
class Course:
    """What happens to the waiters: when each is ready, and what it came after.

    `ready` lacks those that never are. `after` has the waiter for which each last had to wait: a
    dependency, its owner, one that it waits for, or one that held a worker, as `queued` says.
    `failed` are those whose wait ends at the timeout first. `peak` is how many waits are held at
    once in each pool.
    """

    ready: Mapping[int, timedelta] = field(default_factory=dict)
    after: Mapping[int, int] = field(default_factory=dict)
    queued: frozenset[int] = frozenset()
    failed: frozenset[int] = frozenset()
    peak: Mapping[str, int] = field(default_factory=dict)

    @property
    def end(self) -> timedelta:
        """When the last one is ready."""
        return max(self.ready.values(), default=timedelta())

    def line(self) -> list[int]:
        """The waiters before the last one, each after the one before it."""
        node = max(self.ready, key=lambda number: self.ready[number], default=None)
        line: list[int] = []
        while node is not None and node not in line:
            line.append(node)
            node = self.after.get(node)
        return line[::-1]


def course(waiters: Sequence[QueueWaiter], workers: Mapping[str, int], *, at_worst: bool) -> Course:
    """The course of events, with a number of workers for each pool."""
    return _Simulation(waiters, workers, at_worst=at_worst).run()


class _Simulation:
    """The queues of the controllers, from one event to the next."""

    def __init__(
        self, waiters: Sequence[QueueWaiter], workers: Mapping[str, int], *, at_worst: bool
    ) -> None:
        self._waiters = {waiter.node: waiter for waiter in waiters}
        self._free = dict(workers)
        self._workers, self._at_worst = workers, at_worst
        self._queues: dict[str, deque[int]] = {pool: deque() for pool in workers}
        self._events: list[tuple[timedelta, int, str, int]] = []
        self._numbers = count()
        self._first_look: dict[int, timedelta] = {}
        self._ready: dict[int, timedelta] = {}
        self._began: dict[int, timedelta] = {}
        self._after: dict[int, int] = {}
        self._queued: set[int] = set()
        self._failed: set[int] = set()
        self._peak = dict.fromkeys(workers, 0)
        self._below: dict[int, list[int]] = {}
        self._dependants: dict[int, list[int]] = {}
        self._waiting_for: dict[int, list[int]] = {}
        for waiter in waiters:
            if waiter.owner is not None:
                self._below.setdefault(waiter.owner, []).append(waiter.node)
            for number in waiter.dependencies:
                self._dependants.setdefault(number, []).append(waiter.node)
            for number in waiter.waited:
                self._waiting_for.setdefault(number, []).append(waiter.node)

    def run(self) -> Course:
        """Let everything happen, for a week at most."""
        for waiter in self._waiters.values():
            if waiter.owner is None:
                self._add(timedelta(), "look", waiter.node)
        steps = {"look": self._look, "pass": self._pass, "fail": self._fail}
        for _ in range(_MOST_EVENTS):
            if not self._events or self._events[0][0] > _MOST_TIME:
                break
            time, _, name, node = heappop(self._events)
            steps[name](node, time)
        return Course(
            self._ready, self._after, frozenset(self._queued), frozenset(self._failed), self._peak
        )

    def _add(self, time: timedelta, name: str, node: int) -> None:
        heappush(self._events, (time, next(self._numbers), name, node))

    def _look(self, node: int, time: timedelta) -> None:
        """Take a worker, or a place in the queue."""
        waiter = self._waiters[node]
        if node in self._began or node in self._ready:
            return
        if not self._free[waiter.pool]:
            self._queues[waiter.pool].append(node)
            return
        self._first_look.setdefault(node, time)
        if waiter.blocked or not self._may_begin(waiter, time):
            return
        self._begin(waiter, time)

    def _begin(self, waiter: QueueWaiter, time: timedelta) -> None:
        """Apply what is below, and hold the worker while there is something to wait for."""
        node = waiter.node
        self._began[node] = time
        if waiter.dependencies:
            # It begins because the last of its dependencies got ready; the longest line is made of
            # these links.
            self._after[node] = self._last_ready(waiter.dependencies)
        for number in self._below.get(node, ()):
            if number not in self._first_look:
                self._after.setdefault(number, node)
                self._add(time, "look", number)
        if not waiter.waits:
            self._get_ready(node, time)
            return
        # A health check blocks one of the controller's `--concurrent` workers until it ends.
        self._free[waiter.pool] -= 1
        busy = self._workers[waiter.pool] - self._free[waiter.pool]
        self._peak[waiter.pool] = max(self._peak[waiter.pool], busy)
        self._add(time + waiter.timeout, "fail", node)
        # What never gets ready holds the worker for the whole timeout.
        if waiter.stuck:
            return
        if not waiter.waited:
            self._add(time + (waiter.timeout if self._at_worst else timedelta()), "pass", node)
        # Otherwise the last of those that it waits for lets it pass.
        elif all(number in self._ready for number in waiter.waited):
            self._after[node] = self._last_ready(waiter.waited)
            self._add(time, "pass", node)

    def _may_begin(self, waiter: QueueWaiter, time: timedelta) -> bool:
        """Whether its dependencies were ready before a look; else it looks again once they are."""
        if not all(number in self._ready for number in waiter.dependencies):
            return False
        is_late = any(self._ready[number] >= time for number in waiter.dependencies)
        if is_late:
            self._add(time + waiter.requeue, "look", waiter.node)
        return not is_late

    def _last_ready(self, numbers: Sequence[int]) -> int:
        return max(numbers, key=lambda number: self._ready[number])

    def _pass(self, node: int, time: timedelta) -> None:
        if node in self._began:
            del self._began[node]
            self._get_ready(node, time)
            self._release(node, time)

    def _fail(self, node: int, time: timedelta) -> None:
        """The wait ends at its timeout, unless it has passed."""
        waiter = self._waiters[node]
        if node not in self._began or time - self._began[node] < waiter.timeout:
            return
        if self._at_worst and not waiter.waited and not waiter.stuck:
            self._pass(node, time)
            return
        del self._began[node]
        self._failed.add(node)
        self._release(node, time)
        if waiter.retry:
            self._add(time + waiter.retry, "look", node)

    def _release(self, node: int, time: timedelta) -> None:
        """Give the worker to the first in the queue that can go on."""
        pool = self._waiters[node].pool
        self._free[pool] += 1
        queue = self._queues[pool]
        while queue and self._free[pool]:
            next_node = queue.popleft()
            self._look(next_node, time)
            if next_node in self._began or self._ready.get(next_node) == time:
                self._queued.add(next_node)
                self._after[next_node] = node

    def _get_ready(self, node: int, time: timedelta) -> None:
        if node in self._ready:
            return
        self._ready[node] = time
        for number in self._dependants.get(node, ()):
            waiter, look_time = self._waiters[number], self._first_look.get(number)
            if look_time is not None and all(
                dependency in self._ready for dependency in waiter.dependencies
            ):
                # the first look on its own clock that comes after all of them
                looks = (time - look_time) // waiter.requeue + 1
                self._add(look_time + looks * waiter.requeue, "look", number)
        for number in self._waiting_for.get(node, ()):
            members = self._waiters[number].waited
            # One that has not begun looks by itself later; a stuck one never passes.
            is_held = number in self._began and not self._waiters[number].stuck
            if is_held and all(dependency in self._ready for dependency in members):
                self._after[number] = node
                self._add(time, "pass", number)


@record
class GraphClock:
    """What is predicted of the waiters of a cluster.

    `at_once` is how many waits there are at the same time in each pool at worst, if there are
    enough `workers`. `first` are the waits with no other wait before them: they may all fail at the
    same time.
    """

    waiters: tuple[QueueWaiter, ...]
    workers: Mapping[str, int]
    best: Course
    worst: Course
    at_once: Mapping[str, int]
    first: tuple[QueueWaiter, ...]

    def held_up(self, node: int) -> list[int]:
        """The waiters that cannot begin before one is ready."""
        holders: dict[int, None] = {}
        stack = [node]
        while stack:
            number = stack.pop()
            for waiter in self.waiters:
                if number in waiter.dependencies and waiter.node not in holders:
                    holders[waiter.node] = None
                    stack.append(waiter.node)
        return sorted(holders)


def clock_of(waiters: Sequence[QueueWaiter], concurrency: int | None = None) -> GraphClock:
    """The prediction for a cluster; `concurrency` replaces the number of workers of each pool."""
    workers = {waiter.pool: concurrency or waiter.workers for waiter in waiters}
    enough = dict.fromkeys(workers, len(waiters))
    return GraphClock(
        tuple(waiters),
        workers,
        course(waiters, workers, at_worst=False),
        course(waiters, workers, at_worst=True),
        course(waiters, enough, at_worst=True).peak,
        tuple(first_waits(waiters)),
    )


def first_waits(waiters: Sequence[QueueWaiter]) -> list[QueueWaiter]:
    """The waits with no other wait before them: they may all fail at the same time."""
    by_node = {waiter.node: waiter for waiter in waiters}
    first = []
    for waiter in waiters:
        stack, ancestors = [*waiter.dependencies], set[int]()
        while stack:
            number = stack.pop()
            if number not in ancestors:
                ancestors.add(number)
                stack += by_node[number].dependencies
        if waiter.waits and not any(by_node[number].waits for number in ancestors):
            first.append(waiter)
    return first
