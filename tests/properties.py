"""How much a run tries of what a property or a table could be tried on; see `tests.conftest`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from hypothesis import settings

_WHOLE = 100
_EACH_QUICKLY = 10

T = TypeVar("T")


def examples(number: int) -> settings:
    """This many examples of a property in `make fuzz`, fewer in other runs."""
    profile = settings.get_profile(settings.get_current_profile_name())
    return settings(max_examples=max(1, number * profile.max_examples // _WHOLE))


def sample(items: Sequence[T]) -> Sequence[T]:
    """All items; in `make quick`, evenly chosen ones. There must be some."""
    assert items
    return items[::_EACH_QUICKLY] if settings.get_current_profile_name() == "quick" else items
