"""Writes a drawing as SVG: time runs from left to right, and each box stands in its layer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from celvet.lint.graph.boxes import Arrow, Box, Drawing
from celvet.lint.graph.layout import layers
from celvet.lint.prose import html_text
from celvet.lint.safe_text import one_line

_WIDTH, _HEIGHT = 250, 44
_GAP, _SPACE = 70, 12
_MARGIN = 16
_COLUMNS = 36
"""The characters of a line that fit into a box."""

STYLE = """
svg { color-scheme: light dark; font: 13px system-ui, sans-serif; }
.box rect { fill: light-dark(#f6f8fa, #161b22); stroke: light-dark(#57606a, #9da7b3); }
.box text { fill: light-dark(#1b1f24, #e6edf3); }
.box .note { fill: light-dark(#57606a, #9da7b3); font-size: 11px; }
.box.outside rect { stroke-dasharray: 4 3; }
.box.wrong rect { stroke: light-dark(#b3171c, #ff8f8f); stroke-width: 2; }
.box.critical rect { fill: light-dark(#ddf0ff, #0c2d4d); }
.box.found rect { stroke: light-dark(#0550ae, #79b8ff); stroke-width: 4; }
.arrow { fill: none; stroke: light-dark(#6e7781, #8b949e); }
.arrow.applies { stroke: light-dark(#c4cad1, #3d444d); }
.arrow.critical { stroke: light-dark(#0550ae, #79b8ff); stroke-width: 2.5; }
.arrow.wrong { stroke: light-dark(#b3171c, #ff8f8f); stroke-width: 2; }
"""
"""Colors follow the page around it, or the system."""

_Places = Mapping[int, tuple[int, int]]


def svg(drawing: Drawing, label: str, *, style: bool = True) -> str:
    """An element for a page, or with `style` and its namespace the whole of a file."""
    columns = layers(drawing)
    rows = max(map(len, columns), default=0)
    places = {
        number: _place(column, row + (rows - len(numbers)) / 2)
        for column, numbers in enumerate(columns)
        for row, number in enumerate(numbers)
    }
    width, height = (place + _MARGIN for place in _place(len(columns), rows))
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}"'
        f' height="{height}" viewBox="0 0 {width} {height}" role="img"'
        f' aria-label="{html_text(label)}">',
        *([f"<style>{STYLE}</style>"] if style else []),
        *(_arrow(arrow, places) for arrow in drawing.arrows),
        *(line for number, box in enumerate(drawing.boxes) for line in _box(box, places[number])),
        "</svg>\n",
    ]
    return "\n".join(lines)


def _place(column: int, row: float) -> tuple[int, int]:
    return _MARGIN + column * (_WIDTH + _GAP), _MARGIN + round(row * (_HEIGHT + _SPACE))


def _box(box: Box, place: tuple[int, int]) -> Iterator[str]:
    x, y = place
    note = ", ".join(filter(None, (box.note, box.critical)))
    looks = [name for name in ("wrong", "outside") if getattr(box, name)]
    looks += ["critical"] if box.critical else []
    yield f'<g class="{" ".join(["box", *looks])}" data-name="{html_text(box.title.lower())}">'
    tip = "\n".join(filter(None, (f"{box.title}: {note}", box.tip)))
    yield f"<title>{html_text(tip)}</title>"
    yield f'<rect x="{x}" y="{y}" width="{_WIDTH}" height="{_HEIGHT}" rx="6"/>'
    yield f'<text x="{x + 10}" y="{y + 19}">{html_text(one_line(box.title, _COLUMNS))}</text>'
    line = html_text(one_line(note, _COLUMNS + 6))
    yield f'<text class="note" x="{x + 10}" y="{y + 35}">{line}</text>'
    yield "</g>"


def _arrow(arrow: Arrow, places: _Places) -> str:
    """A curve from one box to another; one back keeps to the sides that face each other."""
    (start, top), (end, bottom) = places[arrow.first], places[arrow.after]
    y, v = top + _HEIGHT // 2, bottom + _HEIGHT // 2
    is_back = end <= start
    x, u = start + _WIDTH * (end >= start), end + _WIDTH * is_back
    bend, head = _GAP // 2, 6 if is_back else -6
    leave, arrive = x + (bend if end >= start else -bend), u + (bend if is_back else -bend)
    looks = [name for name in ("applies", "critical", "wrong") if getattr(arrow, name)]
    curve = f"M{x},{y} C{leave},{y} {arrive},{v} {u},{v} m{head},-4 l{-head},4 l{head},4"
    return (
        f'<path class="{" ".join(["arrow", *looks])}" d="{curve}">'
        f"<title>{html_text(arrow.tip)}</title></path>"
    )
