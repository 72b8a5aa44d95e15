"""Local names are nouns: a reader of `found` asks "found what?"."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

import pytest

from tests.nouns import ROOT, is_poor, share

_MOST = {"celvet": 0.02, "lint": 0.015, "webhook": 0.02, "certs": 0.02, "schemas": 0.025}
"""A loop of two lines may say `each`."""


@pytest.mark.parametrize("folder", _MOST)
def test_few_names_are_pronouns_or_participles(folder: str) -> None:
    fraction, poor = share(ROOT / folder)
    listing = "\n".join(f"{path}:{line}: {name}" for path, line, name in poor)
    assert fraction < _MOST[folder], f"{folder}: {fraction:.1%}\n{listing}"


def test_no_two_classes_have_one_name() -> None:
    places: dict[str, list[Path]] = defaultdict(list)
    for folder in ("celvet", "lint", "webhook", "certs", "schemas"):
        for path in ROOT.joinpath(folder).rglob("*.py"):
            for node in ast.parse(path.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.ClassDef):
                    places[node.name].append(path.relative_to(ROOT))
    assert {name: paths for name, paths in places.items() if len(paths) > 1} == {}


def test_what_counts() -> None:
    assert is_poor("found")
    assert is_poor("_each")
    assert is_poor("rendered")
    assert not is_poor("failed")
    assert not is_poor("finding")
