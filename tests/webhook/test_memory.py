from __future__ import annotations

from collections import OrderedDict

from hypothesis import given
from hypothesis import strategies as st

from celvet.lint.model import Severity
from celvet.webhook.judging.cache import Memory
from celvet.webhook.lint_result import Judgement, Objection
from tests.webhook.test_ratchet import objection

BIG = Judgement((Objection("r", Severity.ERROR, "f", "m" * 5000),))
SMALL = Judgement()


def test_the_least_asked_for_is_forgotten_first() -> None:
    memory = Memory(1000)
    for key in (b"a", b"b", b"c"):
        memory.put(key, SMALL)
    assert memory.get(b"a") is SMALL
    memory.put(b"d", SMALL)
    assert memory.get(b"b") is None
    assert memory.get(b"a") is SMALL


def test_what_is_larger_than_all_is_not_kept() -> None:
    memory = Memory(1000)
    memory.put(b"a", BIG)
    assert len(memory) == 0
    memory.put(b"b", SMALL)
    assert memory.get(b"b") is SMALL


@given(st.lists(st.tuples(st.sampled_from([b"a", b"b", b"c", b"d"]), st.integers(0, 9))))
def test_the_room_is_never_lost(puts: list[tuple[bytes, int]]) -> None:
    memory = Memory(2000)
    latest: OrderedDict[bytes, Judgement] = OrderedDict()
    for key, size in puts:
        latest[key] = Judgement(tuple(objection("x" * 40, str(each)) for each in range(size)))
        memory.put(key, latest[key])
        assert memory.get(key) in (latest[key], None)
    for key in (b"w", b"x", b"y", b"z", b"v", b"u"):
        memory.put(key, SMALL)
    assert all(memory.get(key) is SMALL for key in (b"w", b"x", b"y", b"z", b"v", b"u"))
    assert len(memory) == 6
