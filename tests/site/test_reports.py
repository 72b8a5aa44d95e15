"""axe on the pages that commands write."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.browser import chromium
from tests.site.pictures import DOCS, REPORTS, report


@pytest.mark.parametrize("name", REPORTS)
def test_axe_finds_nothing_on_a_report(tmp_path: Path, name: str) -> None:
    async def work(url: str) -> list[str]:
        breaches = []
        async with chromium(tmp_path) as page:
            for width, dark in ((1280, False), (1280, True), (360, False)):
                await page.window(width, dark=dark)
                await page.open(url)
                breaches += await page.breaches()
        return breaches

    assert asyncio.run(work(report(name, tmp_path).as_uri())) == []


@pytest.mark.parametrize("name", ["playground", *REPORTS])
def test_a_guide_shows_the_picture(name: str) -> None:
    guides = [guide.read_text(encoding="utf-8") for guide in DOCS.glob("*.md")]
    assert (DOCS / f"{name}.png").read_bytes().startswith(b"\x89PNG")
    assert any(f"]({name}.png)" in text for text in guides)
