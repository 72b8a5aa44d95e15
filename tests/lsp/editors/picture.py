"""Writes the picture in the guide to the editors, with VS Code in Chromium.

python -m tests.lsp.editors.picture
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from tempfile import TemporaryDirectory

from docs.generate import ROOT
from tests.lsp.editors.vscode import SETTINGS, vscode

_READY = (
    "document.querySelector('.squiggly-error') && document.querySelector('.codelens-decoration')"
)
_HINT = "document.body.innerText.replaceAll('\\xa0', ' ').includes('Failed: starting')"
_CLOSE = "document.querySelectorAll('.notifications-toasts').forEach(node => node.remove())"


async def _write(directory: Path) -> None:
    settings = {
        **SETTINGS,
        "workbench.activityBar.location": "hidden",
        "workbench.sideBar.visible": False,
        "window.commandCenter": False,
        "editor.minimap.enabled": False,
    }
    async with vscode(directory, settings=settings) as page:
        await page.until(f"{_READY} && {_HINT}")
        await page.value(_CLOSE)
        await page.picture(ROOT / "docs" / "vscode.png")


if __name__ == "__main__":
    with TemporaryDirectory() as name:
        asyncio.run(_write(Path(name)))
