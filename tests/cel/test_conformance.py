"""The recorded vectors of Flux's own code."""

from __future__ import annotations

from pathlib import Path

from tests.conformance.run import run_file

_VECTORS = Path(__file__).parent.parent / "conformance" / "cel.jsonl"


def test_vectors_of_flux() -> None:
    score = run_file(_VECTORS)
    assert score.total > 3500
    assert score.wrong == []


def test_syntax_errors_are_told_where_flux_tells_them() -> None:
    score = run_file(_VECTORS)
    assert score.places > 700
    assert score.placed >= 0.98 * score.places
