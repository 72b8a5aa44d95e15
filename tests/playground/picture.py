"""Writes the picture in the guide to the playground, with Chromium.

python -m tests.playground.picture
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from tempfile import TemporaryDirectory

from docs.generate import ROOT
from tests.browser import chromium
from tests.playground.serving import playground

_FILE = ROOT / "docs" / "playground.png"
_TYPE = """
document.getElementById("kind").value = "Dragonfly.dragonflydb.io";
document.getElementById("role-failed").value = "status.phase != 'Ready'";
document.getElementById("role-current").value = "status.phase == 'Ready'";
document.getElementById("form").dispatchEvent(new Event("input"));
"""
_IDLE = "!document.querySelector('[aria-busy]')"


async def _write(url: str, directory: Path) -> None:
    async with chromium(directory) as page:
        await page.window(1200, 900)
        await page.open(url)
        await page.until("document.querySelector('#life li')")
        await page.value(_TYPE)
        await page.until(f"document.querySelector('#life .bad.wrong') && {_IDLE}")
        await page.value("document.querySelectorAll('#life button')[2].click()")
        await page.until(f"document.querySelector('#verdict .bad') && {_IDLE}")
        await page.picture(_FILE)


if __name__ == "__main__":
    with TemporaryDirectory() as name, playground(Path(name)) as address:
        asyncio.run(_write(address, Path(name)))
