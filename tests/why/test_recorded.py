"""The report on each recorded cluster is what was seen there, and what came next."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from tests.why.recorded import NAMES, SEEDED, differences, expected, objects, report

SCHEMA = Path(__file__).parents[2] / "docs/why.schema.json"
_VALIDATOR = Draft202012Validator(json.loads(SCHEMA.read_text()))


@pytest.mark.parametrize("name", [*NAMES, *SEEDED])
def test_the_report_is_what_was_seen(name: str) -> None:
    seen = expected(name)
    told = report(objects(name), seen["at"])
    _VALIDATOR.validate(told)
    assert [*differences(told, seen)] == []
