"""Writes the pictures in the guides, with Chromium: `python -m tests.site.pictures`."""

from __future__ import annotations

import asyncio
from pathlib import Path
from tempfile import TemporaryDirectory

from docs.generate import ROOT
from docs.site.build import build
from tests.browser import chromium, served
from tests.cli.command import celvet
from tests.playground.serving import playground

DOCS = ROOT / "docs"
REPORTS = {
    "explain": ("explain", "examples/infrastructure/dragonfly.yaml"),
    "graph-page": ("graph", "examples/clusters"),
    "why-page": ("why", "--from", "tests/why/orders.yaml", "--at", "2026-11-24T08:02:00Z"),
}
"""Name of a picture -> the command whose page it shows."""

_TYPE = """
document.getElementById("kind").value = "Dragonfly.dragonflydb.io";
document.getElementById("role-failed").value = "status.phase != 'Ready'";
document.getElementById("role-current").value = "status.phase == 'Ready'";
document.getElementById("form").dispatchEvent(new Event("input"));
"""
_IDLE = "!document.querySelector('[aria-busy]')"


def report(name: str, directory: Path) -> Path:
    """The page of a command."""
    file = directory / f"{name}.html"
    ran = celvet(*REPORTS[name], "--format", "html", "-o", file, cwd=ROOT)
    assert file.exists(), ran.err
    return file


async def _write(url: str, site: str, directory: Path) -> None:
    async with chromium(directory) as page:
        await page.window(1200, 900)
        await page.open(url)
        await page.until("document.querySelector('#life li')")
        await page.value(_TYPE)
        await page.until(f"document.querySelector('#life .bad.wrong') && {_IDLE}")
        await page.value("document.querySelectorAll('#life button')[2].click()")
        await page.until(f"document.querySelector('#verdict .bad') && {_IDLE}")
        await page.picture(DOCS / "playground.png")
        await page.window(1200, 600)
        for name in REPORTS:
            await page.open(report(name, directory).as_uri())
            await page.picture(DOCS / f"{name}.png")
        await page.open(f"{site}/index.html")
        await page.until("document.querySelector('.md-content h1')")
        await page.picture(DOCS / "site.png")


if __name__ == "__main__":
    with TemporaryDirectory() as name:
        work = Path(name)
        build(work / "site")
        with playground(work) as address, served(work / "site") as site:
            asyncio.run(_write(address, site, work))
