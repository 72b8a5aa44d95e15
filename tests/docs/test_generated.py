"""Generated files are up to date."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from celvet.schemas import CatalogError
from docs import generate
from docs.generate import ROOT, generated, main, stale
from tests.forked import CELVET, forked


@pytest.fixture(scope="module")
def wanted() -> dict[Path, str]:
    """The derived files: every command shown in a guide is run for them."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}

    def run(command: Sequence[str]) -> str:
        ran = forked(CELVET, command, env=kept)
        return ran.out + ran.err

    return dict(generated(run))


def test_everything_is_up_to_date(wanted: dict[Path, str]) -> None:
    found = stale(wanted)
    assert found == [], "run `make generate`"


def test_no_page_is_left_over(wanted: dict[Path, str]) -> None:
    pages = {path for path in wanted if path.parent.name == "rules"}
    left = set((ROOT / "docs" / "rules").glob("*.md")) - pages
    assert left == set(), "delete the page of a rule that is gone"


def test_a_stale_page_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(generate, "generated", lambda: [(ROOT / "docs" / "new.md", "new")])
    assert main(["--check"]) == 1
    assert capsys.readouterr().out == "docs/new.md is stale: run `make generate`\n"


def test_a_wrong_schema_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def wrong() -> None:
        raise CatalogError(Path("schemas/flux/Thing.json"), "`description` is missing")

    monkeypatch.setattr(generate, "generated", wrong)
    assert main([]) == 2
    assert capsys.readouterr().err == (
        "schemas/flux/Thing.json: `description` is missing\n"
        "Correct it and run `make generate` again.\n"
    )
