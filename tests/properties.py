"""How much `make quick` tries of what a whole run tries: a tenth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from hypothesis import settings

_USUAL = 100

T = TypeVar("T")


def _share() -> int:
    """How many of 100 examples the profile tries; see `tests.conftest`."""
    return settings.get_profile(settings.get_current_profile_name()).max_examples


def examples(number: int) -> settings:
    """So many examples of a property in a whole run."""
    return settings(max_examples=number * _share() // _USUAL)


def sample(items: Sequence[T]) -> Sequence[T]:
    """All items in a whole run, evenly chosen ones otherwise; there must be some."""
    assert items
    return items[:: _USUAL // _share()]
