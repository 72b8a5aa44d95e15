"""The name that a user probably meant."""

from __future__ import annotations

import pytest

from celvet.lint.similar import closest_name

_NAMES = ("Ready", "inProgress", "status", "stats")


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("status", "status"),
        ("statuss", "status"),
        ("READY", "Ready"),
        ("inprogres", "inProgress"),
        ("phase", ""),
        ("", ""),
        ("status" * 11, ""),
    ],
)
def test_the_most_similar_name(name: str, meant: str) -> None:
    assert closest_name(name, _NAMES) == meant


def test_how_much_must_be_alike() -> None:
    assert closest_name("redi", _NAMES) == ""
    assert closest_name("redi", _NAMES, alike=0.6) == "Ready"


def test_nothing_resembles_nothing() -> None:
    assert closest_name("status", ()) == ""
