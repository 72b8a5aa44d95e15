"""The fuzzers make valid inputs, and notice faults."""

from __future__ import annotations

import json
import re
from itertools import islice
from random import Random

import pytest

from tests.conformance.answer import Vector
from tests.fuzz import differential, parts, readers
from tests.fuzz.grammar import Grammar, paths
from tests.fuzz.mutations import changed_text
from tests.fuzz.texts import Texts

_MARKER = re.compile(r"^(---|\.\.\.)", re.MULTILINE)
_HOLE = re.compile(r"\{(bool|int|dyn|list|var|bound|field|step|name)\}")


@pytest.mark.slow
def test_the_same_seed_makes_the_same_vectors() -> None:
    one, same, other = (json.dumps([*differential.Maker(seed).batch()]) for seed in (1, 1, 2))
    assert one == same != other
    assert readers.Damage(1).next() == readers.Damage(1).next() != readers.Damage(2).next()


def test_every_change_of_a_text_is_possible() -> None:
    random, text = Random(1), "status.phase == 'Ready'"
    made = {changed_text(random, text, ["has(x)"]) for _ in range(500)}
    assert len(made) > 300
    assert any("has" in each for each in made)
    assert any(len(each) < len(text) for each in made)


def test_a_grammar_makes_expressions_of_all_depths_about_an_object() -> None:
    value = {"status": {"phase": "Up", "items": [{"a b": 1}]}, "x y": 2}
    assert [*paths(value)] == [
        *("status", "status.phase", "status.items"),
        *("status.items[0]", "status.items[0]['a b']"),
    ]
    for language in ("cel", "jsonpath"):
        grammar = Grammar(language, Random(1))
        made = {grammar.expression(value) for _ in range(500)}
        assert len(made) > 300
        assert any("status.items[0]['a b']" in each for each in made)
        assert not any(_HOLE.search(each) for each in made)


def test_texts_are_single_documents() -> None:
    texts = Texts(Random(1), ["---\na: 1\n"])
    assert not any(_MARKER.search(texts.yaml()["expr"]) for _ in range(200))
    made = [texts.substitution()["expr"] for _ in range(200)]
    assert any("${A" in each for each in made)
    assert all(each.isascii() for each in made)


def test_a_disagreement_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ("a", "a =", "google.protobuf.Empty =")
    vectors: list[Vector] = [{"mode": "parse", "expr": each} for each in texts]
    vectors.append(
        {"mode": "health", "object": {}, "exprs": {"current": "1 == google.protobuf.Empty ="}}
    )
    monkeypatch.setattr(differential.oracle, "answers", lambda asked: [{"ok": True} for _ in asked])
    tally = differential.Tally()
    differential.compare(vectors, tally)
    assert (tally.asked, tally.listed) == ({"parse": 3, "health": 1}, 2)
    ((vector, ours),) = tally.wrong
    assert vector == {**vectors[1], "want": {"ok": True}}
    assert "is not an operator" in ours.message
    assert differential.shown(vector, ours).startswith('{"mode": "parse", "expr": "a ="')


def test_what_varies_in_go_is_no_disagreement(monkeypatch: pytest.MonkeyPatch) -> None:
    vectors: list[Vector] = [{"mode": "parse", "expr": each} for each in ("a =", "b =", "c")]

    def answers(asked: list[Vector]) -> list[dict[str, object]]:
        # the first vector has another answer now and then
        rare = [each["expr"] == "a =" and number % 8 == 7 for number, each in enumerate(asked)]
        return [{"ok": True, "message": each} for each in rare]

    monkeypatch.setattr(differential.oracle, "answers", answers)
    tally = differential.Tally()
    differential.compare(vectors, tally)
    assert tally.varying == 1
    assert [vector["expr"] for vector, _ in tally.wrong] == ["b ="]


def test_the_type_of_a_number_is_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    vectors: list[Vector] = [{"mode": "yaml", "expr": each} for each in ("a: 1", "a: -0x8p0")]
    want = {"a: 1": {"a": 1.0}, "a: -0x8p0": {"a": "-0x8p0"}}
    monkeypatch.setattr(
        differential.oracle,
        "answers",
        lambda asked: [{"ok": True, "result": want[each["expr"]]} for each in asked],
    )
    tally = differential.Tally()
    differential.compare(vectors, tally)
    assert [vector["expr"] for vector, _ in tally.wrong] == ["a: 1"]


@pytest.mark.parametrize("key", [".", "1.2.3", "\u0663"])
def test_a_key_like_a_number_is_compared_as_a_text(
    monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    asked: Vector = {"mode": "eval", "expr": f"{{'': 0}}['{key}'] == 1", "object": {}}
    monkeypatch.setattr(
        differential.oracle,
        "answers",
        lambda vectors: [{"ok": False, "error": f"no such key: {key}"} for _ in vectors],
    )
    tally = differential.Tally()
    differential.compare([asked], tally)
    assert tally.wrong == []


@pytest.mark.usefixtures("outside")
def test_a_crash_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    sessions = islice(iter(readers.Damage(3).next, None), 40)
    session, name = next(each for each in sessions if each[0].run.startswith("celvet lint"))
    assert readers.crash(session, name) is None
    monkeypatch.setattr(readers, "_STATUSES", {70})
    crash = readers.crash(session, name)
    assert crash
    assert crash.said.startswith("status ")


def test_single_readers_get_damaged_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(1)
    found = [parts.damaged(random) for _ in range(50)]
    assert {each.failed for each in found} == {""}
    assert len({each.reader for each in found}) > 5
    monkeypatch.setattr(parts, "_readers", lambda: [("a number", b"1", int, ())])
    assert any("invalid literal" in parts.damaged(random).failed for _ in range(50))
