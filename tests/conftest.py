"""The environment of every test: the caller's own must not leak in."""

from __future__ import annotations

import pytest

_LEAKS = ("CI", "NO_COLOR", "FORCE_COLOR", "CELVET_DEBUG", "GITHUB_ACTIONS", "GITLAB_CI", "TERM")


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in _LEAKS:
        monkeypatch.delenv(name, raising=False)
