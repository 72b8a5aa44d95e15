from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from celvet.schemas import load
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
    expected = {part: case[part] for part in PARTS if part in case}
    assert rendered(validated(case)) == expected


def test_every_kind_has_a_case_and_every_site_is_found() -> None:
    catalog = load()
    found = set()
    for parameter in cases():
        validation = validated(parameter.values[0])
        kind = parameter.values[0]["object"]["kind"]
        found |= {(kind, site.dialect.name, site.role) for site in validation.sites}
        found.add((kind, "", ""))
    for kind in catalog.kinds:
        wanted = {(kind.kind, dialect, role) for dialect, role in _own_roles(kind)}
        lacking = {(kind.kind, "", ""), *wanted} - found
        assert not lacking, f"no case in tests/validation/cases/ has {lacking}"


def _own_roles(kind: Any) -> set[tuple[str, str]]:
    from celvet.schemas import expression_sites

    shared_by_the_templates = {"key", "messagePath"} if kind.system == "cartographer" else set()
    return {
        (site.dialect, site.role)
        for site in expression_sites(kind)
        if site.role not in shared_by_the_templates
    }
