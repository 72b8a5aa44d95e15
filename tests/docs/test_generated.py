"""What is derived from the code is what the code derives."""

from __future__ import annotations

from pathlib import Path

import pytest

from docs.generate import ROOT, generated


@pytest.mark.parametrize(
    ("path", "text"),
    [(p, t) for p, t in generated()],
    ids=lambda value: value.name if isinstance(value, Path) else "",
)
def test_is_up_to_date(path: Path, text: str) -> None:
    assert path.exists(), f"run `make generate`: {path.relative_to(ROOT)} is missing"
    assert path.read_text(encoding="utf-8") == text, "run `make generate`"


def test_no_page_is_left_over() -> None:
    wanted = {path for path, _ in generated() if path.parent.name == "rules"}
    assert set((ROOT / "docs" / "rules").glob("*.md")) == wanted
