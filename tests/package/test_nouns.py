"""Local names are nouns: a reader of `found` asks "found what?"."""

from __future__ import annotations

import pytest

from tests.nouns import ROOT, is_poor, share

_MOST = 0.03
"""A loop of two lines may say `each`."""


@pytest.mark.parametrize("folder", ["lint", "webhook", "certs", "schemas"])
def test_few_names_are_pronouns_or_participles(folder: str) -> None:
    fraction, poor = share(ROOT / folder)
    listing = "\n".join(f"{path}:{line}: {name}" for path, line, name in poor)
    assert fraction < _MOST, f"{folder}: {fraction:.1%}\n{listing}"


def test_what_counts() -> None:
    assert is_poor("found")
    assert is_poor("_each")
    assert is_poor("rendered")
    assert not is_poor("failed")
    assert not is_poor("finding")
