from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lint.model import Severity
from webhook.objection import Objection
from webhook.ratchet import added


def objection(message: str, field: str) -> Objection:
    return Objection("rule", Severity.ERROR, field, message)


def parsed(text: str) -> list[Objection]:
    """`m@f[0] n@g`: messages at fields."""
    return [objection(*each.split("@")) for each in text.split()]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("", "m@f[0]", "m@f[0]"),
        ("m@f[0]", "m@f[0]", ""),
        ("m@f[0]", "m@f[1]", ""),
        ("m@f[0]", "n@f[0]", "n@f[0]"),
        ("m@f[0]", "m@g[0]", "m@g[0]"),
        ("m@f[0]", "m@f[0] m@f[1]", "m@f[1]"),
        ("m@f[1]", "m@f[0] m@f[1]", "m@f[0]"),
        ("m@f[0] m@f[1]", "m@f[1] m@f[2]", ""),
        ("m@f[0].a[1]", "m@f[2].a[3]", ""),
        ("m@f[0] n@f[1]", "n@f[0] m@f[1]", ""),
        ("m@f[0] m@f[0]", "m@f[0]", ""),
    ],
)
def test_added(old: str, new: str, expected: str) -> None:
    assert added(parsed(new), parsed(old)) == set(parsed(expected))


OBJECTIONS = st.lists(
    st.builds(objection, st.sampled_from("mn"), st.sampled_from(["f[0]", "f[1]", "g"])), unique=True
)


@given(old=OBJECTIONS, new=OBJECTIONS)
def test_as_many_are_new_as_there_are_more(old: list[Objection], new: list[Objection]) -> None:
    def kinds(objections: list[Objection]) -> Counter[tuple[str, str]]:
        return Counter((each.message, each.field[0]) for each in objections)

    assert len(added(new, old)) == (kinds(new) - kinds(old)).total()
    assert added(new, old) <= set(new)
