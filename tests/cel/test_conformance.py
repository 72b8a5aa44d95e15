"""The recorded vectors of Flux's own code."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conformance.run import Score, run_file
from tests.properties import sample

_VECTORS = Path(__file__).parent.parent / "conformance" / "cel.jsonl"


@pytest.fixture(scope="module")
def score() -> Score:
    return run_file(_VECTORS, sample)


def test_vectors_of_flux(score: Score) -> None:
    assert score.total > len(sample(range(3500)))
    assert score.wrong == []


def test_syntax_errors_are_where_flux_reports_them(score: Score) -> None:
    assert score.places > len(sample(range(500)))
    assert score.placed >= 0.98 * score.places
