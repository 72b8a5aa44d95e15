"""Caches that are bounded in bytes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

KeyT = TypeVar("KeyT", bound=Hashable)
ResultT = TypeVar("ResultT")


class LruCache(Generic[KeyT, ResultT]):
    """Results by key; beyond `most` bytes in all, it drops the least recently used.

    `weigh` estimates the bytes of a result. A result larger than the cache is not kept.
    """

    def __init__(self, weigh: Callable[[ResultT], int], most: int) -> None:
        self._weigh, self._most = weigh, most
        self._found: OrderedDict[KeyT, ResultT] = OrderedDict()
        self._left = most
        self._lock = Lock()

    def get(self, key: KeyT) -> ResultT | None:
        """The result of a key, if it is kept."""
        with self._lock:
            if key not in self._found:
                return None
            self._found.move_to_end(key)
            return self._found[key]

    def put(self, key: KeyT, result: ResultT) -> None:
        """Keep a result, in place of an earlier one of the key."""
        weight = self._weigh(result)
        with self._lock:
            if key in self._found:
                self._left += self._weigh(self._found.pop(key))
            if weight > self._most:
                return
            self._found[key] = result
            self._left -= weight
            while self._left < 0:
                _, evicted_result = self._found.popitem(last=False)
                self._left += self._weigh(evicted_result)

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._found.clear()
            self._left = self._most


class CachedFunction(Generic[KeyT, ResultT]):
    """A function, none of whose results is None, with those that an `LruCache` keeps."""

    def __init__(
        self, make: Callable[[KeyT], ResultT], weigh: Callable[[ResultT], int], most: int
    ) -> None:
        self._make = make
        self._kept: LruCache[KeyT, ResultT] = LruCache(weigh, most)
        self.known = self._kept.get
        self.clear = self._kept.clear

    def __call__(self, key: KeyT) -> ResultT:
        """The result for a key, computed if it is not kept."""
        result = self.known(key)
        if result is None:
            result = self._make(key)
            self._kept.put(key, result)
        return result
