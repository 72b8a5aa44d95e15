"""The cache of results: what it keeps, and what it drops first."""

from __future__ import annotations

from collections import OrderedDict

from hypothesis import given
from hypothesis import strategies as st

from celvet.lint.lru_cache import CachedFunction, LruCache


def test_the_least_recently_used_is_dropped() -> None:
    made: list[str] = []

    def make(key: str) -> str:
        made.append(key)
        return key.upper()

    cache = CachedFunction(make, len, 4)
    assert [cache(key) for key in ("aa", "bb", "aa", "cc", "aa", "bb")] == [
        *("AA", "BB", "AA", "CC", "AA", "BB")
    ]
    assert made == ["aa", "bb", "cc", "bb"]
    assert [cache("large"), cache("large")] == ["LARGE", "LARGE"]
    assert made[4:] == ["large", "large"], "what exceeds the whole cache is not kept"
    cache("bb")
    assert len(made) == 6, "and displaces nothing"
    cache.clear()
    assert cache("bb") == "BB"
    assert len(made) == 7


@given(st.lists(st.tuples(st.sampled_from("abcd"), st.integers(0, 9))))
def test_no_space_is_lost(puts: list[tuple[str, int]]) -> None:
    cache: LruCache[str, str] = LruCache(len, 8)
    latest: OrderedDict[str, str] = OrderedDict()
    for key, size in puts:
        latest[key] = "x" * size
        latest.move_to_end(key)
        cache.put(key, latest[key])
    kept = [key for key in latest if cache.get(key) is not None]
    assert all(cache.get(key) == latest[key] for key in kept)
    assert sum(len(latest[key]) for key in kept) <= 8
    for number in range(8):
        cache.put(str(number), "x")
    assert [cache.get(str(number)) for number in range(8)] == ["x"] * 8
