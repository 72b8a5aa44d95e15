"""The files of a repository, and what is read from them."""

from __future__ import annotations

from pathlib import Path

from celvet.lint.repository.files import Files


def test_the_objects_of_a_file_that_cannot_be_opened_are_not_known(tmp_path: Path) -> None:
    (tmp_path / "gone.yaml").symlink_to(tmp_path / "nowhere.yaml")
    (tmp_path / "empty.yaml").write_text("")
    files = Files(tmp_path)
    assert files.files_in("") == ["empty.yaml", "gone.yaml"]
    assert files.is_readable("empty.yaml")
    assert not files.is_readable("gone.yaml")
