"""What is derived from the code is what the code derives."""

from __future__ import annotations

from pathlib import Path

import pytest

from docs.generate import ROOT, generated


@pytest.fixture(scope="module")
def wanted() -> dict[Path, str]:
    """The derived files: every command shown in a guide is run for them, which takes seconds."""
    return dict(generated())


def test_everything_is_up_to_date(wanted: dict[Path, str]) -> None:
    stale = {
        str(path.relative_to(ROOT))
        for path, text in wanted.items()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    }
    assert stale == set(), "run `make generate`"


def test_no_page_is_left_over(wanted: dict[Path, str]) -> None:
    pages = {path for path in wanted if path.parent.name == "rules"}
    assert set((ROOT / "docs" / "rules").glob("*.md")) == pages
