"""Every format writes the sample as its golden file has it.

After a change that is meant: `python -m tests.report.sample`, and read the difference.
"""

from __future__ import annotations

import pytest

from celvet.lint.report.output import FORMATS
from tests.report.sample import GOLDEN, path, rendered


@pytest.mark.parametrize("name", FORMATS.names())
def test_the_sample_is_written_as_ever(name: str) -> None:
    assert rendered(name) == path(name).read_bytes().decode()


def test_no_golden_file_is_left_over() -> None:
    assert {path(name) for name in FORMATS.names()} == set(GOLDEN.iterdir())
