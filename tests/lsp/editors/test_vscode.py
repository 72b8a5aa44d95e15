"""The extension in a real VS Code, in Chromium: what a user sees, points at and clicks."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from tests.browser import Page
from tests.lsp.editors.vscode import LACK, SETTINGS, vscode

pytestmark = pytest.mark.skipif(bool(LACK), reason=LACK)

_LENSES = "[...document.querySelectorAll('.codelens-decoration a')]"
_LINES = "[...document.querySelectorAll('.view-line')]"
_TEXT = "document.body.innerText.replaceAll('\\xa0', ' ')"
_ROWS = "[...document.querySelectorAll('.quick-input-list .monaco-list-row')]"


def _lens(title: str) -> str:
    return f"{_LENSES}.find(lens => lens.innerText === {title!r})"


def _word(text: str) -> str:
    """The smallest part of the editor with a text."""
    return (
        f"{_LINES}.flatMap(line => [...line.querySelectorAll('span > span')])"
        f".find(span => span.innerText.trim() === {text!r})"
    )


def _in_vscode(work: Callable[[Page], Awaitable[Any]], directory: Path, **options: Any) -> Any:
    async def session() -> Any:
        async with vscode(directory, **options) as page:
            return await work(page)

    return asyncio.run(session())


async def _choose(page: Page, text: str) -> None:
    """Choose the row of the quick pick that begins with a text."""
    row = f"{_ROWS}.find(row => row.innerText.trim().startsWith({text!r}))"
    await page.point(row, click=True)


def test_a_user_at_work(tmp_path: Path) -> None:
    async def work(page: Page) -> None:
        # The diagnostics, the hints and the lenses come by themselves, the words in colors.
        assert await page.sees("document.querySelector('.squiggly-error')")
        assert await page.sees(f"{_TEXT}.includes('Failed: starting, 1 of 2 ready, being updated')")
        assert await page.sees(f"{_LENSES}.length === 4")
        assert await page.sees(f"({_word('has')}).className !== ({_word('prune')}).className")
        # A key teaches.
        await page.point(_word("failed"))
        assert await page.sees(
            f"{_TEXT}.includes('The recommended entry for Dragonfly.dragonflydb.io')"
        )
        await page.point(f"{_LENSES}[3]")  # what the hover does not cover
        # A state of the life is tried: the broken entry stalls the whole object.
        await page.point(_lens("try on an object"), click=True)
        await page.until(f"{_ROWS}.length > 6")
        await _choose(page, "Configuring (coming)")
        assert await page.sees(f"{_TEXT}.includes('Stalled (InvalidCELExpression)')")
        # The page of the check is opened.
        await page.point(_lens("explain"), click=True)
        assert await page.sees(f"{_TEXT}.includes('celvet explain')")
        assert await page.sees("document.querySelector('iframe.webview.ready')")

    _in_vscode(work, tmp_path)


def test_an_entry_is_inserted(tmp_path: Path) -> None:
    async def work(page: Page) -> None:
        await page.until(f"{_LENSES}.length === 4")
        await page.point(_word("prune"), click=True)
        await page.press("F1")
        await page.until("document.querySelector('.quick-input-widget input')")
        await page.type("celvet: Suggest")
        await _choose(page, "celvet: Suggest an entry for a kind")
        await page.until(
            "document.querySelector('.quick-input-widget input').placeholder[4] === 'k'"
        )
        await page.type("Cluster.postgresql")
        await _choose(page, "Cluster.postgresql.cnpg.io")
        assert await page.sees(f"{_TEXT}.includes('Cluster in healthy state')")

    _in_vscode(work, tmp_path)


_FAKE_UV = """\
#!/bin/sh
[ "$1" = --version ] && exit 0
echo "$@" > {directory}/asked
mkdir -p {directory}/home/.local/bin
ln -s {celvet} {directory}/home/.local/bin/celvet
"""


def test_celvet_is_installed_when_the_user_says_so(tmp_path: Path) -> None:
    programs, home = tmp_path / "bin", tmp_path / "home"
    programs.mkdir()
    home.mkdir()
    celvet = Path(sys.executable).parent / "celvet"
    (programs / "uv").write_text(_FAKE_UV.format(directory=tmp_path, celvet=celvet))
    (programs / "uv").chmod(0o755)
    path = os.pathsep.join(
        [
            str(programs),
            *(part for part in os.environ["PATH"].split(os.pathsep) if "venv" not in part),
        ]
    )
    # VS Code takes the environment from a login shell.
    (home / ".profile").write_text(f"export PATH={path}\n")
    environment = {**os.environ, "PATH": path, "HOME": str(home)}
    settings = {key: value for key, value in SETTINGS.items() if key != "celvet.path"}

    async def work(page: Page) -> None:
        install = "[...document.querySelectorAll('.notification-toast a.monaco-button')]"
        assert await page.sees(f"{_TEXT}.includes('celvet is not installed. Install celvet[lsp]')")
        assert not (tmp_path / "asked").exists()
        await page.point(f"{install}.find(way => way.innerText === 'uv tool install')", click=True)
        assert await page.sees("document.querySelector('.squiggly-error')")

    _in_vscode(work, tmp_path, settings=settings, environment=environment)
    assert (tmp_path / "asked").read_text().startswith("tool install --force celvet[lsp] @ ")
