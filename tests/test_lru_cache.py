"""The cache of results: what it keeps, and what it drops first."""

from __future__ import annotations

from celvet.lint.lru_cache import LruCache


def test_the_least_recently_used_is_dropped() -> None:
    made: list[str] = []

    def make(key: str) -> str:
        made.append(key)
        return key.upper()

    cache = LruCache(make, len, 4)
    assert [cache(key) for key in ("aa", "bb", "aa", "cc", "aa", "bb")] == [
        *("AA", "BB", "AA", "CC", "AA", "BB")
    ]
    assert made == ["aa", "bb", "cc", "bb"]
    assert [cache("large"), cache("large")] == ["LARGE", "LARGE"]
    assert made[4:] == ["large", "large"], "what exceeds the whole cache is not kept"
    cache("bb")
    assert len(made) == 6, "and displaces nothing"
