"""A cache of the results of a function, bounded in bytes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

KeyT = TypeVar("KeyT", bound=Hashable)
ResultT = TypeVar("ResultT")


class LruCache(Generic[KeyT, ResultT]):
    """Caches the results of a function; beyond `most` bytes it drops the least recently used.

    `weigh` estimates the bytes of a result. A result larger than the cache is not kept.
    """

    def __init__(
        self, make: Callable[[KeyT], ResultT], weigh: Callable[[ResultT], int], most: int
    ) -> None:
        self._make, self._weigh, self._most = make, weigh, most
        self._found: OrderedDict[KeyT, ResultT] = OrderedDict()
        self._left = most
        self._lock = Lock()

    def __call__(self, key: KeyT) -> ResultT:
        """The result for a key, computed if it is not in the cache."""
        with self._lock:
            if key in self._found:
                self._found.move_to_end(key)
                return self._found[key]
        made = self._make(key)
        weight = self._weigh(made)
        with self._lock:
            if weight <= self._most and key not in self._found:
                self._found[key] = made
                self._left -= weight
            while self._left < 0:
                _, dropped = self._found.popitem(last=False)
                self._left += self._weigh(dropped)
        return made

    def known(self, key: KeyT) -> ResultT | None:
        """The result for a key if it is in the cache."""
        with self._lock:
            return self._found.get(key)

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._found.clear()
            self._left = self._most
