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
_LUMINANCES = """
const texts = ".verdict, button, label, input, .place, code, summary";
[...document.querySelectorAll(texts)].map(node => {
  const channels = color => color.match(/[\\d.]+/g).map(Number);
  let back = node;
  const isClear = each => channels(getComputedStyle(each).backgroundColor)[3] === 0;
  while (isClear(back) && back.parentElement) back = back.parentElement;
  const light = color => channels(color).slice(0, 3).map(each => each / 255)
    .map(c => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
    .reduce((sum, c, index) => sum + c * [0.2126, 0.7152, 0.0722][index], 0);
  return [light(getComputedStyle(node).color), light(getComputedStyle(back).backgroundColor)];
})
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


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_it_fits_on_a_phone_and_can_be_read(tmp_path: Path, dark: bool) -> None:
    async def work(page: Page, _: str) -> tuple[int, list[list[float]]]:
        await page.window(360, dark=dark)
        return (
            await page.value("document.documentElement.scrollWidth"),
            await page.value(f"{{{_LUMINANCES}}}"),
        )

    width, luminances = _on_page(tmp_path, work)
    assert width == 360
    assert len(luminances) > 20
    for pair in luminances:
        darker, lighter = sorted(pair)
        assert (lighter + 0.05) / (darker + 0.05) >= 4.5
    assert (luminances[0][1] < 0.2) == dark
