"""The page about cost: its tables have the claims, and its text counts what the tables have."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from celvet.lint.cel import compile_expression
from tests.cel.dialects import HEALTH

_DOCS = Path(__file__).parents[2] / "docs"
_PAGE = (_DOCS / "cost.md").read_text(encoding="utf-8")
_DECISIONS = (_DOCS / "decisions.md").read_text(encoding="utf-8")
_CELLS = re.compile(r"(?<!\\)\|")
_SECONDS = re.compile(r"([\d,.]+) s\b")
_MEMORY = re.compile(r"([\d,.]+) MiB")


class _Row(NamedTuple):
    """An expression, the seconds and MiB that the whole takes, and the claim."""

    expression: str
    seconds: float
    memory: float
    claim: str


def _rows() -> Iterator[_Row]:
    for line in _PAGE.splitlines():
        cells = [cell.strip() for cell in _CELLS.split(line)][1:-1]
        if len(cells) > 3 and cells[1].startswith("`"):
            measured = " ".join(cells[2:-1])
            expression = cells[1].strip("`").replace("\\|", "|")
            yield _Row(expression, _last(_SECONDS, measured), _last(_MEMORY, measured), cells[-1])


def _last(pattern: re.Pattern[str], text: str) -> float:
    found = pattern.findall(text)
    return float(found[-1].replace(",", "")) if found else 0


def _worst() -> dict[str, _Row]:
    """The most that each expression takes."""
    found: dict[str, _Row] = {}
    for row in _rows():
        before = found.get(row.expression, row)
        found[row.expression] = row._replace(
            seconds=max(row.seconds, before.seconds), memory=max(row.memory, before.memory)
        )
    return found


def _factor(row: _Row) -> float:
    """How far the claim is from what was measured."""
    if row.claim.startswith("more than"):
        return 1 if row.seconds > 3_600 else 3_600 / row.seconds
    claimed = float(row.claim.split()[0].replace(",", ""))
    measured = row.memory if "MB" in row.claim else row.seconds
    return max(claimed / measured, measured / claimed)


@pytest.mark.parametrize("row", [*dict.fromkeys(_rows())], ids=lambda row: row.expression)
def test_the_table_has_the_claim(row: _Row) -> None:
    excess = compile_expression(row.expression, HEALTH).excess
    assert row.claim == (excess.amount if excess else "")


def test_no_claim_is_wrong_by_more_than_the_page_says() -> None:
    worst = max(_factor(row) for row in _worst().values() if row.claim)
    assert f"No claim is wrong by more than a factor of {worst:.1f}." in _PAGE
    assert f"within a factor of {worst:.1f} of what" in _DECISIONS
    assert worst < 10


def test_nothing_is_reported_that_takes_less_than_a_second_and_64_mib() -> None:
    for row in _worst().values():
        assert not row.claim or row.seconds >= 1 or row.memory >= 64, row.expression


def test_what_is_not_reported_takes_as_long_as_the_page_says() -> None:
    rest = [row for row in _worst().values() if not row.claim]
    longest = sorted(row.seconds for row in rest if row.seconds > 5)
    assert f"{len(longest)} expressions that take more than five seconds are not reported" in _PAGE


def test_the_text_counts_what_the_tables_have() -> None:
    rows = _worst().values()
    claims = sum(bool(row.claim) for row in rows)
    assert f"The tables have {len(rows)} expressions, of which celvet reports {claims}." in _PAGE
    assert f"measured on {len(rows)} expressions" in _DECISIONS
    assert f"Of the {claims} claims" in _DECISIONS
