"""Work that is done once, done again, or skipped."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from lsprotocol import types as lsp

from celvet.lint.lsp.state import analysis, documents
from celvet.lint.lsp.state.client_settings import client_settings
from celvet.lint.lsp.state.configuration import Configuration, FileConfiguration
from celvet.lint.lsp.state.documents import Documents, OpenFile
from celvet.lint.lsp.state.positions import EditorText
from tests.lsp.manifests import CERTIFICATE, CRD, HEAD, ISSUER, PROVIDER, RESOURCE_SET

pytestmark = pytest.mark.asyncio

_THREE = f"{HEAD}{ISSUER}---\n{HEAD}{CERTIFICATE}---\na: 1\n"


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts from which a part was made."""
    texts: list[str] = []

    class Counted(analysis.Analysis):
        def __init__(self, text: str, *args: object) -> None:
            texts.append(text)
            super().__init__(text, *args)  # type: ignore[arg-type]

    monkeypatch.setattr(documents, "Analysis", Counted)
    return texts


@pytest.fixture
def files() -> Iterator[Documents]:
    opened = Documents(Configuration())
    yield opened
    opened.close()


def _open(files: Documents, path: Path, text: str) -> OpenFile:
    item = lsp.TextDocumentItem(path.as_uri(), "yaml", 1, text)
    return files.add(item, lsp.PositionEncodingKind.Utf16)


async def test_a_request_costs_its_document_alone(
    files: Documents, made: list[str], tmp_path: Path
) -> None:
    file = _open(files, tmp_path / "f.yaml", _THREE)
    placed = await files.analysis_at(file, _THREE.index("Issuer"))
    assert made == [f"{HEAD}{ISSUER}"]
    assert placed.start == 0
    assert await files.analysis_at(file, 5) == placed
    assert len(made) == 1


async def test_a_change_costs_its_document_alone(
    files: Documents, made: list[str], tmp_path: Path
) -> None:
    file = _open(files, tmp_path / "f.yaml", _THREE)
    before = await files.all_analyses(file)
    assert [each.analysis.text for each in before] == made
    file.text = EditorText(_THREE.replace("kind: Issuer", "kind: Other"))
    made.clear()
    after = await files.all_analyses(file)
    assert len(made) == 1
    assert after[1].analysis is before[1].analysis
    assert after[1].start == before[1].start - 1
    assert set(file.analyses) == {each.analysis.text for each in after}


async def test_errors_alone_are_not_kept(files: Documents, tmp_path: Path) -> None:
    wrong = CERTIFICATE.replace("status.", "status..", 1)
    file = _open(files, tmp_path / "f.yaml", f"{HEAD}{wrong}---\n{HEAD}{CERTIFICATE}")
    parts = await files.errors(file)
    found = [[finding.rule for finding in each.analysis.result.findings] for each in parts]
    assert found == [["cel-syntax"], []]
    assert not file.analyses


async def test_the_settings_are_worked_out_once_for_a_text(
    files: Documents, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked: list[Path] = []
    configured = Configuration.of

    def counted(configuration: Configuration, file: Path) -> FileConfiguration:
        asked.append(file)
        return configured(configuration, file)

    monkeypatch.setattr(Configuration, "of", counted)
    assert len(await files.all_analyses(_open(files, tmp_path / "f.yaml", _THREE))) == 3
    assert len(asked) == 1


async def test_other_settings_cost_everything(
    files: Documents, made: list[str], tmp_path: Path
) -> None:
    file = _open(files, tmp_path / "f.yaml", _THREE)
    await files.all_analyses(file)
    made.clear()
    files.configuration.configure(client_settings({"rules": {"missing-failed": "off"}}))
    found = await files.all_analyses(file)
    assert len(made) == 3
    assert found[0].analysis.result.findings == ()


async def test_a_crd_in_the_file_costs_everything_when_it_changes(
    files: Documents, made: list[str], tmp_path: Path
) -> None:
    text = f"{_THREE}---\n{CRD}"
    file = _open(files, tmp_path / "f.yaml", text)
    found = await files.all_analyses(file)
    assert "crd-field" in {each.rule for each in found[0].analysis.result.findings}
    made.clear()
    file.text = EditorText(text.replace("a: 1", "a: 2"))
    await files.all_analyses(file)
    assert len(made) == 1
    made.clear()
    file.text = EditorText(text.replace("kind: Issuer, plural", "kind: Other, plural"))
    found = await files.all_analyses(file)
    assert "crd-field" not in {each.rule for each in found[0].analysis.result.findings}


async def test_work_that_is_stale_ends_between_two_documents(
    files: Documents, made: list[str], tmp_path: Path
) -> None:
    file = _open(files, tmp_path / "f.yaml", _THREE)
    work = asyncio.ensure_future(files.all_analyses(file))
    await asyncio.sleep(0)
    work.cancel()
    with pytest.raises(asyncio.CancelledError):
        await work
    await files.run(lambda: None)
    assert len(made) <= 1


async def test_a_request_goes_before_the_rest(
    files: Documents, made: list[str], tmp_path: Path
) -> None:
    text = "---\n".join(f"{HEAD}{ISSUER}".replace("Issuer", f"Kind{at}") for at in range(9))
    file = _open(files, tmp_path / "f.yaml", text)
    everything = asyncio.ensure_future(files.all_analyses(file))
    await asyncio.sleep(0)
    await files.analysis_at(file, text.index("Kind7"))
    assert len(made) < 9
    await everything


async def test_a_closed_file_is_forgotten(files: Documents, tmp_path: Path) -> None:
    file = _open(files, tmp_path / "f.yaml", _THREE)
    file.work = asyncio.ensure_future(asyncio.sleep(60))
    files.remove(file.uri)
    assert files.find(file.uri) is None
    assert list(files) == []
    with pytest.raises(asyncio.CancelledError):
        await file.work


async def test_the_inputs_of_a_template_come_from_the_file_and_from_others(
    files: Documents, tmp_path: Path
) -> None:
    (tmp_path / "other.yaml").write_text(PROVIDER)
    text = RESOURCE_SET
    file = _open(files, tmp_path / "f.yaml", text)
    (found,) = await files.all_analyses(file)
    (finding,) = found.analysis.result.findings
    assert finding.message.startswith("`and` is not an operator")
    file.text = EditorText(f"{text}---\n{PROVIDER.replace('1 and 2', '1')}")
    found, _ = await files.all_analyses(file)
    assert found.analysis.result.findings == ()
