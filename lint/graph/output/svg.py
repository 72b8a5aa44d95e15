"""A picture: layers of reconciliation from left to right; a large graph is folded by namespace."""

from __future__ import annotations

from celvet.lint.graph.boxes import MOST_BOXES, drawing_of, folded
from celvet.lint.graph.nodes import Graph
from celvet.lint.graph.svg import svg
from celvet.lint.safe_text import unicode_text, xml_text


def render(report: Graph, color: bool) -> str:
    """One file, which loads nothing; objects that never become ready are red."""
    drawing = drawing_of(report)
    drawing = folded(drawing) if len(drawing.boxes) > MOST_BOXES else drawing
    return xml_text(unicode_text(svg(drawing, "who waits for whom, from left to right")))
