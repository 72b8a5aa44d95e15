"""Runs the table of expressions, `cases.yaml`, which describes its format."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from celvet import schemas
from celvet.lint.cel.syntax.parser import parse
from celvet.lint.crds import Structural
from celvet.lint.typecheck import in_expression
from tests.tables import read_table

_TABLE = read_table(Path(__file__).parent / "cases.yaml")
_SCHEMAS = {
    name: Structural(schema, "dropped", schema, is_object=True)
    for name, schema in _TABLE["schemas"].items()
}
_DIALECTS = schemas.load().dialects


def _messages(expression: str, versions: list[str], dialect: str = "flux-health") -> list[str]:
    root = parse(expression)
    roots = [_SCHEMAS[name] for name in versions]
    chosen = _DIALECTS[dialect]
    return [
        f"{each.rule} [{expression[slice(*each.span)]}] {each.message}"
        for each in in_expression(root, "Database", roots, chosen, chosen.variables)
    ]


def _cases() -> Iterator[Any]:
    for case in _TABLE["cases"]:
        for expression in case.get("silent", ()):
            yield pytest.param({"expr": expression, "says": []}, id=expression)
        if "expr" in case:
            yield pytest.param(case, id=case["name"])


@pytest.mark.parametrize("case", list(_cases()))
def test_case(case: dict[str, Any]) -> None:
    versions = case.get("versions", ["v1"])
    assert _messages(case["expr"], versions, case.get("dialect", "flux-health")) == case["says"]


def test_a_kind_without_versions_excludes_nothing() -> None:
    assert _messages("status.nothing.at.all", []) == []


def test_remedies() -> None:
    remedies = {
        "status.ready == 'true'": "Write the value without quotes.",
        "status.phase == true": "Compare it with `Pending`, `Ready`, `Failed`.",
        "status.?phase == 'Ready'": "Take its value with `.orValue(...)`.",
        "status.phase == 'ready'": "Write `Ready`.",
        "status.phase == 'zzz'": "Compare it with one of these values.",
        "status.conditons == 1": "Write `conditions`.",
        "status.zzz == 1": "Read a field that the CRD of `Database` has.",
        "status.message == 1": "Compare it with a string.",
    }
    for expression, remedy in remedies.items():
        dialect = _DIALECTS["flux-health"]
        (found,) = in_expression(parse(expression), "Database", [_SCHEMAS["v1"]], dialect, ())
        assert found.help == remedy


def test_a_chain_beyond_all_use_ends() -> None:
    assert _messages("status" + ".nothing" * 5_000, ["v1"]) == []


_STEPS = st.sampled_from(
    (
        *(".phase", ".conditions", "[0]", "['a']", ".?x", "[?0]", ".size()", ".orValue('a')"),
        *(".exists(c, c.status)", ".filter(c, c)", ".map(c, c.type)", ".first()", ".all(c, c)"),
        *(" == 'x'", " in ['a', 1]", " in status", " ? status : 1", " + 1", " && true", " > 2"),
    )
)


@given(st.lists(_STEPS, max_size=8))
def test_any_way_through_a_schema_ends(steps: list[str]) -> None:
    text = "status"
    for step in steps:
        text = f"({text}){step}"
    assert isinstance(_messages(text, ["v1", "v2"]), list)
