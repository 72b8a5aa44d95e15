"""The page on the architecture shows the tree as it is."""

from __future__ import annotations

import re
from pathlib import Path

_ROOT = Path(__file__).parents[2]
_PAGE = (_ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")


def _block(heading: str) -> list[str]:
    """The lines of the first indented block below a heading."""
    below = _PAGE.partition(f"\n## {heading}\n")[2]
    found = re.search(r"(?:^    .*\n)+", below, re.MULTILINE)
    assert found
    return found[0].splitlines()


def test_every_part_of_lint_is_on_the_page() -> None:
    shown = {name for line in _block("Inside lint") for name in line[4:].partition("   ")[0].split()}
    parts = (_ROOT / "lint").iterdir()
    there = {part.stem for part in parts if part.is_dir() or part.suffix == ".py"}
    assert shown == {name for name in there if not name.startswith("_")}


def test_the_folders_exist() -> None:
    for folder in re.findall(r"`((?:lint|webhook|certs|schemas)/[\w/]+)/?`", _PAGE):
        assert (_ROOT / folder).exists(), folder
