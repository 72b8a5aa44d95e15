"""The tree in the architecture is the one in the repository, in the order of the contract."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path

from tests.rooms import lines_by_room, told_lines

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


def test_the_table_of_the_rooms_is_true() -> None:
    actual, told = lines_by_room(), told_lines()
    assert actual.keys() == told.keys(), "python -m tests.rooms writes the table"
    assert not {
        f"{room}: {told[room]} lines and tests are {counts} now; run python -m tests.rooms"
        for room, counts in actual.items()
        for count, figure in zip(counts, told[room], strict=True)
        if abs(count - figure) > max(200, figure / 5)
    }


def test_no_folder_has_more_than_fifteen_modules_but_that_of_the_rules() -> None:
    counts = {
        folder.relative_to(_ROOT): len([*folder.glob("[!_]*.py")])
        for package in ("lint", "schemas", "webhook", "certs")
        for folder in [_ROOT / package, *(_ROOT / package).rglob("*/")]
    }
    assert [str(each) for each, count in counts.items() if count > 15] == ["lint/rules"]


_PACKAGES = ("celvet", "lint", "schemas", "webhook", "certs")
_SHORT, _LONG = 60, 400


def _modules() -> dict[str, Path]:
    """Each module but the packages' `__init__`, by its name within `celvet`."""
    files = [file for package in _PACKAGES for file in sorted((_ROOT / package).rglob("*.py"))]
    named = {".".join(file.relative_to(_ROOT).with_suffix("").parts): file for file in files}
    return {name: file for name, file in named.items() if not name.endswith("__init__")}


def _loads(file: Path) -> set[str]:
    """What a module loads when it is itself loaded; what a function imports is loaded later."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    imports = [each for each in tree.body if isinstance(each, ast.ImportFrom) and each.module]
    named = {f"{each.module}.{alias.name}" for each in imports for alias in each.names}
    return {name.removeprefix("celvet.") for name in {*named, *(each.module for each in imports)}}


def test_no_module_is_longer_than_a_reader_keeps_in_mind() -> None:
    lines = {name: len(file.read_text("utf-8").splitlines()) for name, file in _modules().items()}
    assert not {name: count for name, count in lines.items() if count > _LONG}


def test_a_short_module_that_only_one_other_loads_is_part_of_it() -> None:
    modules = _modules()
    loads = {name: _loads(file) for name, file in modules.items()}
    inits = (file for each in _PACKAGES for file in (_ROOT / each).rglob("__init__.py"))
    doors = {name for file in inits for name in _loads(file)}
    lines = {name: len(file.read_text("utf-8").splitlines()) for name, file in modules.items()}
    for name in modules.keys() - doors:
        users = [user for user, loaded in loads.items() if name in loaded]
        if len(users) == 1 and lines[name] < _SHORT:
            assert lines[name] + lines[users[0]] > _LONG, f"{name} belongs into {users[0]}"
