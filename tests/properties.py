"""How many examples a property is tried on."""

from __future__ import annotations

from hypothesis import settings

_USUAL = 100


def examples(number: int) -> settings:
    """As many in a whole run; the profile of `make quick`, in `tests.conftest`, tries a tenth."""
    return settings(max_examples=number * settings.default.max_examples // _USUAL)
