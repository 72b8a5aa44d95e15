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
        self._results: OrderedDict[KeyT, ResultT] = OrderedDict()
        self._bytes_left = most
        self._lock = Lock()

    def get(self, key: KeyT) -> ResultT | None:
        """The result of a key, if it is kept."""
        with self._lock:
            if key not in self._results:
                return None
            self._results.move_to_end(key)
            return self._results[key]

    def put(self, key: KeyT, result: ResultT) -> None:
        """Keep a result, in place of an earlier one of the key."""
        weight = self._weigh(result)
        with self._lock:
            if key in self._results:
                self._bytes_left += self._weigh(self._results.pop(key))
            if weight > self._most:
                return
            self._results[key] = result
            self._bytes_left -= weight
            while self._bytes_left < 0:
                _, evicted_result = self._results.popitem(last=False)
                self._bytes_left += self._weigh(evicted_result)

    def clear(self) -> None:
        """Forget all results, as if nothing had been computed."""
        with self._lock:
            self._results.clear()
            self._bytes_left = self._most


class CachedFunction(Generic[KeyT, ResultT]):
    """A function, none of whose results is None, with those that an `LruCache` keeps."""

    def __init__(
        self, make: Callable[[KeyT], ResultT], weigh: Callable[[ResultT], int], most: int
    ) -> None:
        self._make = make
        self._cache: LruCache[KeyT, ResultT] = LruCache(weigh, most)
        self.cached = self._cache.get
        self.clear = self._cache.clear

    def __call__(self, key: KeyT) -> ResultT:
        """The result for a key, computed if it is not kept."""
        result = self.cached(key)
        if result is None:
            result = self._make(key)
            self._cache.put(key, result)
        return result
