"""How many examples a property is tried on."""

from __future__ import annotations

from hypothesis import settings

_USUAL = 100


def examples(number: int) -> settings:
    """As many in a whole run; the profile of `make quick`, in `tests.conftest`, tries a tenth."""
    profile = settings.get_profile(settings.get_current_profile_name())
    return settings(max_examples=number * profile.max_examples // _USUAL)
