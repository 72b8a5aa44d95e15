from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.tables import read_table
from tests.validation.rendering import rendered, validated

CASES = Path(__file__).parent / "cases"
PARTS = ("sites", "violations", "unknown")


def cases() -> list[Any]:
    return [
        pytest.param(case, id=f"{file.stem}-{case['name']}")
        for file in sorted(CASES.glob("*.yaml"))
        for case in read_table(file)
    ]


@pytest.mark.parametrize("case", cases())
def test_case(case: dict[str, Any]) -> None:
    lines = {part: case[part] for part in PARTS if part in case}
    assert rendered(validated(case)) == lines
