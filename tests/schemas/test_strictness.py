from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from celvet.schemas import BUILT_IN, CatalogError, load
from tests.schemas.directories import write
from tests.tables import read_table

CASES = read_table(Path(__file__).parent / "strictness.yaml")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_what_is_not_understood_is_an_error(case: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(CatalogError) as error_info:
        load([write(tmp_path, case["files"])])
    assert case["error"] in error_info.value.reason
    assert error_info.value.path.is_relative_to(tmp_path)
    assert str(error_info.value).startswith(str(error_info.value.path))


def test_a_directory_that_does_not_exist(tmp_path: Path) -> None:
    with pytest.raises(CatalogError, match="cannot be read: No such file"):
        load([tmp_path / "nowhere"])


def test_what_an_editor_or_a_version_control_leaves_behind_is_ignored(tmp_path: Path) -> None:
    write(tmp_path, {".gitkeep": "", "README.md": "", "acme/.Widget.json.swp": ""})
    assert load([tmp_path]).kinds == load().kinds


def test_python_files_are_only_ours(tmp_path: Path) -> None:
    assert any(entry.suffix == ".py" for entry in BUILT_IN.iterdir())
    with pytest.raises(CatalogError, match="unexpected entry"):
        load([write(tmp_path, {"code.py": ""})])
