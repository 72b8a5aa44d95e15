"""The cases of all rules, for tests that lint their manifests in other ways."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.properties import sample
from tests.tables import read_table


@cache
def every_case() -> list[Any]:
    """Each case as a parameter, named by its rule and name; in `make quick`, some of them."""
    found = [
        pytest.param(case, id=f"{file.stem}: {case['name']}")
        for file in sorted(Path(__file__).parent.glob("*.yaml"))
        for case in read_table(file)
    ]
    return [*sample(found)]
