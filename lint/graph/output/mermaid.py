"""Mermaid, which GitHub and GitLab draw in a comment or a Markdown file.

It refuses a text of more than 50,000 characters or 500 edges (`maxTextSize` and `maxEdges` of
mermaid v11, packages/mermaid/src/schemas/config.schema.yaml). A graph beyond that is folded by
namespace, and if even that is too large, cut.
"""

from __future__ import annotations

from celvet.lint.graph.boxes import Drawing, drawing_of, folded
from celvet.lint.graph.nodes import Edge, Graph, GraphNode
from celvet.lint.graph.wording import marks, place, title, wait
from celvet.lint.safe_text import terminal_text, unicode_text

_MOST_CHARACTERS, _MOST_EDGES = 50_000, 500
_MOST_FOLDED = 150
"""The boxes and arrows of a namespace's picture; each takes less than 160 characters."""


def render(report: Graph, color: bool) -> str:
    """One flowchart; objects that never become ready are red."""
    lines = ["flowchart LR"]
    lines += (f"  n{number}[{_node(node)}]" for number, node in enumerate(report.nodes))
    lines += (f"  n{edge.source} -->|{_edge(edge)}| n{edge.target}" for edge in report.edges)
    lines += _red([number for number, edge in enumerate(report.edges) if marks(edge)])
    text = unicode_text("\n".join([*lines, ""]))
    if len(text) > _MOST_CHARACTERS or len(report.edges) > _MOST_EDGES:
        return unicode_text(_folded(folded(drawing_of(report))))
    return text


def _folded(drawing: Drawing) -> str:
    """The namespaces, with arrows from those that wait, as in a small chart."""
    boxes, arrows = drawing.boxes[:_MOST_FOLDED], drawing.arrows
    visible = [arrow for arrow in arrows if max(arrow.first, arrow.after) < len(boxes)][
        :_MOST_FOLDED
    ]
    cut = len(drawing.boxes) - len(boxes) + len(arrows) - len(visible)
    note = f", and {cut} boxes or arrows are left out" if cut else ""
    lines = [
        f"%% Folded by namespace{note}: mermaid draws no more. See --focus, --format svg.",
        "flowchart LR",
    ]
    lines += (
        f"  n{number}[{_label(box.title[:60], box.note)}]" for number, box in enumerate(boxes)
    )
    for arrow in visible:
        ends = (arrow.first, arrow.after) if arrow.applies else (arrow.after, arrow.first)
        lines.append(f"  n{ends[0]} -->|{'applies' if arrow.applies else 'waits for'}| n{ends[1]}")
    lines += _red([number for number, arrow in enumerate(visible) if arrow.wrong])
    return "\n".join([*lines, ""])


def _red(numbers: list[int]) -> list[str]:
    return [f"  linkStyle {','.join(map(str, numbers))} stroke:red,color:red"] if numbers else []


def _node(node: GraphNode) -> str:
    return _label(title(node), place(node))


def _edge(edge: Edge) -> str:
    return _label(edge.relation, wait(edge), *marks(edge))


def _label(*lines: str) -> str:
    """A label, with everything except letters and digits escaped."""
    return f'"{"<br>".join(_escape(line) for line in lines if line)}"'


def _escape(text: str) -> str:
    plain = " ./:-_,()"
    return "".join(
        char if char.isalnum() or char in plain else f"#{ord(char)};"
        for char in terminal_text(text)
    )
