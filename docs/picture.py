"""The picture of the README, `docs/life.svg`: two entries over the life of their kind."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path

from celvet import suggest
from celvet.lint.engine import Settings
from celvet.lint.explain.output.html import verdict_classes
from celvet.lint.explain.page import VERDICT, Line
from celvet.lint.explain.pages import explained
from celvet.lint.safe_text import one_line, yaml_text
from celvet.lint.suggest.health_test import declaration

PAGE = Path(__file__).resolve().parent / "life.svg"
_KIND = "Dragonfly.dragonflydb.io"
_WRITTEN = Path(__file__).resolve().parent.parent / "examples/infrastructure/dragonfly.yaml"
_OLD = re.compile("before [0-9]")
"""In the names of states of earlier releases, which would make the picture too wide."""

_WIDTH, _HEIGHT, _TOP, _GAP = 158, 58, 74, 50
_STYLE = """
svg { color-scheme: light dark; font: 13px system-ui, sans-serif; }
text { fill: light-dark(#1b1f24, #e6edf3); }
.title { font-weight: 600; }
.note, .state { fill: light-dark(#57606a, #9da7b3); font-size: 12px; }
rect { stroke: none; }
.good { fill: light-dark(#d5f2dc, #12351b); } .bad { fill: light-dark(#fde0e0, #4a1214); }
.wait { fill: light-dark(#fdeec0, #3d2f05); } .open { fill: light-dark(#e6e9ee, #2c333d); }
.wrong { stroke: light-dark(#8b0f14, #ffc9c9); stroke-dasharray: 5 3; stroke-width: 2; }
"""


def picture() -> str:
    """Two lines of verdicts, one below the other."""
    written = _life(_WRITTEN.read_bytes())
    entry = suggest(_KIND).fields
    recommended = _life(yaml_text(declaration("cache", entry)).encode())
    width = 24 + len(written) * _WIDTH
    height = _TOP + 2 * (_HEIGHT + _GAP) + 6
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
        f' viewBox="0 0 {width} {height}" role="img" aria-label="The verdicts of an entry over the'
        ' life of a Dragonfly: Failed while it starts; and those of the suggested entry">',
        f"<style>{_STYLE}</style>",
        _text(12, 24, "title", "What Flux will say while a Dragonfly starts, runs and is updated"),
        *(
            _text(12 + index * _WIDTH, _TOP - 26, "state", line.description.split("`")[1])
            for index, line in enumerate(written)
        ),
        *_row(written, 0, "as written: failed is `status.phase != 'Ready'`"),
        *_row(recommended, 1, f"as celvet suggests: `{one_line(entry['current'], 110)}`"),
        "</svg>",
        "",
    ]
    return "\n".join(lines)


def _life(data: bytes) -> list[Line]:
    pages, _ = explained(data, "cache.yaml", Settings(everything=True))
    (page,) = (page for page in pages if page.life)
    return [line for line in page.life if not _OLD.search(line.description)]


def _row(lines: Sequence[Line], number: int, title: str) -> Iterator[str]:
    top = _TOP + number * (_HEIGHT + _GAP)
    yield _text(12, top - 6, "note", title.replace("`", ""))
    for index, line in enumerate(lines):
        verdict = line.cells[VERDICT]
        word, _, right = verdict.partition(", ")
        x = 12 + index * _WIDTH
        looks = " ".join(verdict_classes(verdict))
        size = f'width="{_WIDTH - 12}" height="{_HEIGHT}"'
        yield f'<rect class="{looks}" x="{x}" y="{top}" {size} rx="6"/>'
        yield _text(x + 10, top + 25, "title", word)
        yield _text(x + 10, top + 44, "note", right)


def _text(x: int, y: int, look: str, text: str) -> str:
    return f'<text class="{look}" x="{x}" y="{y}">{escape(text)}</text>'
