"""Every format writes the sample as its golden file has it.

After a change that is meant: `python -m tests.report.sample`, and read the difference.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from celvet.lint.report.output import FORMATS
from tests.report import sample
from tests.report.sample import GOLDEN, path, rendered


@pytest.mark.parametrize("name", FORMATS.names())
def test_the_sample_is_written_as_ever(name: str) -> None:
    assert path(name).exists(), "run `python -m tests.report.sample`"
    assert rendered(name) == path(name).read_bytes().decode()


def test_no_golden_file_is_left_over() -> None:
    assert set(GOLDEN.iterdir()) <= {path(name) for name in FORMATS.names()}


def test_a_format_that_cannot_be_written_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sample, "GOLDEN", tmp_path)
    monkeypatch.setattr(sample, "rendered", lambda _: "\udcff")
    with pytest.raises(SystemExit, match="concise: a lone surrogate"):
        sample.main()
