"""Mermaid, which GitHub and GitLab draw in a comment or a Markdown file."""

from __future__ import annotations

from celvet.lint.graph.nodes import Edge, Graph, GraphNode
from celvet.lint.graph.wording import marks, place, title, wait
from celvet.lint.safe_text import terminal_text, unicode_text


def render(report: Graph, color: bool) -> str:
    """One flowchart; objects that never become ready are red."""
    lines = ["flowchart LR"]
    lines += (f"  n{number}[{_node(node)}]" for number, node in enumerate(report.nodes))
    lines += (f"  n{edge.source} -->|{_edge(edge)}| n{edge.target}" for edge in report.edges)
    wrong = [str(number) for number, edge in enumerate(report.edges) if marks(edge)]
    if wrong:
        lines.append(f"  linkStyle {','.join(wrong)} stroke:red,color:red")
    return unicode_text("\n".join([*lines, ""]))


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
