"""The tree in the architecture is the one in the repository, in the order of the contract."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

_ROOT = Path(__file__).parents[2]


def _layers() -> list[list[str]]:
    """The layers of `lint` in the contract, from top to bottom."""
    configured = tomllib.loads((_ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = configured["tool"]["importlinter"]["contracts"]
    (found,) = (each for each in contracts if each["name"] == "inside lint")
    return [re.split(r"[ |:]+", layer) for layer in found["layers"]]


def _shown() -> list[str]:
    """The names in the tree of `lint`, in its order."""
    text = (_ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    tree = text.partition("## Inside lint")[2].partition("Inside `cel`")[0]
    rows = re.findall(r"^ {4}(\S+(?: {2}\S+)*) {4,}\S", tree, re.MULTILINE)
    return [name for row in rows for name in row.split()]


def test_the_tree_shows_each_part_of_lint_in_the_order_of_its_layers() -> None:
    layers, shown = _layers(), _shown()
    level = {name: number for number, layer in enumerate(layers) for name in layer}
    assert sorted(shown) == sorted(level)
    assert [level[name] for name in shown] == sorted(level.values())


def test_the_contract_has_each_part_of_lint() -> None:
    parts = {each.stem for each in (_ROOT / "lint").iterdir() if not each.name.startswith("_")}
    assert parts == {name for layer in _layers() for name in layer}


def test_no_folder_has_more_than_fifteen_modules_but_that_of_the_rules() -> None:
    counts = {
        folder.relative_to(_ROOT): len([*folder.glob("[!_]*.py")])
        for package in ("lint", "schemas", "webhook", "certs")
        for folder in [_ROOT / package, *(_ROOT / package).rglob("*/")]
    }
    assert [str(each) for each, count in counts.items() if count > 15] == ["lint/rules"]
