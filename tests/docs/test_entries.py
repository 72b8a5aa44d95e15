"""Each entry that the manual recommends is right for its kind, by the catalogue."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from celvet.schemas import KindFacts, kind_facts
from tests.kinds.folding import folded, refusals

_ROOT = Path(__file__).resolve().parents[2]
_ROLES = ("inProgress", "failed", "current")
_SECTION = re.compile(r"^## ", re.MULTILINE)
_EXAMPLE = re.compile(r"^```yaml\n(.*?)^```", re.DOTALL | re.MULTILINE)


def _entries(value: Any) -> Iterator[tuple[KindFacts, dict[str, str]]]:
    """The entries below a value that the controller accepts, of kinds that the catalogue has."""
    if isinstance(value, list):
        for each in value:
            yield from _entries(each)
    elif isinstance(value, dict):
        expressions = {role: value[role] for role in _ROLES if role in value}
        group = str(value.get("apiVersion", "")).rpartition("/")[0]
        facts = kind_facts(group, str(value.get("kind", ""))) if expressions else None
        if facts and not any(refusals(text) for text in expressions.values()):
            yield facts, expressions
        for each in value.values():
            yield from _entries(each)


def _recommended(page: Path) -> Iterator[tuple[KindFacts, dict[str, str]]]:
    """The entries of a page, except those under `Bad`."""
    for section in _SECTION.split(page.read_text(encoding="utf-8")):
        for example in _EXAMPLE.findall(section) if not section.startswith("Bad\n") else ():
            for document in re.split(r"^---$", example, flags=re.MULTILINE):
                yield from _entries(yaml.safe_load(document))


_PAGES = {
    str(page.relative_to(_ROOT)): found
    for pattern in ("README.md", "docs/*.md", "docs/rules/*.md")
    for page in sorted(_ROOT.glob(pattern))
    if (found := [*_recommended(page)])
}


def test_the_guides_and_the_pages_of_the_rules_have_entries() -> None:
    assert {"docs/install.md", "docs/rules/missing-failed.md"} <= {*_PAGES}


@pytest.mark.parametrize("page", _PAGES)
def test_an_entry_is_never_failed_or_current_too_early(page: str) -> None:
    """It may wait where the recommended one gives up, as variants do."""
    wrong = []
    for facts, entry in _PAGES[page]:
        for state in facts.life:
            verdict, error = folded(entry, state.object)
            # CEL can test everything except whether `status` itself exists.
            if verdict == "Unknown" and "status" not in state.object:
                continue
            waits = (state.verdict, verdict) == ("Failed", "InProgress")
            if verdict != state.verdict and not waits:
                wrong.append(f"{facts.kind}, {state.name}: {verdict} {error}, not {state.verdict}")
    assert not wrong
