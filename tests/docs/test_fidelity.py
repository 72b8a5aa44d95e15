"""The page on differences is right about celvet's answers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from celvet.lint.cel import compile_expression
from celvet.lint.manifest import read
from celvet.schemas import Dialect
from tests.cel.dialects import HEALTH, READY

_PAGE = (Path(__file__).parents[2] / "docs" / "fidelity.md").read_text(encoding="utf-8")
_OBJECT = {"status": {"phase": "Up"}}
_NUL = {"status": {"phase": "Up", "text": "a\0b"}}
_FLUX = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\n"


def _rows(section: str) -> list[list[str]]:
    """The cells of a section's table, without its head."""
    text = _PAGE.partition(f"\n## {section}\n")[2].partition("\n## ")[0]
    lines = [line for line in text.splitlines() if line.startswith("| `")]
    return [line.strip("| ").split(" | ") for line in lines]


def _quoted(cell: str) -> str:
    return re.findall(r"`([^`]+)`", cell)[0]


def _dialect(cell: str) -> Dialect:
    return READY if "in `readyExpr`" in cell else HEALTH


@pytest.mark.parametrize("row", _rows("Different answers"), ids=lambda row: row[0])
def test_another_answer(row: list[str]) -> None:
    compiled = compile_expression(_quoted(row[0]), _dialect(row[0]))
    if row[2] == "refused":
        assert compiled.refusals
    elif row[2].startswith("an error"):
        assert compiled.evaluate(_OBJECT).error
    else:
        assert compiled.evaluate(_OBJECT).value is (_quoted(row[2]) == "true")


@pytest.mark.parametrize("row", _rows("No answers"), ids=lambda row: row[0])
def test_no_answer(row: list[str]) -> None:
    compiled = compile_expression(_quoted(row[0]), _dialect(row[0]))
    assert compiled.refusals == ()
    assert not compiled.evaluate(_NUL if "NUL" in row[0] else _OBJECT).analysed


@pytest.mark.parametrize("row", _rows("YAML"), ids=lambda row: row[0])
def test_yaml(row: list[str]) -> None:
    found = read(f"{_FLUX}a: {_quoted(row[0])}\n")
    if row[2] == "refused":
        assert [each.kind for each in found.all_problems()] == ["bad-value"]
    else:
        assert found.documents[0].value["a"] == _quoted(row[2])
