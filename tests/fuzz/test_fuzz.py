"""What the fuzzing makes, and that it notices."""

from __future__ import annotations

import json
from itertools import islice
from random import Random

import pytest

from tests.conformance.answer import Vector
from tests.fuzz import differential, readers
from tests.fuzz.mutations import changed_text


def test_a_seed_makes_the_same_again() -> None:
    one, same, other = (json.dumps([*differential.Maker(seed).batch()]) for seed in (1, 1, 2))
    assert one == same != other
    assert readers.Damage(1).next() == readers.Damage(1).next() != readers.Damage(2).next()


def test_every_change_of_a_text_is_possible() -> None:
    random, text = Random(1), "status.phase == 'Ready'"
    made = {changed_text(random, text, ["has(x)"]) for _ in range(500)}
    assert len(made) > 300
    assert any("has" in each for each in made)
    assert any(len(each) < len(text) for each in made)


def test_a_disagreement_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    vectors: list[Vector] = [{"mode": "parse", "expr": "a"}, {"mode": "parse", "expr": "a ="}]
    monkeypatch.setattr(differential.oracle, "answers", lambda _: [{"ok": True}] * 2)
    tally = differential.Tally()
    differential.compare(vectors, tally)
    assert tally.asked == {"parse": 2}
    ((vector, ours),) = tally.wrong
    assert vector == {**vectors[1], "want": {"ok": True}}
    assert "is not an operator" in ours.message
    assert differential.shown(vector, ours).startswith('{"mode": "parse", "expr": "a ="')


@pytest.mark.usefixtures("outside")
def test_a_crash_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    sessions = islice(iter(readers.Damage(3).next, None), 40)
    session, name = next(each for each in sessions if each[0].run.startswith("celvet lint"))
    assert readers.crash(session, name) is None
    monkeypatch.setattr(readers, "_STATUSES", {70})
    crash = readers.crash(session, name)
    assert crash
    assert crash.said.startswith("status ")
