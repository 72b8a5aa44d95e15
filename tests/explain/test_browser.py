"""The page in Chromium: on a phone, in dark mode, and on a screen."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from functools import cache
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from celvet.lint.engine import Settings, lint_text
from celvet.lint.engine.fix import fix
from celvet.lint.explain.output import FORMATS
from celvet.lint.explain.pages import pages, with_fixes
from docs.generate import ROOT

pytestmark = pytest.mark.usefixtures("outside")

_FILES = ("dragonfly.yaml", "explained.yaml")
_WORDY = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: wordy}
spec:
  wait: true
  healthCheckExprs:
    - apiVersion: example.com/v1
      kind: AKindWithANameThatNobodyWouldWriteIfTheyHadToTypeItEveryDayOfTheirLife
      failed: status.phase == 'Broken' || status.phase == 'Terminated'
      current: "status.phase == 'READY_AND_WAITING_FOR_NOTHING_THAT_ANYBODY_COULD_EVER_GIVE_TO_IT'"
"""
_PROBE = """
const probe = frame => {
  const inside = frame.contentDocument, view = frame.contentWindow;
  const verdicts = [...inside.querySelectorAll(".verdict")].map(each => {
    const look = view.getComputedStyle(each);
    return {text: each.textContent, classes: each.className, color: look.color,
            back: look.backgroundColor, seen: each.getBoundingClientRect().width > 0};
  });
  const root = inside.documentElement;
  return {
    width: root.clientWidth, content: root.scrollWidth, verdicts,
    legend: [...inside.querySelectorAll(".legend li")].map(each => each.textContent),
    tables: [...inside.querySelectorAll("thead")].map(each => view.getComputedStyle(each).display),
    columns: [...inside.querySelectorAll(".entry")].map(
      each => view.getComputedStyle(each).gridTemplateColumns.split(" ")
        .filter(track => parseFloat(track) > 0).length),
  };
};
document.getElementById("found").textContent = JSON.stringify(
  Object.fromEntries([...document.querySelectorAll("iframe")].map(each => [each.id, probe(each)])));
"""
_WIDTHS = {"phone": 360, "screen": 1200}


def _page() -> str:
    """Two real examples and one with long words, the fixed entry beside the broken one."""
    found = []
    texts = [(ROOT / "examples" / "infrastructure" / name).read_text() for name in _FILES]
    for text in (*texts, _WORDY):
        after = fix(text.encode(), "apps.yaml", Settings(), unsafe=False).result
        found += with_fixes(list(pages(lint_text(text, "apps.yaml"))), pages(after))
    return FORMATS.renderer("html")(found, False)


def _chromium(directory: Path) -> list[str]:
    """The command of a headless Chromium."""
    program = shutil.which("chromium") or shutil.which("google-chrome")
    if not program:
        pytest.skip("Chromium is not installed (Debian's package chromium)")
    options = ("--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={directory}/data")
    return [program, *options]


@cache
def _laid_out(scheme: str) -> Any:
    """The page as Chromium shows it in a window of each width; `scheme` is dark or light."""
    page = escape(_page())
    frames = "".join(
        f'<iframe id="{name}" width="{width}" height="700" srcdoc="{page}"></iframe>'
        for name, width in _WIDTHS.items()
    )
    script = f'<script>window.onload = () => {{ {_PROBE} }}</script><pre id="found"></pre>'
    with TemporaryDirectory() as directory:
        file = Path(directory, "frames.html")
        file.write_text(f"<!doctype html>{script}{frames}", encoding="utf-8")
        command = [
            *_chromium(Path(directory)),
            f"--blink-settings=preferredColorScheme={0 if scheme == 'dark' else 1}",
            *("--virtual-time-budget=5000", "--dump-dom", file.as_uri()),
        ]
        ran = subprocess.run(command, capture_output=True, text=True, check=False)
    found = re.search(r'<pre id="found">(\{.*\})</pre>', ran.stdout, re.DOTALL)
    assert found, ran.stderr
    return json.loads(found[1].replace("&gt;", ">").replace("&lt;", "<").replace("&amp;", "&"))


def _printed_pages(directory: Path, page: str) -> int:
    """On how many pages Chromium prints a document."""
    (directory / "page.html").write_text(page, encoding="utf-8")
    options = (f"--print-to-pdf={directory}/page.pdf", (directory / "page.html").as_uri())
    subprocess.run([*_chromium(directory), *options], capture_output=True, check=True)
    return len(re.findall(rb"/Type /Page\b", (directory / "page.pdf").read_bytes()))


def _contrast(one: str, other: str) -> float:
    """The contrast ratio of two colors, as WCAG 2 defines it."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(color: str) -> float:
    channels = [int(each) / 255 for each in re.findall(r"\d+", color)[:3]]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(part * c for part, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_a_phone_shows_it_without_scrolling_sideways(scheme: str) -> None:
    found = _laid_out(scheme)["phone"]
    assert found["content"] <= found["width"] <= 360
    assert set(found["tables"]) == {"none"}, "rows are blocks there"
    assert set(found["columns"]) == {1}


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_every_verdict_can_be_read_and_told_from_others(scheme: str) -> None:
    found = _laid_out(scheme)["screen"]
    assert found["content"] <= found["width"]
    shown = [each for each in found["verdicts"] if each["seen"] and each["classes"][-5:] != "wrong"]
    colors = {each["classes"].split()[1]: (each["color"], each["back"]) for each in shown}
    assert {"good", "bad", "wait", "open"} <= colors.keys()
    assert len(set(colors.values())) == len(colors)
    assert all(_contrast(*pair) >= 4.5 for pair in colors.values()), colors
    assert (_luminance(colors["good"][1]) < 0.2) == (scheme == "dark")
    assert 2 in found["columns"], "a fixed entry stands beside the broken one"


def test_the_legend_explains_each_verdict_that_occurs() -> None:
    found = _laid_out("light")["screen"]
    legend = " ".join(found["legend"])
    words = {each["text"].partition(",")[0] for each in found["verdicts"]}
    assert {"Current", "Failed", "InProgress", "Unknown"} <= words
    assert all(word in legend for word in words)
    assert "the wait fails at once" in legend


def test_paper_shows_every_object(tmp_path: Path) -> None:
    closed, opened = _page(), _page().replace("<details>", "<details open>")
    assert closed != opened
    assert _printed_pages(tmp_path, closed) == _printed_pages(tmp_path, opened) > 1
