from __future__ import annotations

from collections import OrderedDict

from hypothesis import given
from hypothesis import strategies as st

from celvet.lint.model import Severity
from celvet.webhook.judgement import FindingRecord, Judgement
from celvet.webhook.judging.pool import JudgementCache
from tests.webhook.decide.test_new_errors import record

BIG = Judgement((FindingRecord("r", Severity.ERROR, "f", "m" * 5000),))
SMALL = Judgement()


def test_the_least_recently_used_is_evicted_first() -> None:
    cache = JudgementCache(1000)
    for key in (b"a", b"b", b"c"):
        cache.put(key, SMALL)
    assert cache.get(b"a") is SMALL
    cache.put(b"d", SMALL)
    assert cache.get(b"b") is None
    assert cache.get(b"a") is SMALL


def test_a_judgement_larger_than_the_cache_is_not_stored() -> None:
    cache = JudgementCache(1000)
    cache.put(b"a", BIG)
    assert len(cache._judgements) == 0
    cache.put(b"b", SMALL)
    assert cache.get(b"b") is SMALL


@given(st.lists(st.tuples(st.sampled_from([b"a", b"b", b"c", b"d"]), st.integers(0, 9))))
def test_no_space_is_lost(puts: list[tuple[bytes, int]]) -> None:
    cache = JudgementCache(2000)
    latest: OrderedDict[bytes, Judgement] = OrderedDict()
    for key, size in puts:
        latest[key] = Judgement(tuple(record("x" * 40, str(each)) for each in range(size)))
        cache.put(key, latest[key])
        assert cache.get(key) in (latest[key], None)
    for key in (b"w", b"x", b"y", b"z", b"v", b"u"):
        cache.put(key, SMALL)
    assert all(cache.get(key) is SMALL for key in (b"w", b"x", b"y", b"z", b"v", b"u"))
    assert len(cache._judgements) == 6
