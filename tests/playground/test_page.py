"""The page in Chromium: with the keyboard, for a screen reader, on a phone, in the dark."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from tests.browser import Page, chromium
from tests.playground.serving import playground

pytestmark = pytest.mark.usefixtures("outside")

_TYPE = """
const type = (id, text) => {
  const field = document.getElementById(id);
  field.value = text;
  field.dispatchEvent(new Event("input", {bubbles: true}));
};
"""
_SHOWN = "document.querySelectorAll('#life li').length > 5"
_IDLE = "!document.querySelector('[aria-busy]')"
_FOCUSED = """
(active => active.closest(".life")?.id || active.id || active.tagName)(document.activeElement)
"""


def _on_page(directory: Path, work: Callable[[Page, str], Awaitable[Any]]) -> Any:
    async def session(url: str) -> Any:
        async with chromium(directory) as page:
            await page.window(1280)
            await page.open(url)
            await page.until(f"{_SHOWN} && {_IDLE}")
            return await work(page, url)

    with playground(directory) as url:
        return asyncio.run(session(url))


def test_the_keyboard_reaches_everything_and_a_state_is_chosen_with_it(tmp_path: Path) -> None:
    async def work(page: Page, _: str) -> tuple[set[str], str, str]:
        reached = set()
        for _ in range(40):
            await page.press("Tab")
            active = await page.value(_FOCUSED)
            reached.add(active)
            if active == "life":
                break
        await page.press("Tab")
        await page.press("Enter")
        await page.until(_IDLE)
        await page.until("document.querySelector('#verdict .verdict').textContent === 'InProgress'")
        pressed = await page.value(
            "document.querySelector('.life [aria-pressed=true]').textContent"
        )
        focused = await page.value("document.activeElement.textContent")
        return reached, pressed, focused

    reached, pressed, focused = _on_page(tmp_path, work)
    assert reached >= {"kind", "target", "suggest", "object", "share", "test", "life"}
    assert pressed == focused, "the focus stays on the chosen state"
    assert pressed.startswith("issuing, before Ready is written")


def test_each_control_has_a_name_for_a_screen_reader(tmp_path: Path) -> None:
    async def work(page: Page, _: str) -> tuple[list[str], list[str]]:
        regions = await page.value(
            "[...document.querySelectorAll('[aria-live], [role=alert], [role=status]')]"
            ".map(each => each.id)"
        )
        return await page.unnamed(), regions

    unnamed, regions = _on_page(tmp_path, work)
    assert unnamed == []
    assert {"verdict", "findings", "problem", "copied"} <= set(regions)


def test_what_is_typed_is_judged_and_shared_in_the_fragment(tmp_path: Path) -> None:
    async def work(page: Page, url: str) -> tuple[str, str, str, str]:
        await page.value(
            f"{{{_TYPE} type('kind', 'Dragonfly'); type('role-failed', \"status.phase != 'x'\");"
            " type('role-current', \"status.phase == '<b>ü</b>'\"); }"
        )
        await page.until("document.querySelector('#life .bad.wrong')")
        await page.until(_IDLE)
        findings = await page.value("document.getElementById('findings').innerText")
        link = await page.value("location.href")
        await page.open(link)
        await page.until(f"document.querySelector('#life .bad.wrong') && {_IDLE}")
        current = await page.value("document.getElementById('role-current').value")
        bold = await page.value("document.querySelectorAll('b').length")
        return findings, link.removeprefix(url), current, bold

    findings, fragment, current, bold = _on_page(tmp_path, work)
    assert "premature-failed" in findings
    assert fragment.startswith("#")
    assert current == "status.phase == '<b>ü</b>'"
    assert bold == 0, "texts are no markup"


def test_a_wrong_kind_is_said_and_the_suggestion_mends_it(tmp_path: Path) -> None:
    async def work(page: Page, _: str) -> tuple[str, str]:
        await page.value(f"{{{_TYPE} type('kind', 'Kafak'); }}")
        await page.until("document.getElementById('problem').textContent")
        problem = await page.value("document.getElementById('problem').textContent")
        await page.value(f"{{{_TYPE} type('kind', 'Kafka'); }}")
        await page.value("document.getElementById('suggest').click()")
        await page.until(
            "document.querySelector('#verdict .verdict')?.textContent === 'Current'"
            " && document.getElementById('object').value.includes('kind: Kafka')"
        )
        return problem, await page.value("document.getElementById('findings').innerText")

    problem, findings = _on_page(tmp_path, work)
    assert "did you mean `Kafka`" in problem
    assert findings == "Nothing is wrong."


@pytest.mark.parametrize(("width", "dark"), [(1280, False), (1280, True), (360, False)])
def test_axe_finds_nothing_and_a_phone_scrolls_one_way(
    tmp_path: Path, width: int, dark: bool
) -> None:
    async def work(page: Page, _: str) -> tuple[list[str], int]:
        await page.window(width, dark=dark)
        return await page.breaches(), await page.value("document.documentElement.scrollWidth")

    breaches, scrolled = _on_page(tmp_path, work)
    assert breaches == []
    assert scrolled <= width
