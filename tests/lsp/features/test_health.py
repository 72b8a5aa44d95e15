"""Where health tests are found, and what the lens above an entry shows."""

from __future__ import annotations

from pathlib import Path

import pytest

from celvet.lint.engine import Settings
from celvet.lint.lsp.features.lenses import lenses
from celvet.lint.lsp.features.scaffolding import health_test, line_of_test
from celvet.lint.lsp.state.analysis import Analysis, PlacedAnalysis
from celvet.lint.lsp.state.workspace import WorkspaceTests
from celvet.schemas import load
from tests.lsp.manifests import HEAD, ISSUER

_SETTINGS = Settings()


@pytest.fixture
def manifest(tmp_path: Path) -> Path:
    path = tmp_path / "ks.yaml"
    path.write_text(HEAD + ISSUER, encoding="utf-8")
    return path


def _begin(manifest: Path) -> Path:
    made = health_test(HEAD + ISSUER, manifest, "Issuer", load())
    assert made is not None
    made.path.write_text(made.text, encoding="utf-8")
    return made.path


def _titles(manifest: Path, text: str, tests: WorkspaceTests) -> list[str]:
    placed = PlacedAnalysis(Analysis(text, manifest.as_posix(), _SETTINGS), 0)
    return [each.title for each in lenses([placed], tests.tests_of(manifest, _SETTINGS))]


def test_a_new_test_passes_and_takes_no_name_that_is_taken(manifest: Path) -> None:
    assert [_begin(manifest).name for _ in range(3)] == [
        "ks.test.yaml",
        "ks.2.test.yaml",
        "ks.3.test.yaml",
    ]
    (title,) = _titles(manifest, HEAD + ISSUER, WorkspaceTests())
    assert title == "health tests: 9 passed (Unknown, InProgress, Current)"


def test_nothing_can_be_begun_for_what_is_not_there(manifest: Path) -> None:
    assert health_test(HEAD + ISSUER, manifest, "Other", load()) is None


def test_what_fails_is_named(manifest: Path) -> None:
    _begin(manifest)
    changed = (HEAD + ISSUER).replace("'True'", "'False'")
    (title,) = _titles(manifest, changed, WorkspaceTests())
    assert title.startswith("health tests: 1 of 3 failed: an object whose condition `Ready` is ")
    assert title.endswith("verdict InProgress instead of Current")


def test_an_entry_is_known_by_its_kind_wherever_it_stands(manifest: Path) -> None:
    _begin(manifest)
    moved = HEAD + ISSUER.replace("Issuer", "Other") + ISSUER
    assert len(_titles(manifest, moved, WorkspaceTests())) == 1
    assert _titles(manifest, moved.replace("name: certs", "name: other"), WorkspaceTests()) == []


def test_the_workspace_is_searched_and_searched_again(manifest: Path) -> None:
    tests = WorkspaceTests()
    tests.roots = (manifest.parent,)
    assert _titles(manifest, HEAD + ISSUER, tests) == []
    folder = manifest.parent / "deep" / "down"
    folder.mkdir(parents=True)
    text = _begin(manifest).read_text(encoding="utf-8")
    (manifest.parent / "ks.test.yaml").unlink()
    target = folder / "t.yaml"
    target.write_text(text.replace("file: ks.yaml", "file: ../../ks.yaml"), encoding="utf-8")
    assert _titles(manifest, HEAD + ISSUER, tests) == []
    tests.forget()
    assert len(_titles(manifest, HEAD + ISSUER, tests)) == 1


def test_the_folders_of_a_workspace_are_one(tmp_path: Path) -> None:
    """A test may be in another folder than its target."""
    one, other = tmp_path / "a", tmp_path / "b"
    one.mkdir()
    other.mkdir()
    manifest = one / "ks.yaml"
    manifest.write_text(HEAD + ISSUER, encoding="utf-8")
    made = _begin(manifest)
    text = made.read_text(encoding="utf-8").replace("file: ks.yaml", "file: ../a/ks.yaml")
    made.unlink()
    (other / "t.test.yaml").write_text(text, encoding="utf-8")
    tests = WorkspaceTests()
    tests.roots = (one,)
    assert _titles(manifest, HEAD + ISSUER, tests) == []
    tests.roots = (one, other, tmp_path)
    tests.forget()
    assert len(tests.tests_of(manifest, _SETTINGS)) == 1


def test_files_that_cannot_be_used(manifest: Path) -> None:
    (manifest.parent / "a.yaml").symlink_to("missing")
    (manifest.parent / "b.yaml").write_bytes(b"\0 celvet.dev HealthTest ks.yaml")
    (manifest.parent / "c.yaml").write_text(
        "apiVersion: celvet.dev/v1alpha1\nkind: HealthTest ks.yaml\n"
    )
    tests = WorkspaceTests()
    tests.roots = (manifest.parent,)
    assert tests.tests_of(manifest, _SETTINGS) == ()
    assert tests.tests_of(Path("/no/such/directory/f.yaml"), _SETTINGS) == ()


def test_the_line_of_a_test(manifest: Path) -> None:
    text = _begin(manifest).read_text(encoding="utf-8")
    two = manifest.parent / "two.yaml"
    two.write_text(f"{text}---\n{text}", encoding="utf-8")
    lines = two.read_text(encoding="utf-8").splitlines()
    assert "name:" in lines[line_of_test(two, 2)]
    assert line_of_test(two, 2) > line_of_test(two, 1) > 0
    assert line_of_test(manifest.parent / "missing.yaml", 1) == 0
    assert line_of_test(Path("\0"), 1) == 0
